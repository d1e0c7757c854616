#!/usr/bin/env bash
# Shuffled pairs for a blind comparison: `bench/blind_pairs.sh OUT SEED PRESET PHOTO...`. Writes OUT/pair-NNN.png, original and
# enhanced side by side at the same height, in an order drawn from SEED. The key (pair, side of the enhanced one, photo) goes to
# OUT.key, outside the folder, so that the folder can be handed over.
#
# PEER=COMMAND replaces the original by the output of COMMAND IN OUT.
set -euo pipefail
out=${1:?a folder to write} seed=${2:?a number} preset=${3:?a preset}
shift 3
root=$(cd "$(dirname "$0")/.." && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
pairs=$target/release/examples/photo_pairs
[ -x "$pairs" ] || (cd "$root" && ${CARGO:-cargo} build --quiet --release --package aerie-photo --example photo_pairs)
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: > "$out.key"
RANDOM=$seed
number=0
for photo in "$@"; do
  number=$((number + 1))
  name=$(basename "${photo%.*}")
  "$pairs" "$work" "$preset" "$photo" > /dev/null
  other=$photo
  if [ -n "${PEER:-}" ]; then other=$work/peer.png; $PEER "$photo" "$other"; fi
  if ((RANDOM % 2)); then side=left a=$work/$name.jpg b=$other; else side=right a=$other b=$work/$name.jpg; fi
  pair=$(printf '%03d' "$number")
  ffmpeg -nostdin -v error -y -i "$a" -i "$b" -filter_complex \
    '[0]scale=-2:720:flags=lanczos,pad=iw+8:ih[a];[1]scale=-2:720:flags=lanczos[b];[a][b]hstack' -frames:v 1 "$out/pair-$pair.png"
  printf '%s\t%s\t%s\n' "$pair" "$side" "$photo" >> "$out.key"
done
echo "$number pairs in $out, their key in $out.key"
