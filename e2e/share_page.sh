#!/usr/bin/env bash
# Opens the web page of a share link in Chromium without JavaScript: approves, rejects and comments. Checks it with axe, too.
# AERIE_BIN is the binary, VENV the Python environment with playwright and axe (the Makefile makes it), CHROMIUM the browser.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v google-chrome)}
# shellcheck source=e2e/serving.sh
. "$here/serving.sh"

organization Sharing
serve --workers 1
ffmpeg -v error -f lavfi -i "gradients=size=1280x960:seed=1" -frames:v 1 "$folder/photo.jpg"
AERIE_URL=$url AERIE_KEY=$key "${VENV:?the Python environment}/bin/python3" "$here/share_page.py" "$folder/photo.jpg"
