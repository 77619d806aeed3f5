# Two commands do all the set-up on a fresh machine: make demo, make test.
BIN := bin/legwork
VERSION ?= 0.1.0-dev
GO ?= go
# One static file that runs on any Linux, and starts a millisecond sooner than one that looks for the C library. Only the race
# detector needs cgo: scripts/test.sh.
export CGO_ENABLED ?= 0

.DEFAULT_GOAL := help
.PHONY: help build demo test quick hosted lint soak engines scores bench calls scans board checks docs clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Build bin/legwork
	$(GO) build -trimpath -ldflags "-X github.com/legwork-mcp/legwork/internal/cli.release=$(VERSION)" -o $(BIN) ./cmd/legwork

demo: build ## The main job end to end, offline: a practice form to its answer, with a report
	@scripts/need-browser.sh
	$(BIN) demo --out build/demo

test: ## Everything that must hold: format, vet, lint, architecture, unit, browser, protocol, race
	@scripts/need-browser.sh both
	@scripts/need-postgres.sh
	scripts/test.sh

quick: ## Format, vet and the tests without the race detector
	@scripts/need-browser.sh both
	@scripts/need-node.sh
	@scripts/need-postgres.sh
	@test -z "$$(gofmt -l cmd internal bench test)" || { gofmt -l cmd internal bench test; exit 1; }
	$(GO) vet ./...
	$(GO) test ./...

hosted: ## The hosted server alone: real issuers and the logins of foreign clients
	@scripts/need-browser.sh both
	@scripts/need-node.sh
	@scripts/need-hydra.sh
	cd test/hosted && $(GO) test -count 1 -timeout 20m .

lint: ## staticcheck at the pinned version
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...

soak: build ## Every data set REPEAT times (default 20), 4 in parallel, over stdio and HTTP
	@scripts/need-browser.sh both
	LEGWORK_SOAK_REPEAT=$${REPEAT:-20} $(GO) test ./internal/cli -run TestEveryBranch -count 1 -v -timeout 3h

engines: ## Firefox and WebKit beside Chromium: all data sets, pages and discoveries (docs/engines.md)
	@scripts/need-browser.sh both
	rm -rf build/engines && mkdir -p build/engines
	LEGWORK_SOAK_REPEAT=1 LEGWORK_ENGINES_OUT=$(CURDIR)/build/engines $(GO) test ./internal/cli -parallel 1 \
		-run '(Branch|Widget|Discovery).*OnOtherEngines' -count 1 -v -timeout 3h; \
		status=$$?; LEGWORK_ENGINES_OUT=$(CURDIR)/build/engines $(GO) test ./internal/cli -run TestEngineTable -count 1 && exit $$status

scores: build ## Discover every practice form and score what was found (docs/discovery-scores.md); FORMS=f01,ssa takes some anew
	@scripts/need-browser.sh
	@test -n "$(FORMS)" || rm -rf build/scores
	@mkdir -p build/scores
	LEGWORK_SCORES="$${FORMS:-all}" LEGWORK_SCORES_OUT=$(CURDIR)/build/scores $(GO) test ./internal/scout ./internal/cli -p 1 \
		-run 'TestScores|TestDiscoveredBranches' -count 1 -v -timeout 3h; \
		status=$$?; cat build/scores/*.md > docs/discovery-scores.md; exit $$status

bench: build ## Legwork beside a playwright script and the floor, in one run (see docs/benchmarks.md)
	@scripts/need-browser.sh both
	@scripts/need-node.sh
	bench/run.sh

calls: build ## Calls of the hosted server beside bare servers of the Go and TypeScript SDKs (see docs/benchmarks.md)
	@scripts/need-node.sh
	bench/calls.sh

scans: build ## Scans beside other accessibility checkers, in one run (see docs/benchmarks.md)
	@scripts/need-browser.sh both
	@scripts/need-scan-peers.sh
	bench/scans.sh

board: build ## The board of errands beside a minimal handler of Next.js, in one run (see docs/benchmarks.md)
	@scripts/need-board-peer.sh
	bench/board.sh

checks: build ## Checks of an MCP server beside the Inspector's command line, in one run (see docs/benchmarks.md)
	@scripts/need-node.sh
	bench/checks.sh

docs: build ## Write the generated reference and manifests
	$(BIN) docs --out .

clean: ## Remove what was built
	rm -rf bin build
