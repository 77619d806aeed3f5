#!/usr/bin/env bash
# Runs the benchmark of scans: Legwork beside @axe-core/cli and pa11y-ci on a site with known faults. Arguments go to the
# program, for example -turns 5, or -many 500 for the memory of one long scan. Needs bin/legwork and build/scan-peers
# (make scans sees to both).
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/bench
go build -C bench -o ../build/bench/scans ./scans
exec build/bench/scans "$@"
