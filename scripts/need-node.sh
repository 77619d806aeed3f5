#!/usr/bin/env bash
# Installs the foreign MCP clients that the tests run (Inspector, TypeScript SDK, conformance suite) and the Node 22
# that they need, from npm, into build/clients. Says in one line what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v npm >/dev/null || { echo "the tests need npm (apt-get install npm, or nodejs.org): foreign MCP clients come from it" >&2; exit 1; }
dir=build/clients
if [ -f "$dir/installed" ] && cmp -s scripts/clients/package-lock.json "$dir/installed"; then
	exit 0
fi
rm -rf "$dir"
mkdir -p "$dir"
cp scripts/clients/package.json scripts/clients/package-lock.json "$dir/"
echo "installing the MCP clients for the tests from npm into $dir"
(cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund --loglevel error)
# A Node that is new enough: the machine's own, or the one that came from npm (Linux only).
node=$(command -v node || true)
if [ -z "$node" ] || ! "$node" -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 19) ? 0 : 1)'; then
	node=$(ls "$PWD/$dir"/node_modules/node-linux-*/bin/node 2>/dev/null | head -1)
fi
[ -n "$node" ] || { echo "the tests need Node 22.19 or newer (nodejs.org)" >&2; exit 1; }
ln -sf "$node" "$dir/node"
cp scripts/clients/package-lock.json "$dir/installed"
