#!/usr/bin/env bash
# Makes the pictures of style cards in the staging studio, console/public/styles: one photo of an empty living room in each style.
#   console/styles.sh PHOTO [X:Y]      X:Y: corner of the part that is shown, 234 x 156 pixels
# AERIE_BIN is the binary. The committed ones show a room of the example `rooms` (crates/synthetic): no photo of others.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
photo=$1
corner=${2:-104:164}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for style in modern contemporary minimalist scandinavian japandi midcentury industrial traditional transitional farmhouse coastal boho \
  "art deco" luxury; do
  "${AERIE_BIN:?the binary}" generate virtual-staging "$photo" --room-type living_room --style-prompt "$style" -o "$folder/staged.jpg"
  ffmpeg -v error -y -i "$folder/staged.jpg" -vf "crop=234:156:$corner,eq=gamma=1.4:contrast=1.1:saturation=1.15:brightness=0.02" \
    -c:v libwebp -quality 62 "$here/public/styles/${style/ /-}.webp"
done
