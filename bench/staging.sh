#!/usr/bin/env bash
# Virtual staging: `bench/staging.sh [PHOTO]` of an empty room; a synthetic one by default. Prints medians of three runs of a draft
# and a final picture of 2 megapixels, and the time of one of 12 (limits: 8, 25 and 120 s on two cores); then the speed of the path
# tracer compared with Blender's Cycles on the CPU with the same scene, if Python has `bpy` (pip install bpy).
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
${CARGO:-cargo} build --quiet --release --package aerie-cli --package aerie-engine --package aerie-sign
${CARGO:-cargo} build --quiet --release --package aerie-staging --example rays --example imagined
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
photo=${1:-}
if [ -z "$photo" ]; then
  "$target/release/examples/imagined" 17 18 "$work" 1732
  photo=$work/i17.jpg
fi
ffmpeg -v error -i "$photo" -vf "scale=1732:-2" -q:v 2 "$work/2.jpg"
ffmpeg -v error -i "$photo" -vf "scale=4243:-2" -q:v 2 "$work/12.jpg"
seconds() {
  local from to
  from=$(date +%s.%N)
  "$target/release/aerie" --data "$work/data" generate virtual-staging "$work/$1.jpg" --room-type living_room --quality "$2" -o "$work/staged.jpg" > /dev/null 2>&1
  to=$(date +%s.%N)
  awk "BEGIN { printf \"%.2f\n\", $to - $from }"
}
median() { sort -n "$1" | sed -n 2p; }
for _ in 1 2 3; do
  seconds 2 draft >> "$work/draft"
  seconds 2 final >> "$work/final"
done
echo "2 megapixels: draft $(median "$work/draft") s, final $(median "$work/final") s (medians of 3); 12 megapixels: final $(seconds 12 final) s"
for _ in 1 2 3; do
  "$target/release/examples/rays" "$work/scene" 16 960 | tee -a "$work/ours"
  if python3 -c "import bpy" 2> /dev/null; then
    python3 bench/staging_peer.py "$work/scene" 2> /dev/null | grep "^cycles" | tee -a "$work/theirs"
  fi
done
of() { sed 's/.*samples: \([0-9.]*\) s.*/\1/' "$1" | sort -n | sed -n 2p; }
if [ -s "$work/theirs" ]; then
  echo "cycles / aerie at equal samples: $(awk "BEGIN { printf \"%.2f\", $(of "$work/theirs") / $(of "$work/ours") }")"
else
  echo "Cycles: not measured; install it with pip install bpy"
fi
