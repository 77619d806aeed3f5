#!/usr/bin/env bash
# Installs what the benchmark of scans is compared with, from npm, into build/scan-peers: @axe-core/cli and pa11y-ci,
# which drive the machine's own Chromium. Says in one line what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v npm >/dev/null || { echo "the benchmark needs npm (apt-get install npm, or nodejs.org)" >&2; exit 1; }
if ! command -v chromedriver >/dev/null; then
	[ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || { echo "the benchmark needs chromedriver (apt-get install chromium-driver)" >&2; exit 1; }
	apt-get install -y --no-install-recommends chromium-driver
fi
dir=build/scan-peers
if [ -f "$dir/installed" ] && cmp -s scripts/scan-peers/package-lock.json "$dir/installed"; then
	exit 0
fi
rm -rf "$dir"
mkdir -p "$dir"
cp scripts/scan-peers/package.json scripts/scan-peers/package-lock.json "$dir/"
echo "installing the other checkers from npm into $dir"
(cd "$dir" && PUPPETEER_SKIP_DOWNLOAD=1 CHROMEDRIVER_SKIP_DOWNLOAD=true npm ci --ignore-scripts --no-audit --no-fund --loglevel error)
cp scripts/scan-peers/package-lock.json "$dir/installed"
