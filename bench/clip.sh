#!/usr/bin/env bash
# Clips from one photo: `bench/clip.sh [PHOTO...]`, a synthetic one by default. Prints how close the last frame of clips is to what
# a camera would have seen, compared with a Ken Burns move; then, for three interleaved runs, seconds for a 5 s clip at 1920 pixels
# compared with ffmpeg's zoompan on the same photo, and the smoothness of both; and for a 3 s clip of each further photo its
# smoothness and how close its first frame is to the photo; and how far every photo's clips move in the picture, for several prompts, and
# how straight its lines stay. Limits: 28 dB at the far end, 40 dB in the first frame, 25 s on two cores, no step over 4 times the median,
# in rooms 5 % of the width and 3 % of parallax, and straight lines straight to a pixel.
set -euo pipefail
cd "$(dirname "$0")/.."
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-/tmp}
target=${CARGO_TARGET_DIR:-target}
${CARGO:-cargo} build --quiet --release --package aerie-cli --package aerie-engine --package aerie-sign
${CARGO:-cargo} build --quiet --release --package aerie-clip --example second_views --example straightness
${CARGO:-cargo} build --quiet --release --package aerie-engines --example jitter --example own_frame --example clip_motion
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$target/release/examples/second_views" 24 | tail -1
photo=${1:-}
if [ -z "$photo" ]; then
  photo=$work/photo.png
  ffmpeg -v error -f lavfi -i mandelbrot=s=2400x1600:end_pts=3 -frames:v 1 "$photo"
fi
seconds() { local from to; from=$(date +%s.%N); "$@" > /dev/null 2>&1; to=$(date +%s.%N); awk "BEGIN { print $to - $from }"; }
ours() { "$target/release/aerie" --data "$work/data" generate video-clip "$photo" --prompt "slow push in" -o "$work/clip.mp4"; }
# The same length, size, rate and encoder settings; 12 % closer at the end, like a slow push in.
zoompan() {
  ffmpeg -v error -y -i "$photo" -vf "scale=1920:-2,zoompan=z='1+0.12*on/149':x='iw/2-iw/zoom/2':y='ih/2-ih/zoom/2':d=150:s=$size:fps=30" \
    -c:v libx264 -preset veryfast -crf 16 -pix_fmt yuv420p "$work/zoompan.mp4"
}
ours > /dev/null 2>&1
size=$(ffprobe -v error -select_streams v -show_entries stream=width,height -of csv=p=0:s=x "$work/clip.mp4")
for _ in 1 2 3; do
  seconds ours >> "$work/ours"
  seconds zoompan >> "$work/zoompan"
done
median() { sort -n "$1" | sed -n 2p; }
echo "clip $size, 5 s: $(median "$work/ours") s median; zoompan: $(median "$work/zoompan") s; ratio $(awk "BEGIN { printf \"%.2f\", $(median "$work/ours") / $(median "$work/zoompan") }")"
"$target/release/examples/jitter" "$work/clip.mp4" "$work/zoompan.mp4" | sed "s|$work/||"
for photo in "${@:2}"; do
  name=$(basename "${photo%.*}")
  "$target/release/aerie" --data "$work/data" generate video-clip "$photo" --prompt "orbit right, then push in" --creativity-level high \
    --duration 3 --resolution 720p -o "$work/$name.mp4" > /dev/null 2>&1
  "$target/release/examples/jitter" "$work/$name.mp4" | sed "s|$work/||"
  "$target/release/examples/own_frame" "$photo" "$work/$name.mp4" | sed "s|^|$name: |"
  rm "$work/$name.mp4"
done
"$target/release/examples/clip_motion" "push in; slide right; pan left; rise; orbit right; pull out" "${@:-$photo}"
"$target/release/examples/clip_motion" --last "pull out" "${@:-$photo}"
"$target/release/examples/straightness" "orbit right; slide left; rise" "${@:-$photo}"
