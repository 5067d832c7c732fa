#!/usr/bin/env bash
# Runs the black-box checks that lie beside this checkout against the binary: those listed in acceptance.txt, a list that only
# grows. DRIFTLESS_ACCEPTANCE names their folder; ONLY narrows them.
set -euo pipefail
cd "$(dirname "$0")/.."
suite=${DRIFTLESS_ACCEPTANCE:-../shared/acceptance}
if [ ! -f "$suite/run.py" ]; then
  echo "acceptance: there are no checks at $suite; set DRIFTLESS_ACCEPTANCE" >&2
  exit 1
fi
ids=$(grep -v '^#' deploy/acceptance.txt | tr '\n' ',' | sed 's/,*$//')
exec python3 "$suite/run.py" --bin bin/driftless --only "${ONLY:-$ids}" "$@"
