#!/usr/bin/env bash
# Runs the tests that need a Redis server. Each starts its own, in a temporary folder, on a free port of this machine, and stops it
# afterwards. Further arguments go to cargo test, such as --release.
# AERIE_TEST_REDIS_SERVER: the program to start, such as valkey-server.
set -euo pipefail
cd "$(dirname "$0")/.."

export AERIE_TEST_REDIS_SERVER="${AERIE_TEST_REDIS_SERVER:-redis-server}"
command -v "$AERIE_TEST_REDIS_SERVER" >/dev/null || { echo "$AERIE_TEST_REDIS_SERVER is not installed" >&2; exit 1; }

# The whole workspace's features, so that nothing is built again.
${CARGO:-cargo} test ${PACKAGE:---workspace} --test redis --test e2e "$@" -- --ignored redis_
