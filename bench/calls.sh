#!/usr/bin/env bash
# Runs the benchmark of the hosted server: Legwork beside bare servers of the Go and TypeScript SDKs. Arguments go to the
# program, for example -turns 15 -connections 16. Needs bin/legwork and build/clients (make calls sees to both).
set -euo pipefail
cd "$(dirname "$0")/.."
[ -x build/clients/node ] || { echo "the benchmark needs Node: scripts/need-node.sh" >&2; exit 1; }
mkdir -p build/bench
go build -C bench -o ../build/bench/calls ./calls
exec build/bench/calls "$@"
