#!/usr/bin/env bash
# Everything that must hold. The last lines are those of go test.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$PWD/build/test
mkdir -p "$out"
# With -trimpath, as make build has it: what one step compiles, the next finds, and so does the next clone.
GOFLAGS="$(go env GOFLAGS) -trimpath"
export GOFLAGS CGO_ENABLED=0
step() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }

# Packages that compute and start no goroutine, neither in their code nor in their tests: there is
# nothing to watch, and watched they take seven times as long. What other goroutines do with them
# is watched in the packages that start those.
computing=(./internal/cwac/language ./internal/cwac/markup ./internal/cwac/report)
goroutine='(^|[^a-z/"])go (func|[a-z][A-Za-z]*[.(])|\.Go\(|\.Parallel\('

# What runs the built program beside foreign software. It mostly waits, for processes and for
# Chromium, so that it runs beside the Go tests and not before them.
foreign() {
	step 'foreign MCP clients'
	build/clients/node scripts/clients/check.mjs bin/legwork build/clients
	step 'official conformance suite'
	scripts/conformance.sh
	scripts/conformance-client.sh
	step 'hosted server: real issuers, logins of foreign clients'
	scripts/need-hydra.sh
	(cd test/hosted && go vet . && go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 . && go test -vet=off -count 1 -timeout 20m .)
	step 'benchmark contenders'
	(cd bench && go vet ./... && go test -vet=off ./...)
	step 'tests of what computes'
	go test -vet=off -shuffle=on -timeout 20m "${computing[@]}"
	step 'the foreign part is done'
}

# What the Go tests are run with:
# -gcflags: SQLite is C that was translated to Go, and its accesses to memory are watched at a
#   price (the tests of internal/board/jobs take 46 s of CPU time with it and 18 s without) for
#   races that are not ours. No other package may be left out: copies of the functions of sync and
#   atomic that it holds would serve the whole program, and races would be seen where none are.
# -p: a package waits, for its browser and for limits of time, for more than half of its own
#   time, so that two of them share a core.
# -vet=off: go vet has seen all of it.
# CGO_ENABLED=1: the race detector is in C. What these tests build themselves is as make build has it.
cores=$(getconf _NPROCESSORS_ONLN)
watched=(-race -gcflags='modernc.org/sqlite/lib=-race=false' -vet=off -shuffle=on -p "$((2 * cores))" -timeout 40m)
# The packages that take longest begin first, so that none of them is left alone at the end.
longest=(./internal/cli ./internal/scout ./internal/browser ./internal/page ./internal/mcptest/check ./internal/cwac ./internal/cwac/engine)

scripts/need-node.sh >"$out/node.log" 2>&1 &
node=$!
trap 'wait "$node" || true' EXIT # npm, ended half-way, would be in the way of the next run
step format
bad=$(gofmt -l cmd internal bench test)
[ -z "$bad" ] || { echo "gofmt would change: $bad" >&2; exit 1; }
if grep -rnE --include='*.go' "$goroutine" "${computing[@]}"; then echo "watch that package: take it off the list in $0" >&2; exit 1; fi
step vet
go vet ./...
step lint
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
step build
make -s build
wait "$node" || { cat "$out/node.log" >&2; exit 1; }
step 'foreign clients, conformance and hosted server, beside the tests with the race detector: see build/test'
(foreign) >"$out/foreign.log" 2>&1 &
other=$!
trap 'kill "$other" 2>/dev/null || true' EXIT
all=$(go list ./...)
computed=$(go list "${computing[@]}")
others=$(grep -vxF "$computed" <<<"$all")
failed=0
# shellcheck disable=SC2086 # a word for each package
CGO_ENABLED=1 go test "${watched[@]}" "${longest[@]}" $others >"$out/go.log" 2>&1 || failed=1
wait "$other" || { failed=1; echo "the foreign part failed" >>"$out/foreign.log"; }
trap - EXIT
cat "$out/foreign.log"
step 'tests, with the race detector'
cat "$out/go.log"
exit "$failed"
