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
schemathesis=${VENV:?the Python environment}/bin/schemathesis
# shellcheck source=e2e/serving.sh
. "$here/serving.sh"

# Cases come faster than any plan that is for sale allows.
printf '[plans.conformance]\nper_minute = 1000000\nper_day = 100000000\n[limiter]\nbad_keys_per_minute = 1000000\n' > "$folder/aerie.toml"
organization Conformance --plan conformance --config "$folder/aerie.toml"
serve --workers 0 --config "$folder/aerie.toml"

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
echo "conformance: ${cases:-no} cases"
[ "${cases:-0}" -ge "$least" ] || { echo "fewer than $least"; exit 1; }
