#!/usr/bin/env bash
# The proofs in full, with a line of progress every twenty seconds. Usage: prove.sh STEPS
# Tests of every run are the same ones, shorter: what is found here is repeated with the seed that is printed.
set -euo pipefail
cd "$(dirname "$0")/.."
steps=${1:-1000000}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
prove() { # prove PACKAGE TEST FLAGS…: runs one proof, shows its figures as they come, and everything when it fails
  local package=$1 test=$2
  shift 2
  go test "$package" -count=1 -v -timeout 3h -parallel 8 -run "$test" "$@" 2>&1 | tee "$log" | grep --line-buffered -oE 'prove: .*' || true
  if ! grep -q '^ok' "$log"; then
    grep -v 'rapid\] draw' "$log" | tail -n 200
    exit 1
  fi
}
prove ./internal/topic WhateverIsCalled -prove.steps="$steps" -rapid.steps=60 -rapid.nofailfile
prove ./internal/topic FiftyWriters -prove.seconds=30
prove ./internal/event EachTampering -prove.changes=10000
echo "prove: $steps calls, 30 s of fifty writers, 10000 changes of the log: nothing to fix"
