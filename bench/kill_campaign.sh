#!/usr/bin/env bash
# Kills the whole server with SIGKILL, over and over, while clients submit and poll: `bench/kill_campaign.sh [KILLS]`,
# 500 by default. Fails when an acknowledged job is lost, or one is submitted or billed twice.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
${CARGO:-cargo} build --quiet --release --package aerie-cli --package aerie-e2e
AERIE_BIN=$(realpath "$target/release/aerie") "$target/release/kill-campaign" "$@"
