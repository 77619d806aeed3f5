#!/usr/bin/env bash
# Everything that must hold. The last lines are those of go test.
set -euo pipefail
cd "$(dirname "$0")/.."
step() { printf '\n== %s\n' "$*"; }

step format
bad=$(gofmt -l cmd internal bench test)
[ -z "$bad" ] || { echo "gofmt would change: $bad" >&2; exit 1; }
step vet
go vet ./...
step lint
go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 ./...
step build
make -s build
step 'foreign MCP clients'
build/clients/node scripts/clients/check.mjs bin/legwork build/clients
step 'official conformance suite'
scripts/conformance.sh
scripts/conformance-client.sh
step 'hosted server: real issuers, logins of foreign clients'
(cd test/hosted && go vet . && go run honnef.co/go/tools/cmd/staticcheck@v0.8.2 . && go test -count 1 -timeout 20m .)
step 'benchmark contenders'
(cd bench && go vet ./... && go test ./...)
step 'tests, with the race detector'
# Browser packages one after the other: two cores hold one browser test binary at a time.
go test -race -shuffle=on -p 1 -timeout 40m ./...
