#!/usr/bin/env bash
# A fleet under faults: three API nodes and six workers on PostgreSQL with a synchronous replica, while processes are killed
# and frozen, the database fails over, and connections are cut, slowed and left half open.
#   bench/fleet.sh [--runs N] [--seed S]   runs with the seeds S (1) to S + N - 1 (N is 100), about a minute each
#   bench/fleet.sh --again ...             also those whose results are known
#   bench/fleet.sh --sabotage              breaks every promise on purpose, and fails if a check does not notice
# Fails if an acknowledged job is lost, submitted or billed twice, published by an attempt that did not complete it, or failed; if work
# does not go on within the lease and five seconds; or if an API node says that it is ready five seconds after the database is
# gone. Results are appended to target/fleet/results.jsonl: a campaign of the same binary that was stopped goes on where it was. The
# logs of a run that failed are in target/fleet/SEED.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath "${CARGO_TARGET_DIR:-target}")
if [ -z "${AERIE_BIN:-}" ]; then
  ${CARGO:-cargo} build --quiet --release --package aerie-cli --package aerie-engine --package aerie-sign --package aerie-load
  AERIE_BIN=$target/release/aerie
fi
export AERIE_BIN AERIE_FLEET_RESULTS=$target/fleet
# Next to the binary, so that both come from the same build.
exec "$(dirname "$AERIE_BIN")/fleet" "$@"
