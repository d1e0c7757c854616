#!/usr/bin/env bash
# Cost of requests on one core relative to a bare 404 of the same server, submits per fsync, and delay from the 202 to the worker's
# start: `bench/throughput.sh [ROUNDS] [SECONDS]`. Fails if a limit is missed.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
${CARGO:-cargo} build --quiet --release --package aerie-cli --package aerie-engine --package aerie-sign --package aerie-load
AERIE_BIN=$(realpath "$target/release/aerie") "$target/release/throughput" "$@"
