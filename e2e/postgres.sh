#!/usr/bin/env bash
# Runs the tests that need a PostgreSQL server on one of their own: in a temporary folder, on a free port of this machine,
# removed afterwards. Further arguments go to cargo test, such as --release.
# AERIE_TEST_POSTGRES: an existing server to use instead, such as postgres://postgres:PASSWORD@localhost/postgres.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${AERIE_TEST_POSTGRES:-}" ]; then
  programs=$(dirname "$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb | tail -n 1)")
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  folder=$(mktemp -d)
  # PostgreSQL refuses to run as root.
  as=()
  if [ "$(id -u)" = 0 ]; then
    chown postgres "$folder"
    as=(setpriv --reuid=postgres --regid=postgres --init-groups)
  fi
  echo test >"$folder/password"
  stop() {
    "${as[@]}" "$programs/pg_ctl" --pgdata "$folder/data" --mode immediate stop >/dev/null 2>&1 || true
    rm -rf "$folder"
  }
  trap stop EXIT
  "${as[@]}" "$programs/initdb" --pgdata "$folder/data" --username postgres --pwfile "$folder/password" --encoding UTF8 \
    --auth scram-sha-256 --locale C --no-sync >/dev/null
  # Commits are not synced: what the tests check does not depend on it.
  "${as[@]}" "$programs/pg_ctl" --pgdata "$folder/data" --log "$folder/log" --wait start >/dev/null --options "\
    -c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories= -c fsync=off -c max_connections=300" ||
    { cat "$folder/log" >&2; exit 1; }
  export AERIE_TEST_POSTGRES="postgres://postgres:test@127.0.0.1:$port/postgres"
fi

# The whole workspace's features, so that nothing is built again.
${CARGO:-cargo} test ${PACKAGE:---workspace} --test postgres "$@" -- --ignored
