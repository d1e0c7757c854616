#!/usr/bin/env bash
# Random polygons drawn on pictures, sent through what drawing tools do to them, and measured against the truth; pictures
# with nothing, with pins and text, and with open lines: `bench/boundary.sh [POLYGONS]`, 200 by default. Prints each bar and
# fails where one is missed. AERIE_TEST_DATA adds a real orthophoto, AERIE_BOUNDARY_PICTURES a folder of JPEGs of your own.
set -euo pipefail
cd "$(dirname "$0")/.."
export AERIE_BOUNDARY_CASES=${1:-200}
${CARGO:-cargo} test --quiet --release --package aerie-boundary --test campaign -- --nocapture --test-threads 1
