#!/usr/bin/env bash
# Where a boundary is drawn in every frame of three flights, against an independent projection; what buildings hide of it;
# and that nothing else of the picture changes: `bench/marking.sh [STEP]`, every frame by default. Fails where a corner lies 2
# pixels off or a hidden point shows.
set -euo pipefail
cd "$(dirname "$0")/.."
export AERIE_MARKING_STEP=${1:-1} XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp}
${CARGO:-cargo} test --workspace --test marking -- --nocapture a_boundary_lies_on_the_ground
