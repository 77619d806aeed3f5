#!/usr/bin/env bash
# Installs and builds what the benchmark of the board is compared with, from npm, into build/board-peer: bench/board/next, a
# handler of Next.js with better-sqlite3. Says in one line what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v npm >/dev/null || { echo "the benchmark needs npm and Node 20 or later (apt-get install npm, or nodejs.org)" >&2; exit 1; }
dir=build/board-peer
if [ -f "$dir/installed" ] && diff -qr -x node_modules -x .next -x installed bench/board/next "$dir" >/dev/null; then
	exit 0
fi
rm -rf "$dir"
mkdir -p build
cp -r bench/board/next "$dir"
echo "installing and building the peer of the board in $dir"
(cd "$dir" && npm ci --no-audit --no-fund --loglevel error && NEXT_TELEMETRY_DISABLED=1 npx next build)
touch "$dir/installed"
