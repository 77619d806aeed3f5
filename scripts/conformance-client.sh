#!/usr/bin/env bash
# Runs the client scenarios of the official MCP conformance suite against the client of the tester (internal/mcptest/wire
# and login), for every revision that has requirements, and compares the outcome with docs/conformance.md. Fails when a
# scored scenario fails or the document is out of date.
# Usage: scripts/conformance-client.sh [--write]    --write brings the tables of the document up to date instead.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/need-node.sh
go build -o build/conformance-client ./test/conformance
build/clients/node scripts/clients/conformance-client.mjs build/conformance-client build/clients docs/conformance.md "$@"
