#!/usr/bin/env bash
# Lets schemathesis ask a running server whatever its OpenAPI document allows, and what it forbids, and holds every answer
# against the document: no 5xx, no answer that is not described, nothing valid refused, nothing invalid taken.
#
#   e2e/conformance.sh EXAMPLES CASES    at most so many examples an operation and phase; fails below so many cases in all
#
# AERIE_BIN names the binary, VENV the Python environment with schemathesis (both are made by the Makefile).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
settings=$here/schemathesis.toml
export SCHEMATHESIS_HOOKS=$here/schemathesis_hooks.py
examples=${1:?examples an operation and phase} least=${2:?the least number of cases}
aerie=${AERIE_BIN:?the binary under test}
schemathesis=${VENV:?the Python environment}/bin/schemathesis
unset HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy

folder=$(mktemp -d)
server=
finish() {
  status=$?
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || status=$?
  fi
  if [ "$status" != 0 ] && [ -s "$folder/server.log" ]; then
    echo "--- the server's log ends:"; tail -n 30 "$folder/server.log"
  fi
  rm -rf "$folder"
  exit "$status"
}
trap finish EXIT

value() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }
: >"$folder/aerie.toml"
plan=()
if "$aerie" admin org create --help | grep -q -e --plan; then
  # Cases come faster than any plan that is for sale allows.
  printf '[plans.conformance]\nper_minute = 1000000\nper_day = 100000000\n[limiter]\nbad_keys_per_minute = 1000000\n' >"$folder/aerie.toml"
  plan=(--plan conformance)
fi
org=$("$aerie" admin org create Conformance "${plan[@]}" --config "$folder/aerie.toml" --json --data "$folder/data" | value org_id)
key=$("$aerie" admin key create --org "$org" --json --data "$folder/data" | value key)

"$aerie" serve --listen 127.0.0.1:0 --workers 0 --config "$folder/aerie.toml" --data "$folder/data" >"$folder/listening" 2>"$folder/server.log" &
server=$!
for _ in $(seq 300); do
  [ -s "$folder/listening" ] && break
  kill -0 "$server" 2>/dev/null || exit 1
  sleep 0.1
done
url=$(sed -n 's/^listening on //p' "$folder/listening")

cd "$folder"
# The key goes with every case, also with those that are to lack it: what happens without one is asked by `ignored_auth`.
# A fixed seed, so that a failure can be had again; set SEED for other cases.
run() {
  "$schemathesis" --config-file "$settings" run "$url/openapi.json" --url "$url" --header "X-API-Key: $key" --checks all \
    --exclude-checks missing_required_header \
    --phases examples,coverage,fuzzing,stateful --max-examples "$examples" --seed "${SEED:-1}" --workers 1 \
    --continue-on-failure --request-timeout 30 --suppress-health-check all --warnings off 2>&1 | tee "$folder/said"
}
if ! run; then
  # Python 3.11 sometimes fails to read its own source while threads run, and the tool ends with it: that is no finding.
  grep -q 'SystemError: AST constructor' "$folder/said" || exit 1
  echo "the tool itself crashed: once more"
  run
fi

cases=$(sed -n 's/^ *\([0-9][0-9]*\) generated,.*/\1/p' "$folder/said")
if grep -E ' ERROR |panicked at' "$folder/server.log"; then
  echo "the server's log is not clean"; exit 1
fi
echo "conformance: ${cases:-no} cases"
[ "${cases:-0}" -ge "$least" ] || { echo "fewer than $least"; exit 1; }
