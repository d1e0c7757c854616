#!/usr/bin/env bash
# Quality of enhancement: color casts, leaning lines, clipping, skies; then time and memory for 12 megapixels compared with libvips
# (decode, resize, encode), ImageMagick's auto-level and darktable-cli, interleaved, medians of five. Fails if a limit is missed.
#
#   AERIE_TEST_DATA=... bench/photo_enhance.sh [FOLDER...]     folders with more photographs of houses and rooms
#
# AERIE_HOUSES: the photographs of the repository emanhamed/Houses-dataset; bench/sky_labels.json labels their skies.
# AERIE_PHOTOS: a folder OWNER/NAME/PATH with the photographs of bench/photos.json; bench/skyline_labels*.json label skies above hills.
# AERIE_ROOMS: a folder of photographs of rooms, in which no sky may be detected.
set -uo pipefail
cd "$(dirname "$0")/.."
data=${AERIE_TEST_DATA:?names the folder with the photographs}
target=${CARGO_TARGET_DIR:-target}
${CARGO:-cargo} build --quiet --release --package aerie-photo --examples || exit 1
measures=$target/release/examples/photo_measures skies=$target/release/examples/sky_measures
pairs=$target/release/examples/photo_pairs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missed=0
photos=("$data"/photos/{rooms,interiors,exteriors,brackets} "$@")
for measure in casts upright clipping; do
  echo "== $measure"
  "$measures" "$measure" "${photos[@]}" || missed=1
done
echo "== photos turned by known angles"
"$target/release/examples/turned_photos" "$data"/photos/{rooms,interiors,exteriors}/*.jpg || missed=1
echo "== texture and noise"
"$target/release/examples/noise_measures" "$data"/photos/{rooms,interiors,exteriors}/*.jpg
echo "== skies, labeled"
if [ -n "${AERIE_HOUSES:-}" ]; then
  "$skies" labels bench/sky_labels.json "$AERIE_HOUSES" || missed=1
else
  echo "not measured: set AERIE_HOUSES"
fi
echo "== skies above hills and the sea, labeled; then those that nothing was tuned on"
if [ -n "${AERIE_PHOTOS:-}" ]; then
  for labels in bench/skyline_labels.json bench/skyline_labels_aside.json; do
    "$skies" labels "$labels" "$AERIE_PHOTOS" || missed=1
  done
else
  echo "not measured: set AERIE_PHOTOS"
fi
echo "== skies, in rooms"; "$skies" indoors "$data"/photos/{rooms,interiors} ${AERIE_ROOMS:+"$AERIE_ROOMS"} || missed=1

echo "== 12 megapixels"
ffmpeg -v error -y -i "$data"/photos/interiors/darwin_hero-interior_pexels.jpg -vf scale=4096:3072:flags=lanczos -q:v 2 "$work/in.jpg"
seconds() { local start end; start=$(date +%s.%N); "$@" >/dev/null 2>&1; end=$(date +%s.%N); awk "BEGIN { print $end - $start }"; }
median() { sort -n "$1" | sed -n 3p; }
ours() { "$pairs" "$work/out$1" natural "$work/in.jpg"; }
two() { ours 1 & ours 2 & wait; }
# One unmeasured run, to warm the caches.
seconds ours 0 > /dev/null
for run in 1 2 3 4 5; do
  seconds ours 0 >> "$work/ours"
  if command -v vips >/dev/null; then seconds vips resize "$work/in.jpg" "$work/vips.jpg[Q=92]" 0.999 >> "$work/vips"; fi
  if command -v convert >/dev/null; then seconds convert "$work/in.jpg" -auto-level -quality 92 "$work/im.jpg" >> "$work/im"; fi
  if command -v darktable-cli >/dev/null; then
    rm -f "$work/dt.jpg"
    seconds darktable-cli "$work/in.jpg" "$work/dt.jpg" --core --configdir "$work/dt" --library :memory: >> "$work/dark"
  fi
  seconds two >> "$work/two"
done
one=$(median "$work/ours")
printf 'enhanced: %.2f s; two at once: %.2f s\n' "$one" "$(median "$work/two")"
for peer in "vips libvips:decode,resize,encode 3" "im ImageMagick:auto-level 0" "dark darktable-cli 0"; do
  read -r file name bar <<< "$peer"
  [ -s "$work/$file" ] || { echo "$name: not installed"; continue; }
  awk -v a="$one" -v b="$(median "$work/$file")" -v n="$name" -v bar="$bar" 'BEGIN {
    printf "%s: %.2f s; ratio %.2f%s\n", n, b, a / b, (bar > 0 ? " (limit " bar ")" : ""); exit (bar > 0 && a / b > bar) }' || missed=1
done
if [ -x /usr/bin/time ]; then
  /usr/bin/time -f '%M' "$pairs" "$work/out3" natural "$work/in.jpg" 2> "$work/memory" > /dev/null
  awk '{ printf "peak memory: %.0f MiB\n", $1 / 1024 }' "$work/memory"
fi
[ $missed = 0 ] && echo "all limits met" || echo "a limit is MISSED"
exit $missed
