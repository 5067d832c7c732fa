#!/usr/bin/env bash
# Formatting, linters, the rules of the house, generated files, links of the manual.
set -euo pipefail
cd "$(dirname "$0")/.."
deploy/tools.sh lint

unformatted=$(gofmt -l $(git ls-files --cached --others --exclude-standard '*.go'))
if [ -n "$unformatted" ]; then
  echo "not formatted:"; echo "$unformatted"; exit 1
fi
go vet ./...
bin/golangci-lint-v2.15.0 run ./...
go test ./internal/catalog ./internal/archtest -count=1
(cd web && npm run --silent check && npm run --silent lint)
files=$(git ls-files | wc -l)
echo "check: $files files, all rules hold"
