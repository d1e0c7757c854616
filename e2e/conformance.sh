#!/usr/bin/env bash
# Runs schemathesis against a server: sends requests that the OpenAPI document allows and forbids, and checks each response against
# the document: no 5xx, no undocumented response, no valid request refused, no invalid request accepted.
#
#   e2e/conformance.sh EXAMPLES CASES    EXAMPLES: maximum per operation and phase; CASES: minimum in all, else the check fails
#
# AERIE_BIN is the binary, VENV the Python environment with schemathesis (the Makefile makes both).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
settings=$here/schemathesis.toml
export SCHEMATHESIS_HOOKS=$here/schemathesis_hooks.py
examples=${1:?examples an operation and phase} least=${2:?the least number of cases}
schemathesis=${VENV:?the Python environment}/bin/schemathesis
# shellcheck source=e2e/serving.sh
. "$here/serving.sh"

# Cases come faster than the rate limit of any regular plan.
printf '[plans.conformance]\nper_minute = 1000000\nper_day = 100000000\n[limiter]\nbad_keys_per_minute = 1000000\n' > "$folder/aerie.toml"
organization Conformance --plan conformance --config "$folder/aerie.toml"
serve --workers 0 --config "$folder/aerie.toml"
# The sample town is built when it is first needed.
curl -sf "$url/v1/addresses?q=Larkspur" --header "X-API-Key: $key" > /dev/null

cd "$folder"
# Every case sends the key; the check `ignored_auth` covers requests without one.
# The seed is fixed, so that a failure is reproducible; set SEED for other cases.
run() {
  "$schemathesis" --config-file "$settings" run "$url/openapi.json" --url "$url" --header "X-API-Key: $key" --checks all \
    --exclude-checks missing_required_header \
    --phases examples,coverage,fuzzing,stateful --max-examples "$examples" --seed "${SEED:-1}" --workers 1 \
    --continue-on-failure --request-timeout 30 --suppress-health-check all --warnings off 2>&1 | tee "$folder/said"
}
if ! run; then
  # Python 3.11 sometimes crashes while threads run; this is not a finding, so run again.
  grep -q 'SystemError: AST constructor' "$folder/said" || exit 1
  echo "schemathesis crashed; running it again"
  run
fi

cases=$(sed -n 's/^ *\([0-9][0-9]*\) generated,.*/\1/p' "$folder/said")
echo "conformance: ${cases:-no} cases"
[ "${cases:-0}" -ge "$least" ] || { echo "fewer than $least"; exit 1; }
