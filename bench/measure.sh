#!/usr/bin/env bash
# Measures what tests do not: rates over real data, campaigns, the cost of requests. Each has a bar; prints figures, and fails where
# one is missed.
#   bench/measure.sh [NAME]     those whose name contains NAME
# They are the tests of modules named `measure`, the programs below, and the tests of the programs that train networks and put the
# service under load. AERIE_TEST_DATA: the folder of real data, see CONTRIBUTING.md; without it, what needs them is left out, and listed as ignored.
set -uo pipefail
cd "$(dirname "$0")/.."
name=${1:-} cargo=${CARGO:-cargo}
read -ra tested <<< "${TESTED:---workspace}"
failed=()

${cargo} build "${tested[@]}" --lib --bin aerie --tests || exit 1
# One after the other, so that they do not slow each other down.
$cargo test "${tested[@]}" --no-fail-fast --lib --test it --test e2e -- ${AERIE_TEST_DATA:+--include-ignored} --nocapture --test-threads 1 "measure::$name" \
  | grep -v '^running 0 tests$\|^test result: ok. 0 passed\|^$'
[ "${PIPESTATUS[0]}" = 0 ] || failed+=(tests)

program() {
  case $1 in *"$name"*) ;; *) return ;; esac
  echo "--- $1"
  "${@:2}" || failed+=("$1")
}
program allocations $cargo run --quiet --package aerie-api --example allocations
program training $cargo test --quiet --package aerie-training
program load $cargo test --quiet --package aerie-load

[ ${#failed[@]} = 0 ] || { echo "missed: ${failed[*]}"; exit 1; }
