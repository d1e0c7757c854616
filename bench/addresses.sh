#!/usr/bin/env bash
# Real addresses asked for as people write them (order, case, accents, abbreviations, slips of the pen, ranges, letters, parts
# left out), and addresses of streets taken off the map, which must not be found: `bench/addresses.sh [ADDRESSES]`, of each
# extract, all by default. Prints the counts by kind and fails under 95 % of a kind or at one wrong house. The extracts are
# those of AERIE_TEST_DATA.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${AERIE_TEST_DATA:?names the folder of test data}"
export AERIE_ADDRESSES=${1:-all}
${CARGO:-cargo} test --quiet --release --package aerie-geodata --test perturbed -- --nocapture --test-threads 1
