# The tasks of the house. `make` alone lists them.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

gofumpt     := mvdan.cc/gofumpt@v0.12.0
staticcheck := honnef.co/go/tools/cmd/staticcheck@v0.8.2

version := $(shell git describe --tags --always --dirty 2>/dev/null)
ldflags := -s -w $(if $(version),-X main.version=$(version))

# Paths stay out of what is compiled, so that a fresh clone finds what another has
# compiled, and the tests what the checks have.
export GOFLAGS := $(strip $(shell go env GOFLAGS) -trimpath)

BENCH    ?= .
SOAK     ?= .
EVAL     ?=
FUZZTIME ?= 60s
VERSION  ?=
TARGETS  ?=

.PHONY: help
help: ## List the tasks
	@awk -F ':.*## ' '/^[a-z\/]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: ## Start frontdesk with the demo business on 127.0.0.1:8080
	go run ./cmd/frontdesk serve --demo

.PHONY: build
build: ## Build bin/frontdesk, one static binary
	CGO_ENABLED=0 go build -trimpath -ldflags '$(ldflags)' -o bin/frontdesk ./cmd/frontdesk

.PHONY: speech
speech: ## Build bin/frontdesk-speech, the companion that hears and speaks on this machine
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o bin/frontdesk-speech ./cmd/frontdesk-speech

.PHONY: release
release: ## Build dist/: programs, packages, images, SDKs, checksums (VERSION=0.1.0, TARGETS=linux/amd64)
	@rm -rf dist
	@sdks=$$(mktemp -d); trap 'rm -rf "$$sdks"' EXIT; \
	scripts/build-sdks all "$$sdks"; \
	set -x; CGO_ENABLED=0 go run ./cmd/release -version '$(VERSION)' -targets '$(TARGETS)' -sdks "$$sdks" -out dist
	@cd dist && sha256sum --quiet --check SHA256SUMS && ls -l

.PHONY: test
test: ## Run the whole suite on SQLite, then on PostgreSQL, race detector on where goroutines meet
	@scripts/test sqlite postgres

.PHONY: test/sqlite
test/sqlite: ## Run the whole suite on SQLite
	@scripts/test sqlite

.PHONY: test/postgres
test/postgres: ## Run the whole suite on a throw-away PostgreSQL
	@scripts/test postgres

.PHONY: test/race
test/race: ## Run the whole suite on SQLite with the race detector on everywhere
	@RACE=1 scripts/test sqlite

.PHONY: test/acceptance
test/acceptance: ## Run the acceptance tests alone, on both databases
	@PACKAGES=./test/acceptance/... scripts/test sqlite postgres

.PHONY: check
check: ## Check the code: go.mod, gofumpt, vet, staticcheck, floors
	@go mod tidy -diff || { echo "go.mod or go.sum is not tidy (run: go mod tidy)" >&2; exit 1; }
	@unformatted=$$(CGO_ENABLED=0 go run $(gofumpt) -l .); \
	if [ -n "$$unformatted" ]; then \
		echo "not formatted (run: go run $(gofumpt) -w .):" >&2; echo "$$unformatted" >&2; exit 1; \
	fi
	CGO_ENABLED=0 go vet ./...
	CGO_ENABLED=0 go run $(staticcheck) ./...
	cd sdk/go && CGO_ENABLED=0 go vet ./... && CGO_ENABLED=0 go run $(staticcheck) ./...
	CGO_ENABLED=0 go test -count=1 ./test/house

.PHONY: lint
lint: ## Lint openapi.json, compile the clients generated from it, check the types of the SDKs
	@scripts/lint-openapi
	@scripts/lint-sdks

.PHONY: sdktypes
sdktypes: ## Write the types of the SDKs anew from openapi.json
	CGO_ENABLED=0 go run ./cmd/sdktypes

.PHONY: bench
bench: ## Measure requests, start and memory on both databases (BENCH=pattern)
	@with=scripts/with-postgres; \
	if ! scripts/find-postgres --install >/dev/null; then \
		with=; scripts/say "NOT COVERED: there is no PostgreSQL here, and none could be installed."; \
	fi; \
	CGO_ENABLED=0 $$with go test -run='^$$' -bench='$(BENCH)' -timeout=30m ./test/bench ./internal/calendar ./internal/search ./internal/pdf ./internal/document ./internal/reader

.PHONY: soak
soak: ## Run the long series of kills, far databases and hanging receivers, on both databases (SOAK=pattern)
	@scripts/soak '$(SOAK)'

.PHONY: eval
eval: ## Measure answers on our own labelled questions, and answers and bookings on the sets in EVAL=DIR
	@CGO_ENABLED=0 go run ./test/eval measure $(EVAL)
	@if [ -n "$(EVAL)" ]; then CGO_ENABLED=0 go run ./test/bookings $(EVAL); fi

.PHONY: learn
learn: ## Learn the senses of words from test/eval/facts anew, and fit the model of answers to them
	CGO_ENABLED=0 go run ./test/eval learn internal/search/senses.bin
	CGO_ENABLED=0 go run ./test/eval fit internal/search/model.txt

.PHONY: pdfium
pdfium: ## Fetch the PDF reader's WebAssembly anew and verify it
	@scripts/fetch-pdfium

.PHONY: spoken
spoken: ## Talk to the program by telephone and in the browser, heard and spoken by frontdesk-speech
	@scripts/find-speech --install small >/dev/null
	FRONTDESK_TEST_SPOKEN=all CGO_ENABLED=0 go test -count=1 -p 1 -v -run Spoken ./test/spoken ./test/browser

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (60s)
	@FUZZTIME=$(FUZZTIME) scripts/fuzz

.PHONY: settings
settings: ## Print docs/settings.md anew from the settings' own tags
	CGO_ENABLED=0 go test -count=1 ./internal/config -run TestSettingsPage -update
