#!/usr/bin/env bash
# Measures random polygons drawn on pictures and altered as drawing tools do, against ground truth; also pictures without a
# boundary, with pins and text, and with open lines; and outlines drawn by a model of a hand, re-hosted, rotated or as screenshots:
# `bench/boundary.sh [POLYGONS]`, 200 by default. Prints each limit and fails if one is missed. AERIE_TEST_DATA adds a real
# orthophoto, AERIE_BOUNDARY_PICTURES a folder of your own JPEGs; those with a ground transform beside them (NAME.jpg and
# NAME.ground.json) are drawn on by hand. AERIE_BOUNDARY_HAND=judging takes another model of the hand, and other seeds, than those
# that the code was tuned on.
set -euo pipefail
cd "$(dirname "$0")/.."
export AERIE_BOUNDARY_CASES=${1:-200}
${CARGO:-cargo} test --quiet --release --package aerie-boundary --test it -- --skip measurements:: --nocapture --test-threads 1
