#!/usr/bin/env bash
# Measures what city models and point clouds give to a place, through the real binary: `bench/measured.sh DIR`.
#   DIR/citymodels/   city models (CityJSON, CityJSONSeq, CityGML), each imported alone
#   DIR/*/            a place with outlines (*.osm), a point cloud (*.laz), and where there are any: a model of the same houses
#                     (*.city.jsonl) and roofs to compare with (roof_truth_*.json, in the coordinates of the point cloud)
#   DIR/crs.json      coordinate systems of files that name none: {"NAME": "EPSG:N"}
# Prints each limit, and fails if one is missed.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -z "${AERIE_BIN:-}" ]; then
  ${CARGO:-cargo} build --quiet --release --workspace --bins
  AERIE_BIN=$(realpath "${CARGO_TARGET_DIR:-target}")/release/aerie
fi
exec python3 bench/measured.py "$AERIE_BIN" "$@"
