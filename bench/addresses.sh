#!/usr/bin/env bash
# Geocodes real addresses as people write them (order, case, accents, abbreviations, typos, ranges, letters, missing parts), and
# addresses of streets removed from the map, which must not be found: `bench/addresses.sh [ADDRESSES]` per extract, all by
# default. Prints counts by kind; fails below 95 % of a kind or on one wrong house. Uses the extracts in AERIE_TEST_DATA. Then prints how
# long addresses of each kind take in a map of a million invented ones; `bench/addresses.sh times [ADDRESSES]` does that alone.
set -euo pipefail
cd "$(dirname "$0")/.."
times() { ${CARGO:-cargo} run --quiet --release --package aerie-geocode --example lookup_times -- "$@"; }
[ "${1:-}" != times ] || { times "${@:2}"; exit; }
: "${AERIE_TEST_DATA:?names the folder of test data}"
export AERIE_ADDRESSES=${1:-all}
${CARGO:-cargo} test --quiet --release --package aerie-geocode --test it -- perturbed:: measurements::nineteen measurements::a_street --include-ignored --nocapture --test-threads 1
times
