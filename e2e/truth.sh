#!/usr/bin/env bash
# Opens a truth page in Chromium, with and without scripts: axe, widths, the slider, a tampered file, and an address that was revoked.
# AERIE_BIN is the binary, VENV the Python environment with npm (the Makefile makes both), CHROMIUM the browser.
#
# SCREENSHOTS, a folder, gets pictures of the page.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if [ -n "${VENV:-}" ]; then export PATH=$VENV/bin:$PATH; fi
# shellcheck source=e2e/serving.sh
. "$here/serving.sh"

export CHROMIUM=${CHROMIUM:-chromium}
command -v "$CHROMIUM" > /dev/null || { echo "the truth page is tested in Chromium: install it, or set CHROMIUM"; exit 1; }
cp "$here"/truth/package*.json "$here"/truth/*.mjs "$folder/"
(cd "$folder" && npm ci --silent --no-audit --no-fund --ignore-scripts)

organization "Acme Homes"
"$aerie" admin org set "$org" --disclosure-profile california-ab-723 --data "$folder/data" > /dev/null
serve --workers 1
ffmpeg -v error -f lavfi -i "gradients=size=1280x960:seed=1:c0=0x181c20:c1=0x4a443c:c2=0x2a2c30,format=yuv420p,noise=c0s=3:all_seed=1" -frames:v 1 -q:v 2 "$folder/photo.jpg"
(cd "$folder" && AERIE_URL=$url AERIE_KEY=$key PHOTO=$folder/photo.jpg MEDIA=$folder/data/media node flow.mjs)
echo "truth page: with and without scripts"
