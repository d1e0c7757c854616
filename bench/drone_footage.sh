#!/usr/bin/env bash
# Time of a ten-second flight compared with a plain x264 encode of the same frames, alternating, three times; prints the medians
# and their ratio.
#
#   bench/drone_footage.sh [ADDRESS]     (AERIE_DATA: data folder; default: the sample town)
set -euo pipefail
cd "$(dirname "$0")/.."
aerie=${AERIE_BIN:-target/release/aerie}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
data=${AERIE_DATA:-$work/data}
address=${1:-12 Larkspur Lane, 10001 Featherstone Vale}
seconds() { local start end; start=$(date +%s.%N); "$@" >/dev/null 2>&1; end=$(date +%s.%N); awk "BEGIN { print $end - $start }"; }
median() { sort -n "$1" | sed -n 2p; }
"$aerie" geocode --data "$data" "$address" >/dev/null
for run in 1 2 3; do
  seconds "$aerie" generate drone-footage --data "$data" --address "$address" -o "$work/film.mp4" >> "$work/film"
  [ -f "$work/frames.nv12" ] || ffmpeg -v error -i "$work/film.mp4" -f rawvideo -pix_fmt nv12 "$work/frames.nv12"
  seconds ffmpeg -v error -nostdin -y -f rawvideo -pix_fmt nv12 -video_size 1920x1080 -framerate 30 -i "$work/frames.nv12" \
    -c:v libx264 -profile:v high -preset veryfast -crf 20 -pix_fmt yuv420p -g 60 "$work/bare.mp4" >> "$work/bare"
done
film=$(median "$work/film"); bare=$(median "$work/bare")
printf 'flight, 300 frames: %.1f s (runs:%s)\n' "$film" "$(tr '\n' ' ' < "$work/film" | sed 's/\([0-9]*\.[0-9]\)[0-9]*/ \1/g')"
printf 'plain x264 encode:  %.1f s (runs:%s)\n' "$bare" "$(tr '\n' ' ' < "$work/bare" | sed 's/\([0-9]*\.[0-9]\)[0-9]*/ \1/g')"
printf 'ratio:              %.2f\n' "$(awk "BEGIN { print $film / $bare }")"
