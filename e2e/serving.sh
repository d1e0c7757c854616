# Sourced by checks that run other programs against a server: creates `folder`, and on exit stops the server and removes it.
# A check also fails if the server does not exit cleanly or its log has errors.
#
#   organization NAME [OPTION...]   creates an organization and a key: sets `org` and `key`
#   serve [OPTION...]               starts `aerie serve` on a free loopback port: sets `url`
#
# AERIE_BIN is the binary.
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
      echo "the server did not exit cleanly"; [ "$status" != 0 ] || status=1
    fi
    if grep -E ' ERROR |panicked at' "$folder/server.log"; then
      echo "the server's log has errors"; [ "$status" != 0 ] || status=1
    fi
    if [ "$status" != 0 ]; then
      echo "--- end of the server's log:"; tail -n 30 "$folder/server.log"
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
  # Created here: the loop may look before the server's shell has opened them.
  touch "$folder/listening" "$folder/server.log"
  "$aerie" serve --listen 127.0.0.1:0 --data "$folder/data" "$@" > "$folder/listening" 2> "$folder/server.log" &
  server=$!
  local tries
  for tries in $(seq 300); do
    url=$(sed -n 's/^listening on //p' "$folder/listening")
    [ -z "$url" ] || return 0
    kill -0 "$server" 2> /dev/null || break
    sleep 0.1
  done
  echo "the server does not listen after $tries attempts"
  exit 1
}
