#!/usr/bin/env bash
# The queue on PostgreSQL with millions of kept jobs: submits, lives (claim, heartbeat, complete), claims and the limiter through
# the storage code, beside pgbench running the statements that it sends, with as many clients.
#   bench/queue.sh [--jobs N] [--seconds S] [--rounds R] [--clients C] [--profile]
#     N (10,000,000) kept jobs; each of the R (3) rounds measures the storage code, then pgbench, for S (10) seconds each with
#     C (16) clients, and medians are printed; --profile prints the statements that took most time
#   bench/queue.sh --short
#     fairness and over-admissions only, in a minute
# The server is one of its own, in a temporary folder, with fsync on. 10 million jobs take 15 GB of disk there and a quarter of
# an hour to create. Fails if a bar is missed: pgbench's rate times 0.6, claims within 10 ms for 99 of 100, turns of
# organizations, or a key admitted more often than its limit in any 60 seconds.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath "${CARGO_TARGET_DIR:-target}")
if [ -z "${AERIE_BIN:-}" ]; then
  ${CARGO:-cargo} build --quiet --release --package aerie-load
  AERIE_BIN=$target/release/aerie
fi
. e2e/postgres_server.sh
# Without replicas, what fills a new table is not written to the log first. Statements of one connection are read from the
# server's own log.
start_postgres max_connections=100 shared_buffers=2GB max_wal_size=2GB wal_level=minimal max_wal_senders=0 \
  shared_preload_libraries=pg_stat_statements logging_collector=on log_destination=jsonlog
"$(dirname "$AERIE_BIN")/queue" "$@"
