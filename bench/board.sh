#!/usr/bin/env bash
# Runs the benchmark of the board: Legwork beside a minimal handler of Next.js with better-sqlite3. Arguments go to the
# program, for example -turns 5, -peer - without the peer, or -postgres postgres://USER@127.0.0.1/NAME. Needs bin/legwork
# and build/board-peer (make board sees to both).
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/bench
go build -C bench -o ../build/bench/board ./board
exec build/bench/board "$@"
