#!/usr/bin/env bash
# Objects per second and peak memory of `aerie import` compared with ogr2ogr (GDAL) on the same .osm.pbf into a GeoPackage,
# alternating, each into a new folder; prints the medians and their ratios, and fails if the ratio of times is under 3.
#
#   bench/import.sh FILE.osm.pbf [RUNS]      (5 runs by default; AERIE_BIN: the binary)
#
# Objects are the points, ways and relations of the file. ogr2ogr builds no addresses, towns or street index.
set -euo pipefail
cd "$(dirname "$0")/.."
aerie=${AERIE_BIN:-target/release/aerie}
file=${1:?names an .osm.pbf file}
runs=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
timed() { # writes "SECONDS PEAK_KIB" of a command
  /usr/bin/time -f '%e %M' -o "$work/time" "${@:2}" >/dev/null 2>"$work/said" || { cat "$work/said"; exit 1; }
  cat "$work/time" >> "$work/$1"
}
for _ in $(seq "$runs"); do
  rm -rf "$work/data"
  timed aerie "$aerie" import --data "$work/data" "$file"
  rm -f "$work/out.gpkg"
  timed ogr2ogr ogr2ogr -f GPKG "$work/out.gpkg" "$file"
done
median() { awk -v field="$2" '{ print $field }' "$work/$1" | sort -n | sed -n "$(((runs + 1) / 2))p"; }
objects=$("$aerie" import --data "$work/data" --json "$file" | jq '.files[0].objects')
for who in aerie ogr2ogr; do
  seconds=$(median $who 1); peak=$(median $who 2)
  printf '%-8s %8.2f s  %10.0f objects/s  %6.0f MiB at most\n' "$who" "$seconds" \
    "$(awk "BEGIN { print $objects / $seconds }")" "$(awk "BEGIN { print $peak / 1024 }")"
done
ratio=$(awk "BEGIN { print $(median ogr2ogr 1) / $(median aerie 1) }")
printf 'ratio    %8.2f times as fast, %.2f of the memory (%s objects, %s runs)\n' "$ratio" \
  "$(awk "BEGIN { print $(median aerie 2) / $(median ogr2ogr 2) }")" "$objects" "$runs"
awk "BEGIN { exit !($ratio >= 3) }" || { echo "under 3 times as fast"; exit 1; }
