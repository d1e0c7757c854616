#!/usr/bin/env bash
# Measures what tests do not: rates over real data, campaigns, the cost of requests. Each has a bar; prints figures, and fails where
# one is missed.
#   bench/measure.sh [NAME]     those whose name contains NAME
# They are the tests of modules named `measurements`, the program `allocations`, and the tests of the programs that train networks and put
# the service under load. AERIE_TEST_DATA: the folder of real data, see CONTRIBUTING.md; without it, what needs them is left out. So is what
# needs AERIE_ADDRESS_CASES, a table of typed addresses: see crates/geocode/tests/it/peers.rs.
set -uo pipefail
cd "$(dirname "$0")/.."
name=${1:-} cargo=${CARGO:-cargo}
read -ra tested <<< "${TESTED:---workspace}"
failed=() found=0

matches() { case $1 in *"$name"*) found=1 ;; *) return 1 ;; esac; }

$cargo build "${tested[@]}" --lib --bin aerie --bin aerie-engine --bin aerie-sign --tests || exit 1
programs=("$cargo" test "${tested[@]}" --no-fail-fast --quiet --lib --test it --test e2e --)
mapfile -t tests < <("${programs[@]}" --list measurements:: 2> /dev/null | sed -n 's/: test$//p' | sort -u)
chosen=()
for test in "${tests[@]}"; do
  [[ $test != *_of_a_table_* || -n ${AERIE_ADDRESS_CASES:-} ]] || { echo "left out: $test, without AERIE_ADDRESS_CASES"; continue; }
  matches "$test" && chosen+=("$test")
done
if [ ${#chosen[@]} != 0 ]; then
  # One after the other, so that they do not slow each other down.
  "${programs[@]}" ${AERIE_TEST_DATA:+--include-ignored} --nocapture --test-threads 1 --exact "${chosen[@]}" \
    | grep -v '^running 0 tests$\|^test result: ok. 0 passed\|^$'
  [ "${PIPESTATUS[0]}" = 0 ] || failed+=(tests)
fi

if matches allocations; then
  # With the features of the whole workspace, so that nothing is built again.
  echo "--- allocations of a request"
  $cargo build --quiet --workspace --example allocations && "${CARGO_TARGET_DIR:-target}/debug/examples/allocations" || failed+=(allocations)
fi
for crate in training load; do
  if matches "$crate"; then
    echo "--- tests of $crate"
    TESTED=--workspace e2e/crate_tests.py "$crate" || failed+=("$crate")
  fi
done

[ "$found" = 1 ] || { echo "nothing that is measured has a name with \"$name\"; there are:"; printf '  %s\n' "${tests[@]}" allocations training load; exit 1; }
[ ${#failed[@]} = 0 ] || { echo "missed: ${failed[*]}"; exit 1; }
