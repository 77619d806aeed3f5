#!/usr/bin/env bash
# Runs the official MCP conformance suite against the real program, for every revision that it has requirements for, and
# compares the outcome with docs/conformance.md. Fails when a scored scenario fails or the document is out of date.
# Usage: scripts/conformance.sh [--write]    --write brings the tables of the document up to date instead.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/need-node.sh
make -s build # also when there is one: it may be older than what is tried
build/clients/node scripts/clients/conformance.mjs bin/legwork build/clients docs/conformance.md "$@"
