#!/usr/bin/env bash
# Accuracy of room detection: `bench/room_geometry.sh [ROOMS]`. Floors, cameras and time compared with the ground truth of synthetic
# rooms; if AERIE_LINE_SETS is a folder with checkouts of fkluger/yud_plus and fkluger/nyu_vp as `yud_plus` and `nyu_vp`, also
# vanishing points compared with their labels. Prints each limit and fails if one is missed.
set -euo pipefail
cd "$(dirname "$0")/.."
rooms=${1:-100}
target=${CARGO_TARGET_DIR:-target}
${CARGO:-cargo} build --quiet --release --package aerie-synthetic --example room_geometry
${CARGO:-cargo} build --quiet --release --package aerie-photo --example line_sets
results=$(mktemp)
trap 'rm -f "$results"' EXIT
"$target/release/examples/room_geometry" "$rooms" | tee "$results"
if [ -n "${AERIE_LINE_SETS:-}" ]; then
  "$target/release/examples/line_sets" "$AERIE_LINE_SETS/yud_plus/data" "$AERIE_LINE_SETS/nyu_vp/data" | tee -a "$results"
else
  echo "skipped: set AERIE_LINE_SETS to a folder of line sets" >&2
fi

missed=0
# Finds a number in the line that contains a text, and compares it with a limit.
bar() {
  local name=$1 line=$2 field=$3 relation=$4 limit=$5 value
  value=$(grep -F "$line" "$results" | grep -oP "\"$field\":\K[-0-9.eNa]+" || true)
  [ -n "$value" ] || return 0
  if awk -v v="$value" -v l="$limit" "BEGIN { exit !(v $relation l) }"; then
    echo "met     $name: $value (limit $relation $limit)"
  else
    echo "MISSED  $name: $value (limit $relation $limit)"
    missed=1
  fi
}
bar "floor IoU, median of accepted boxes" '"rooms":"boxes"' floor_median '>=' 0.92
bar "floor IoU, median of accepted L-shapes" '"rooms":"l_shapes"' floor_median '>=' 0.92
bar "floor IoU, median of accepted rooms with jogs" '"rooms":"jogs"' floor_median '>=' 0.92
bar "floor IoU, median of accepted furnished rooms" '"rooms":"cluttered"' floor_median '>=' 0.92
bar "vertical, median degrees" '"rooms":"boxes"' vertical_median '<=' 1.2
bar "seconds a photo, median" '"rooms":"boxes"' seconds_median '<=' 1
for known in false true; do
  bar "YUD+ AUC@10 to the oracle's, focal known $known" "\"YUD+\",\"focal_known\":$known" ratio '>=' 0.95
  bar "YUD+ vertical, median degrees, focal known $known" "\"YUD+\",\"focal_known\":$known" vertical_median '<=' 1.2
  bar "NYU-VP AUC@10 to the oracle's, focal known $known" "\"NYU-VP\",\"focal_known\":$known" ratio '>=' 0.93
  bar "NYU-VP vertical, median degrees, focal known $known" "\"NYU-VP\",\"focal_known\":$known" vertical_median '<=' 1.2
done
exit $missed
