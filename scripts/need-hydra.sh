#!/usr/bin/env bash
# Builds Ory Hydra, an OAuth issuer that the tests run, from the Go module proxy into build/issuers: minutes the first time, then
# nothing. Says in one line what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v go >/dev/null || { echo "the tests need Go 1.26 (go.dev): Ory Hydra, the issuer that they run, is built with it" >&2; exit 1; }
dir=build/issuers
if [ -x "$dir/hydra" ] && cmp -s scripts/issuers/hydra/go.mod "$dir/built"; then
	exit 0
fi
mkdir -p "$dir"
echo "building Ory Hydra for the tests into $dir (a few minutes, once)"
(cd scripts/issuers/hydra && CGO_ENABLED=1 go build -trimpath -tags sqlite,json1 -ldflags '-s -w' -o "../../../$dir/hydra" github.com/ory/hydra/v2) ||
	{ echo "the tests need Ory Hydra, which could not be built: the Go module proxy must be reachable once" >&2; exit 1; }
cp scripts/issuers/hydra/go.mod "$dir/built"
