#!/usr/bin/env bash
# Installs what the other commands need and what is missing: the PostgreSQL server programs, git, universal-ctags, packages of the console, a
# browser for the end-to-end tests, the conformance suite, real clients (with FULL=1 also the AI agents), other authorization
# servers to measure beside ours.
# Usage: tools.sh [database|node|browser|conformance|clients|token|lint]; without an argument: database and node.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }

debian() { # debian PROGRAM-TEST PACKAGE...
  local test=$1; shift
  eval "$test" >/dev/null 2>&1 && return 0
  local run=()
  if [ "$(id -u)" != 0 ]; then run=(sudo); fi
  if ! command -v apt-get >/dev/null || { [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; }; then
    say "missing: $*. Install it with your system's packages and run this again."
    exit 1
  fi
  say "installing $* …"
  "${run[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${run[@]}" apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

database() {
  debian 'command -v initdb || ls /usr/lib/postgresql/*/bin/initdb || ls "${DRIFTLESS_POSTGRES_BIN:-/nonexistent}/initdb"' postgresql
  debian 'command -v git' git
  debian 'ctags --version | grep -i universal' universal-ctags
}

packages() { # packages FOLDER: exactly what the lock file says
  command -v npm >/dev/null || { say "missing: Node.js 20 or newer with npm"; exit 1; }
  local stamp="$1/node_modules/.package-lock.json"
  if [ ! -f "$stamp" ] || [ "$1/package-lock.json" -nt "$stamp" ]; then
    say "installing the packages of $1 …"
    (cd "$1" && npm ci --no-audit --no-fund --silent && touch node_modules/.package-lock.json)
  fi
}

browser() {
  debian 'command -v chromium || test -x "${DRIFTLESS_CHROMIUM:-/nonexistent}"' chromium
  packages e2e
}

agents() { # each is one program that its package pins for every platform; without a lock only ours has to be there
  local stamp=clients/full/node_modules/.package-lock.json
  if [ ! -f "$stamp" ] || [ clients/full/package.json -nt "$stamp" ]; then
    say "installing the packages of clients/full (1.2 GB) …"
    (cd clients/full && npm install --no-package-lock --no-audit --no-fund --silent && touch node_modules/.package-lock.json)
  fi
}

clients() {
  database
  debian 'command -v script' bsdutils
  packages clients
  if [ "${FULL:-}" = 1 ]; then agents; fi
}

token() {
  database
  packages bench/token/node
  if [ ! -x bin/hydra ] || [ bench/token/hydra/go.mod -nt bin/hydra ]; then
    say "building ory/hydra …"
    mkdir -p bin
    (cd bench/token/hydra && go build -o ../../../bin/hydra github.com/ory/hydra/v2)
  fi
}

lint() {
  local want=v2.15.0
  if [ ! -x "bin/golangci-lint-$want" ]; then
    say "building golangci-lint $want …"
    mkdir -p bin
    GOBIN="$PWD/bin" go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$want"
    mv bin/golangci-lint "bin/golangci-lint-$want"
  fi
}

case "${1:-}" in
  "") database; packages web ;;
  database) database ;;
  node) packages web ;;
  browser) browser ;;
  conformance) database; packages conformance ;;
  clients) clients ;;
  token) token ;;
  lint) lint ;;
  *) say "usage: tools.sh [database|node|browser|conformance|clients|token|lint]"; exit 2 ;;
esac
