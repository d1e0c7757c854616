#!/usr/bin/env bash
# What requests cost on one core beside the same server's bare 404, submits per fsync, and the wait from the 202 to the
# worker's start: `bench/throughput.sh [ROUNDS] [SECONDS]`. Fails when a bar is missed.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
${CARGO:-cargo} build --quiet --release --package aerie-cli --package aerie-e2e
AERIE_BIN=$(realpath "$target/release/aerie") "$target/release/throughput" "$@"
