#!/usr/bin/env bash
# Measures random polygons drawn on pictures and altered as drawing tools do, against ground truth; also pictures without a
# boundary, with pins and text, and with open lines: `bench/boundary.sh [POLYGONS]`, 200 by default. Prints each limit and fails if
# one is missed. AERIE_TEST_DATA adds a real orthophoto, AERIE_BOUNDARY_PICTURES a folder of your own JPEGs.
set -euo pipefail
cd "$(dirname "$0")/.."
export AERIE_BOUNDARY_CASES=${1:-200}
${CARGO:-cargo} test --quiet --release --package aerie-boundary --test campaign -- --nocapture --test-threads 1
