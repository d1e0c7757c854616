#!/usr/bin/env bash
# Merging of bracketed exposures: what of windows and shadows is lost before and after, errors of alignment on photographs that are
# moved by known amounts, photos of other scenes, and time and memory. Fails if a limit is missed.
#
#   AERIE_TEST_DATA=... AERIE_BRACKETS=FOLDER bench/brackets.sh
#
# AERIE_BRACKETS: a folder with folders `tuned` and `aside`, and in them a folder for each bracket. Public brackets are in the
# repositories hangxiaotian/Perceptual-Multi-exposure-Image-Fusion and dotafreshman/exposure-fusion.
# OUT: a folder for the results, for a look at them.
set -uo pipefail
cd "$(dirname "$0")/.."
data=${AERIE_TEST_DATA:?names the folder with the photographs}
target=${CARGO_TARGET_DIR:-target}
measures=${MEASURES:-$target/release/examples/bracket_measures}
[ -n "${MEASURES:-}" ] || ${CARGO:-cargo} build --quiet --release --package aerie-photo --example bracket_measures || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
missed=0
# The limit for the share that stays lost in windows, percent.
for set in tuned:3 aside:3; do
  echo "== brackets, ${set%:*}"
  if [ -d "${AERIE_BRACKETS:-}/${set%:*}" ]; then
    "$measures" folders "${OUT:-$work}/${set%:*}" "$AERIE_BRACKETS/${set%:*}"/* | tee "$work/table" || missed=1
    awk -v most="${set#*:}" '/^windows/ { lost = $(NF - 5) } END { exit !(lost != "" && lost <= most) }' "$work/table" || missed=1
  else
    echo "not measured: set AERIE_BRACKETS"
  fi
done
echo "== photographs moved by known amounts"
"$measures" shifts "$data"/photos/{rooms,interiors,exteriors}/*.jpg | tee "$work/shifts" || missed=1
awk '/^median/ { worst = $(NF - 4) } END { exit !(worst != "" && worst <= 0.5) }' "$work/shifts" || missed=1
echo "== other scenes"
"$measures" scenes "$data"/photos/{rooms,interiors,exteriors}/*.jpg | tee "$work/scenes" || missed=1
grep -q ' 0 taken for one scene' "$work/scenes" || missed=1

echo "== 12 and 40 megapixels"
for size in 4096:3072 7744:5160; do
  for i in 1 2 3 4 5 6 7 8 9; do
    ffmpeg -v error -y -i "$data/photos/brackets/mer_OldHouse$((i % 3 + 1)).jpg" -vf "scale=$size:flags=lanczos" -q:v 3 "$work/$i.jpg"
  done
  for count in 3 9; do
    files=("$work"/1.jpg)
    for ((i = 2; i <= count; i++)); do files+=("$work/$i.jpg"); done
    if [ -x /usr/bin/time ]; then
      /usr/bin/time -f '%M' "$measures" time "${files[@]}" 2> "$work/memory"
      awk '{ printf "peak memory: %.0f MiB\n", $1 / 1024 }' "$work/memory"
    else
      "$measures" time "${files[@]}"
    fi
  done
done
[ $missed = 0 ] && echo "all limits met" || echo "a limit is MISSED"
exit $missed
