#!/usr/bin/env bash
# Compares the drawn boundary in every frame of three flights with an independent projection, checks that buildings hide it, and
# that nothing else in the picture changes: `bench/marking.sh [STEP]`, every frame by default. Fails if a corner is off by 2 pixels
# or a hidden point shows.
set -euo pipefail
cd "$(dirname "$0")/.."
export AERIE_MARKING_STEP=${1:-1} XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp}
${CARGO:-cargo} test --package aerie-scenery --test it -- --nocapture marking::a_boundary_lies_on_the_ground
