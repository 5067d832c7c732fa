# Every command ends non-zero when it fails. `make up` and `make test` need nothing beside this checkout: they install what
# is missing.

BIN      := bin/driftless
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null)
GO       ?= go
STEPS    ?= 1000000
WEB      := web/dist/index.html
WEB_SRC  := $(shell find web/src web/public web/index.html web/package.json web/package-lock.json web/vite.config.ts web/tsconfig.json -type f 2>/dev/null)

.PHONY: up test build console check lint gen unit e2e clients-quick conformance fuzz-short acceptance eval bench bench-token clients fuzz chaos eval-modules prove isolation tools clean

up: tools build ## install what is missing, build, and run with demo content
	@exec $(BIN) serve --demo

test: tools build check unit e2e clients-quick clients conformance fuzz-short ## everything that needs nothing beside this checkout
	@echo "test: all passed"

tools: ## the programs the other commands need
	@deploy/tools.sh

build: console $(BIN) ## the binary, with the console in it

console: $(WEB)

$(WEB): $(WEB_SRC) internal/catalog/surface/openapi.json
	@deploy/tools.sh node
	cd web && npm run build
	@touch $(WEB)

$(BIN): FORCE
	@mkdir -p bin
	$(GO) build -trimpath -ldflags "-X main.version=$(VERSION)" -o $(BIN) ./cmd/driftless

FORCE:

gen: ## write the generated files: catalogue, OpenAPI, reference pages, types of the console
	$(GO) test ./internal/catalog -run TestTheSurfaceIsCommitted -update
	@deploy/tools.sh node
	cd web && npm run gen

check: ## formatting, linters, rules of the house, generated files
	@deploy/check.sh

unit: ## unit and integration tests on a real PostgreSQL
	$(GO) test -timeout 15m ./...
	cd web && npm run test

e2e: ## the console in headless Chromium, with screenshots in e2e/screenshots
	@deploy/tools.sh browser
	cd e2e && npm test

clients-quick: ## the whole job through two client libraries
	cd e2e && npm run clients

clients: $(BIN) ## real clients through the whole OAuth flow; FULL=1 adds the AI agents (1.2 GB), ONLY=word chooses
	@deploy/tools.sh clients
	cd clients && npm test --silent

conformance: $(BIN) ## the protocol's own conformance suite, server and authorization
	@deploy/tools.sh conformance
	cd conformance && npm test --silent

fuzz-short: ## each fuzz target for a moment
	@deploy/fuzz.sh 2s

fuzz: ## each fuzz target for 20 s
	@deploy/fuzz.sh 20s

acceptance: build ## black-box checks beside this checkout; those whose capability is here (deploy/acceptance.txt)
	@deploy/acceptance.sh

bench: $(BIN) ## Go benchmarks, then the reads under load against their floor; ARGS=-full for the sizes of the targets
	@deploy/tools.sh database
	$(GO) test -run '^$$' -bench . -benchtime 200ms -benchmem ./internal/retrieve/... ./internal/anchor/...
	$(GO) run ./bench/load -driftless $(BIN) $(ARGS)

bench-token: $(BIN) ## the token endpoint beside ory/hydra and oidc-provider; ARGS="-rounds 9" for more
	@deploy/tools.sh token
	$(GO) run ./bench/token -driftless $(BIN) -hydra bin/hydra $(ARGS)

eval: build ## imports the material beside this checkout twice and does the whole job over it
	@deploy/eval.sh

eval-modules: $(BIN) ## drift on releases of well-known modules, from the proxy that this machine uses; ARGS="-only WORD" for some
	@deploy/tools.sh database
	$(GO) run ./e2e/releases -binary $(BIN) -page docs/drift-quality.md $(ARGS)

chaos: $(BIN) ## clients that share a token on a bad wire, kills, thieves, writes; ARGS="-seed 7 -for 10m" for more
	@deploy/tools.sh database
	$(GO) run ./e2e/chaos -binary $(BIN) $(ARGS)

prove: ## the proofs in full: a million calls against a model of governance; STEPS=20000 for fewer
	@deploy/tools.sh database
	@deploy/prove.sh $(STEPS)

isolation: ## not there yet
	@echo "make $@: its subject is not built yet" && exit 1

clean:
	rm -rf bin web/dist/assets web/dist/index.html e2e/screenshots
