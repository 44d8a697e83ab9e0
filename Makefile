# Builds, runs and tests cartd. `make` alone lists the targets.

GO       ?= go
LISTEN   ?= 127.0.0.1:8080
ORIGINS  ?= http://localhost:3000,http://localhost:5173,http://127.0.0.1:3000,http://127.0.0.1:5173
FUZZTIME ?= 30s
BENCH    ?= .
CASES    ?=
OLD      ?=
SALES    ?=

# The long run of the fault suite (make chaos): its requests, faults, nodes and maximum time.
# CHAOS_SEED repeats the random choices of an earlier run; without it they are new.
CHAOS_REQUESTS ?= 1000000
CHAOS_FAULTS   ?= 500
CHAOS_NODES    ?= 4
CHAOS_TIME     ?= 30m
CHAOS_SEED     ?=

# The times at which make test-dates runs the tests, such as 2028-02-29T23:59:30Z; without them the script's.
DATES ?=

# make test-scale writes the table of docs/scaling.md; with UPDATE= it does not.
UPDATE ?= -args -update

# The tools of make check. Go builds them once and keeps them in its build cache.
GOLANGCI    = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOVULNCHECK = golang.org/x/vuln/cmd/govulncheck@v1.9.0

# A local copy of the database of vulnerabilities (https://vuln.go.dev), for machines without internet.
VULNDB ?=

# The core: the loop of a visit. `make test` runs it under the race detector too; `make test-long` runs all
# packages whose goroutines share memory. Tests that prove nothing under the detector are skipped by -short.
CORE = ./actors

# The packages with tests of the build tag long. `make test-long` runs them.
LONG_TESTS = ./cmd/cartbench ./commerce ./commerce/catalogue ./commerce/storefile/... ./blackbox ./blackbox/shop ./blackbox/faultsuite/... ./httpserver/front ./persistence ./persistence/records ./persistence/operator ./webhooks

heading = @printf '\n== %s\n'

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help build run web openapi chaos test test-long test-dates test-scale race lint check fuzz bench unit-costs microbench clean release tools format vet check-web all-tests race-core fuzz-short

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

# The revision of the working tree, with + if files were changed; also where Go finds none (-buildvcs=false).
REVISION = $(shell git rev-parse HEAD 2>/dev/null)$(shell git diff --quiet HEAD 2>/dev/null || echo +)

build: ## build bin/cartd and bin/cartbench
	$(heading) 'Build bin/cartd and bin/cartbench'
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-X main.revision=$(REVISION)" -o bin/cartd ./cmd/cartd
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-X main.commit=$$(git describe --always --dirty 2>/dev/null || echo unknown)" -o bin/cartbench ./cmd/cartbench

run: build ## serve the demo store at LISTEN (127.0.0.1:8080) to pages of ORIGINS, without storage on disk; SALES=1: with thirty days of orders
	$(heading) 'Serve the demo store (Ctrl-C stops it)'
	@exec bin/cartd serve --listen $(LISTEN) --redis embedded --demo $(if $(SALES),--demo-sales) --gzip --cors-origins $(ORIGINS)

test: ## run gofmt, all tests, the race detector, short fuzzing
	@sh scripts/test.sh '$(MAKE)'

test-long: export LONG = 1
test-long: tools lint ## run the linters and the long tests: large stores, many customers, many stores, heavy carts, simultaneous adds, a stop with a silent Redis, every control
	$(heading) 'Long tests (their table is kept in docs/performance.md)'
	$(GO) test -tags long -v -count 1 -p 1 -timeout 90m -run '^Test(Scale|Stop|Long)|^Test(Storm|ClaimStorm|Market|Sales)$$' $(LONG_TESTS)
	$(GO) test -tags long -v -count 1 -timeout 4m -run '^TestLong' ./blackbox/hostile
	$(MAKE) --no-print-directory test-scale UPDATE=
	$(heading) 'Valkey'
	@GO='$(GO)' sh scripts/test-valkey.sh
	$(MAKE) --no-print-directory test-dates
	$(heading) 'Race detector on all packages whose goroutines share memory'
	CGO_ENABLED=1 $(GO) test -vet=off -race -tags long -skip '^TestLongPageOfAMillionOrders$$' ./httpserver/... ./persistence/...
	CGO_ENABLED=1 $(GO) test -vet=off -race -short ./actors ./engine ./ratelimit ./webhooks
	$(heading) 'Fuzz every target for a second'
	@GO='$(GO)' GUIDES='cartd/...' sh scripts/fuzz.sh 1s
	$(heading) 'Every exchange of the black-box suite against the API description'
	$(GO) test -tags conformance -vet=off -count 1 ./blackbox/conformance ./blackbox ./httpserver
	$(heading) 'The TypeScript client'
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/cartd ./cmd/cartd
	sh scripts/test-client.sh bin/cartd

test-dates: tools ## run the short tests at other dates: a leap day's midnight, the beginning and the end of summer time
	$(heading) 'The short tests at other dates'
	@GO='$(GO)' sh scripts/test-dates.sh $(DATES)

test-scale: export SCALE = 1
test-scale: tools ## three nodes behind HAProxy on one Redis, Sentinel and Redis Cluster, disturbed under load; writes the table of docs/scaling.md
	$(heading) 'Nodes and servers come, go and die under load (docs/scaling.md)'
	$(GO) test -tags long -vet=off -v -count 1 -timeout 15m ./blackbox/scale $(UPDATE)

race: tools ## run all tests under the race detector
	$(heading) 'All tests under the race detector'
	CGO_ENABLED=1 $(GO) test -race ./...

lint: ## check the Go sources with golangci-lint: vet, staticcheck, revive, format (.golangci.yml)
	$(heading) 'golangci-lint'
	$(GO) run $(GOLANGCI) run

check: tools lint ## check sources with golangci-lint, go.mod, the generated files, and known vulnerabilities (VULNDB)
	$(heading) 'go.mod is tidy'
	$(GO) mod tidy -diff
	$(heading) 'Generated files are current'
	$(GO) test -vet=off -count=1 -run '^Test(Examples|Description|ErrorsDocument|Schema|TableOfMembers)(Is|Are)Current$$' ./blackbox ./httpserver ./commerce/storefile
	$(heading) 'govulncheck'
	@GO='$(GO)' VULNDB='$(VULNDB)' sh scripts/check-vulnerabilities.sh $(GOVULNCHECK)

fuzz: ## fuzz every target for FUZZTIME (30s)
	$(heading) 'Fuzz every target for $(FUZZTIME)'
	@GO='$(GO)' GUIDES='cartd/...' sh scripts/fuzz.sh $(FUZZTIME)

bench: tools build ## measure cartd against the floor on a fresh Redis, in pairs; CASES selects cases, OLD compares with a report
	$(heading) 'Floor and cartd in pairs (docs/bench.md); report in bin/bench.html'
	bin/cartbench suite --cartd bin/cartd --cases '$(CASES)' --json bin/bench.json --html bin/bench.html $(if $(OLD),--compare $(OLD))

unit-costs: tools build ## measure what one request and one stored item cost; writes docs/scaling.md and the table of `cartd size`
	$(heading) 'Unit costs; figures in docs/scaling.md and internal/unitcosts/table.json'
	bin/cartbench unit-costs --cartd bin/cartd $(if $(KINDS),--kinds $(KINDS)) --table internal/unitcosts/table.json --page docs/scaling.md

microbench: ## run the Go benchmarks; BENCH selects some
	$(heading) 'Benchmarks'
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./...

web: web/node_modules/.package-lock.json ## build the demo's shop from web/src and web/pictures into web/dist, with the tools of web/package-lock.json
	$(heading) 'The shop: web/dist'
	cd web && npm run --silent check && npm run --silent build

openapi: ## write docs/openapi.json, its examples, docs/api/errors.md and docs/store.schema.json from the code
	$(heading) 'Examples, docs/openapi.json, docs/api/errors.md, docs/store.schema.json'
	$(GO) test -count=1 -run '^TestExamplesAreCurrent$$' ./blackbox -update
	$(GO) test -count=1 -run '^TestDescriptionIsCurrent$$' ./blackbox -update
	$(GO) test -count=1 -run '^TestErrorsDocumentIsCurrent$$' ./httpserver -update
	$(GO) test -count=1 -run '^(TestSchemaIsCurrent|TestTableOfMembersIsCurrent)$$' ./commerce/storefile -update

chaos: tools ## break nodes, network and Redis under load for minutes; CHAOS_REQUESTS, _FAULTS, _NODES, _TIME, _SEED, _TEST
	$(heading) 'Fault suite: $(CHAOS_REQUESTS) requests, $(CHAOS_FAULTS) faults'
	CHAOS_REQUESTS=$(CHAOS_REQUESTS) CHAOS_FAULTS=$(CHAOS_FAULTS) CHAOS_NODES=$(CHAOS_NODES) CHAOS_TIME=$(CHAOS_TIME) CHAOS_SEED=$(CHAOS_SEED) \
		$(GO) test -tags long -vet=off -count=1 -timeout 0 -v -run '^TestStorm$$' ./blackbox/faultsuite

release: ## write the programs and archives for linux, their sums (signed with SIGNING_KEY), SBOM and notices to dist/
	$(heading) 'Release in dist/'
	GO='$(GO)' SIGNING_KEY='$(SIGNING_KEY)' sh scripts/release.sh dist

clean: ## remove built files
	rm -rf bin dist
	find . -name '*.test' -type f -delete

# The parts of `make test` (scripts/test.sh).

tools:
	$(heading) 'Tools the tests need'
	@GO='$(GO)' sh scripts/install-test-tools.sh

format:
	$(heading) 'gofmt'
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l .); \
	if [ -n "$$unformatted" ]; then echo "Not formatted; run gofmt -w on:"; echo "$$unformatted"; exit 1; fi

check-web: web/node_modules/.package-lock.json
	$(heading) 'prettier, eslint and types of web and clients/typescript/src'
	cd web && npm run --silent check

# npm writes the file when it has installed the tools of the lock file.
web/node_modules/.package-lock.json: web/package-lock.json
	$(heading) 'Tools of the shop'
	cd web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# The black-box tests of all packages use one program, which is built first.
all-tests:
	$(heading) 'All tests, on miniredis and on redis-server'
	$(GO) build -o bin/test/cartd ./cmd/cartd
	BLACKBOX_PROGRAM='$(CURDIR)/bin/test/cartd' $(GO) test -vet=off -p 4 -parallel 4 ./...

# Without inlining (-l) compiling cartd for the race detector takes a third less time.
race-core:
	$(heading) 'Race detector on the core'
	CGO_ENABLED=1 $(GO) test -vet=off -short -race -gcflags='all=-dwarf=false -l' -p 4 -parallel 8 $(CORE)

fuzz-short:
	$(heading) 'Fuzz the readers of requests and records, each target with 1,000 inputs'
	@GO='$(GO)' sh scripts/fuzz.sh 1000x ./internal/strictjson ./persistence/records
