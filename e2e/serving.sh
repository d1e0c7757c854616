# Sourced by the checks that put other programs to a server: makes `folder`, and removes it in the end with the server in it.
# A check fails, too, where the server does not end well, or its log is not clean.
#
#   organization NAME [OPTION...]   makes one, with a key: sets `org` and `key`
#   serve [OPTION...]               starts `aerie serve` on a free port of loopback: sets `url`
#
# AERIE_BIN names the binary.
# shellcheck shell=bash
aerie=${AERIE_BIN:?the binary under test}
unset HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy
folder=$(mktemp -d)
server=

finish() {
  local status=$?
  if [ -n "$server" ]; then
    kill "$server" 2> /dev/null || true
    if ! wait "$server"; then
      echo "the server did not end well"; [ "$status" != 0 ] || status=1
    fi
    if grep -E ' ERROR |panicked at' "$folder/server.log"; then
      echo "the server's log is not clean"; [ "$status" != 0 ] || status=1
    fi
    if [ "$status" != 0 ]; then
      echo "--- the server's log ends:"; tail -n 30 "$folder/server.log"
    fi
  fi
  rm -rf "$folder"
  exit "$status"
}
trap finish EXIT

value() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }

organization() {
  org=$("$aerie" admin org create "$@" --json --data "$folder/data" | value org_id)
  key=$("$aerie" admin key create --org "$org" --json --data "$folder/data" | value key)
}

serve() {
  "$aerie" serve --listen 127.0.0.1:0 --data "$folder/data" "$@" > "$folder/listening" 2> "$folder/server.log" &
  server=$!
  local tries
  for tries in $(seq 300); do
    url=$(sed -n 's/^listening on //p' "$folder/listening")
    [ -z "$url" ] || return 0
    kill -0 "$server" 2> /dev/null || break
    sleep 0.1
  done
  echo "the server does not listen after $tries looks"
  exit 1
}
