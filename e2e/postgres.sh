#!/usr/bin/env bash
# Runs the tests that need a PostgreSQL server on one of their own: in a temporary folder, on a free port of this machine,
# removed afterwards. Further arguments go to cargo test, such as --release.
# AERIE_TEST_POSTGRES: an existing server to use instead, such as postgres://postgres:PASSWORD@localhost/postgres.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${AERIE_TEST_POSTGRES:-}" ]; then
  . e2e/postgres_server.sh
  # Commits are not synced: what the tests check does not depend on it.
  start_postgres fsync=off max_connections=300
fi

# The whole workspace's features, so that nothing is built again.
${CARGO:-cargo} test ${PACKAGE:---workspace} --test postgres --test e2e "$@" -- --ignored postgres_
