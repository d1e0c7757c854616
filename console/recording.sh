#!/usr/bin/env bash
# Records a session in the console, docs/images/console.gif, in Chromium on the sample data. Waiting is cut.
#   AERIE_BIN=target/release/aerie VENV=target/venv console/recording.sh
# ROOMS is the example `rooms` of crates/synthetic, beside the binary unless set.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
if [ -n "${VENV:-}" ]; then PATH=$(cd "$VENV" && pwd)/bin:$PATH; export PATH; fi
# shellcheck source=e2e/serving.sh
. "$here/e2e/serving.sh"
cp "$here"/console/package*.json "$here/console/recording.mjs" "$folder/"
(cd "$folder" && npm ci --silent --no-audit --no-fund --ignore-scripts)
photos="$folder/12 Larkspur Lane"
mkdir "$photos" "$folder/frames"
rooms=${ROOMS:-$(dirname "$aerie")/examples/rooms}
"$rooms" "$photos" 5 6 2> /dev/null
number=0
for name in living-room_empty bedroom_empty kitchen office_empty dining-room hall; do
  mv "$photos/room_$(printf %04d $((5 + number))).jpg" "$photos/0$((number + 1))_$name.jpg"
  number=$((number + 1))
done
rm -f "$photos"/room_*
organization "Acme Homes"
serve
export AERIE_URL=$url AERIE_KEY=$key PHOTOS=$photos FRAMES=$folder/frames
(cd "$folder" && node recording.mjs)
ffmpeg -v error -y -f concat -i "$folder/frames/list.txt" -vf \
  "fps=8,scale=800:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=160:stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle" \
  "$here/docs/images/console.gif"
ls -l "$here/docs/images/console.gif"
