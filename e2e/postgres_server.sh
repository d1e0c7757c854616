# Sourced: `start_postgres SETTING=VALUE...` starts a PostgreSQL server in a temporary folder, on a free port of this machine, and
# exports its URL as AERIE_TEST_POSTGRES. It is stopped and removed when the shell exits.
# shellcheck shell=bash

start_postgres() {
  local port as=() options=() setting programs
  programs=$(dirname "$(command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb | tail -n 1)")
  postgres_folder=$(mktemp -d)
  # PostgreSQL refuses to run as root.
  if [ "$(id -u)" = 0 ]; then
    chown postgres "$postgres_folder"
    as=(setpriv --reuid=postgres --regid=postgres --init-groups)
  fi
  postgres_stop=("${as[@]}" "$programs/pg_ctl" --pgdata "$postgres_folder/data" --mode immediate stop)
  trap stop_postgres EXIT
  # Hash of the password `test` after one iteration. The usual 4,096 of every new connection would be most of the processor time of a test.
  echo 'SCRAM-SHA-256$1:c2FsdHNhbHRzYWx0c2FsdA==$1SKmPjxvasRye2RrqemzzVnpqVehAw5dl/+EfE71jZw=:IqIl/vwwkqcUSfao2jytem/1vlFesqZS0fHpgQw83qw=' >"$postgres_folder/password"
  "${as[@]}" "$programs/initdb" --pgdata "$postgres_folder/data" --username postgres --pwfile "$postgres_folder/password" \
    --encoding UTF8 --auth scram-sha-256 --locale C --no-sync >/dev/null
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  for setting in listen_addresses=127.0.0.1 port="$port" unix_socket_directories= "$@"; do
    options+=(-c "$setting")
  done
  "${as[@]}" "$programs/pg_ctl" --pgdata "$postgres_folder/data" --log "$postgres_folder/log" --wait start >/dev/null \
    --options "${options[*]}" || { cat "$postgres_folder/log" >&2; exit 1; }
  export AERIE_TEST_POSTGRES="postgres://postgres:test@127.0.0.1:$port/postgres"
}

stop_postgres() {
  "${postgres_stop[@]}" >/dev/null 2>&1 || true
  rm -rf "$postgres_folder"
}
