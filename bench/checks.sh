#!/usr/bin/env bash
# Times checks of an MCP server beside the Inspector's command line. Arguments go to the program, for example -turns 21. Needs
# bin/legwork and build/clients (make checks sees to both).
set -euo pipefail
cd "$(dirname "$0")/.."
[ -x build/clients/node ] || { echo "the benchmark needs Node: scripts/need-node.sh" >&2; exit 1; }
mkdir -p build/bench
go build -C bench -o ../build/bench/checks ./checks
exec build/bench/checks "$@"
