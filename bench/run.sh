#!/usr/bin/env bash
# Runs the benchmark: Legwork beside a playwright script and the floor. Arguments go to the program, for example -n 20
# or -only legwork,floor. Needs bin/legwork and build/clients (make bench sees to both).
set -euo pipefail
cd "$(dirname "$0")/.."
browser=/usr/lib/chromium/chromium-headless-shell
[ -x "$browser" ] || { echo "the benchmark needs $browser: scripts/need-browser.sh both" >&2; exit 1; }
node=build/clients/node
[ -x "$node" ] || { echo "the benchmark needs Node: scripts/need-node.sh" >&2; exit 1; }
mkdir -p build/bench
go build -C bench -o ../build/bench/floor ./floor
go build -C bench -o ../build/bench/bench .
exec build/bench/bench -browser "$browser" -node "$node" "$@"
