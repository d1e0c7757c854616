#!/usr/bin/env bash
# Time and size of Content Credentials: in a photo of 12 megapixels with its original, in pictures of each format, and in a video of 10 s.
# For the photo also what a thumbnail of the original, or the whole original, would cost as part of the ingredient. Prints figures; nothing
# is judged.
#
#   AERIE_TEST_DATA=... bench/credentials.sh
set -euo pipefail
cd "$(dirname "$0")/.."
data=${AERIE_TEST_DATA:?names the folder with the photographs}
target=${CARGO_TARGET_DIR:-target}
${CARGO:-cargo} build --quiet --release --package aerie-sign --examples
cost=$target/release/examples/cost
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ffmpeg -v error -y -i "$data"/photos/interiors/darwin_hero-interior_pexels.jpg -vf scale=4096:3072:flags=lanczos -q:v 2 "$work/photo.jpg"
ffmpeg -v error -y -i "$work/photo.jpg" "$work/photo.png"
ffmpeg -v error -y -i "$work/photo.jpg" -c:v libwebp -quality 90 "$work/photo.webp"
ffmpeg -v error -y -loop 1 -i "$work/photo.jpg" -t 10 -r 30 -vf "zoompan=z='1+on/900':d=300:s=1920x1080:fps=30" -frames:v 300 \
  -c:v libx264 -pix_fmt yuv420p -movflags +faststart "$work/film.mp4"
for file in photo.jpg photo.png photo.webp film.mp4; do
  echo "== $file, $(stat -c %s "$work/$file") bytes"
  if [ $file = photo.jpg ]; then "$cost" "$work/$file" "$work/photo.jpg"; else "$cost" "$work/$file"; fi
done
