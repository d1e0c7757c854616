#!/usr/bin/env bash
# What the console costs: time to its first paint and what it loads, in Chromium; and memory of the server with 50 open consoles. Prints
# figures; nothing is judged.
#
#   AERIE_BIN=target/release/aerie VENV=target/venv bench/console.sh
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
if [ -n "${VENV:-}" ]; then PATH=$(cd "$VENV" && pwd)/bin:$PATH; export PATH; fi
# shellcheck source=e2e/serving.sh
. "$here/e2e/serving.sh"
cp "$here"/console/package*.json "$here/bench/console.mjs" "$folder/"
(cd "$folder" && npm ci --silent --no-audit --no-fund --ignore-scripts)
keys=()
for name in Acme Bayview Cedar Dune Elm; do
  organization "$name Homes"
  keys+=("$key")
done
# All of the consoles are opened from one address.
printf '[limiter]\nbad_keys_per_minute = 1000\n' > "$folder/aerie.toml"
serve --config "$folder/aerie.toml"
export AERIE_URL=$url KEYS="${keys[*]}" SERVER=$server
(cd "$folder" && node console.mjs)
