#!/usr/bin/env bash
# People's way through the consoles of clients and operators, in Chromium, against a server of its own: from a folder of photos to a ZIP file, then
# each of the other tests in e2e/console/, or only those that are named.
#   e2e/console.sh [NAME...]     for example: e2e/console.sh boundary
# AERIE_BIN is the binary, VENV the Python environment with npm (the Makefile makes both), CHROMIUM the browser.
#
# SCREENSHOTS, a folder, gets a picture of each screen.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
if [ -n "${VENV:-}" ]; then export PATH=$VENV/bin:$PATH; fi
# shellcheck source=e2e/serving.sh
. "$here/e2e/serving.sh"

export CHROMIUM=${CHROMIUM:-chromium}
command -v "$CHROMIUM" > /dev/null || { echo "the console is tested in Chromium: install it, or set CHROMIUM"; exit 1; }
cp "$here"/console/package*.json "$here"/e2e/console/*.mjs "$folder/"
(cd "$folder" && npm ci --silent --no-audit --no-fund --ignore-scripts)

# An empty room, another one, and pictures that show nothing. The browser must be able to leave and come back while they are sent.
mkdir "$folder/12 Larkspur Lane"
photos="$folder/12 Larkspur Lane"
rooms=${ROOMS:-$(dirname "$aerie")/examples/rooms}
"$rooms" "$photos" 5 2 2> /dev/null
mv "$photos/room_0005.jpg" "$photos/01_living-room_empty.jpg"
mv "$photos/room_0006.jpg" "$photos/02_bedroom.jpg"
for number in 3 4 5 6; do
  ffmpeg -v error -f lavfi -i "gradients=size=1600x1200:seed=$number,noise=alls=40:all_seed=$number" -frames:v 1 -q:v 2 "$photos/0$number.jpg"
done
echo "no photo" > "$folder/notes.gif"

printf '[admin]\nlisten = "127.0.0.1:0"\n' > "$folder/aerie.toml"
serve --config "$folder/aerie.toml"
admin=$(sed -n 's/.*admin=\(127\.0\.0\.1:[0-9]*\).*/\1/p' "$folder/server.log")
[ -n "$admin" ] || { echo "the log does not name the admin listener"; exit 1; }
export AERIE_URL=$url PHOTOS=$photos NOT_A_PHOTO=$folder/notes.gif DOWNLOADS=$folder
export AERIE_BIN DATA=$folder/data AERIE_ADMIN_URL=http://$admin
flow() {
  (cd "$folder" && node flow.mjs)
  python3 -m zipfile -l "$folder/listing.zip" > "$folder/listed"
  [ "$(grep -c 'enhanced\.jpg' "$folder/listed")" = 6 ] && grep -q 'living-room-staged\.jpg\|living_room-staged\.jpg' "$folder/listed" && grep -q media.json "$folder/listed" \
    || { cat "$folder/listed"; exit 1; }
  echo "console: from a folder to a ZIP file"
}

tests=("$@")
if [ $# = 0 ]; then
  for file in "$here"/e2e/console/*.mjs; do
    name=$(basename "$file" .mjs)
    [ "$name" = harness ] || [ "$name" = flow ] || tests+=("$name")
  done
  tests=(flow "${tests[@]}")
fi
for name in "${tests[@]}"; do
  # Each in an organization of its own: the first ends with a key that is revoked.
  organization "Acme Homes"
  export AERIE_KEY=$key
  if [ "$name" = flow ]; then flow; else (cd "$folder" && node "$name.mjs"); echo "console: $name"; fi
done
