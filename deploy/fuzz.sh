#!/usr/bin/env bash
# Runs every fuzz target for the time given, one after the other. Usage: fuzz.sh 20s
set -euo pipefail
cd "$(dirname "$0")/.."
time=${1:-20s}
n=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
while IFS=: read -r file target; do
  package=./$(dirname "$file")
  go test "$package" -run '^$' -fuzz "^${target}\$" -fuzztime "$time" -fuzzminimizetime=10x >"$log" 2>&1 || { cat "$log"; exit 1; }
  n=$((n + 1))
done < <(git grep -hoE '^func Fuzz[A-Za-z0-9]+' -- '*_test.go' | sort -u | while read -r _ name; do
  git grep -lE "^func $name\(" -- '*_test.go' | sed "s/\$/:$name/"; done)
echo "fuzz: $n targets, $time each, no findings"
