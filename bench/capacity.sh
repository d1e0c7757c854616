#!/usr/bin/env bash
# A day of a fleet in 72 minutes: 100 workers whose engines sleep, three API nodes, and a PostgreSQL server of their own with
# fsync on. Everything but the engines is the storage code. Compares what it measures with the capacity model in
# docs/operate-fleet.md, and fails if a figure is not within 20 % of it.
#   bench/capacity.sh [--hours A..B] [--workers W] [--load L] [--compress C]
#     the hours A to B (0..24) of the day, C (20) times as fast, with the share L (0.15) of the jobs that W (100) workers are right for:
#     all of them, 20 times as fast, are as many transactions as those of 5 million jobs a day, too many for a server on two cores
#   bench/capacity.sh --push [SECONDS]
#     instead, the busiest hour for SECONDS (30) each at increasing speed, until the queue grows: what saturates first
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath "${CARGO_TARGET_DIR:-target}")
if [ -z "${AERIE_BIN:-}" ]; then
  ${CARGO:-cargo} build --quiet --release --package aerie-load
  AERIE_BIN=$target/release/aerie
fi
. e2e/postgres_server.sh
start_postgres max_connections=600 shared_buffers=1GB max_wal_size=2GB shared_preload_libraries=pg_stat_statements
"$(dirname "$AERIE_BIN")/capacity" "$@"
