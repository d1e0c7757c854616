#!/usr/bin/env bash
# Time per frame of a flight compared with three.js in headless Chromium on the same machine: the same scene, cameras and size
# (1920x1080), no GPU, twelve frames, medians, without encoding. Prints the ratio.
#
#   bench/flight_peer.sh [DIRECTION]
#
# Also one frame with Blender's Cycles on the CPU, if Python has `bpy` (pip install bpy).
#
# Needs node, npm and Chromium (set CHROMIUM; default /usr/bin/chromium). three.js is installed from npm into a temporary folder.
# AERIE_BUILT is a folder with prebuilt `examples/stills` and `examples/flight_for_peers`.
set -euo pipefail
cd "$(dirname "$0")/.."
built=${AERIE_BUILT:-${CARGO_TARGET_DIR:-target}/release}
[ -n "${AERIE_BUILT:-}" ] || cargo build --release --workspace --example stills --example flight_for_peers
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
direction=${1:-original}
address="12 Larkspur Lane, 10001 Featherstone Vale"
frames=(0 27 54 81 108 135 162 189 216 243 270 297)
npm install --silent --no-audit --no-fund --prefix "$work" three@0.180 puppeteer-core@24 esbuild@0.25 > /dev/null
"$built/examples/flight_for_peers" "$work/data" "$address" "$direction" "$work/scene" "${frames[@]}"
peer=$(node bench/flight_peer.mjs "$work/scene" "$work/node_modules")
# The same frames twice: above twenty, stills writes no pictures, and so measures only rendering.
ours=$("$built/examples/stills" "$work/data" "$address" "$direction" "$work/still" "${frames[@]}" "${frames[@]}" |
  sed -n 's/^\([0-9]*\) ms a frame.*/\1/p')
[ -z "${KEEP:-}" ] || cp "$work/scene/peer.png" "$KEEP"
awk -v ours="$ours" -v peer="$peer" 'BEGIN { printf "a frame: %d ms, three.js in Chromium %d ms, ratio %.1f\n", ours, peer, peer / ours }'
if python3 -c "import bpy" 2> /dev/null; then
  blender=$(python3 -W ignore bench/flight_peer_blender.py "$work/scene" | sed -n 's/^blender.*: \([0-9]*\) ms/\1/p')
  awk -v ours="$ours" -v peer="$blender" 'BEGIN { printf "Blender (Cycles, 8 samples, denoised) %d ms, ratio %.0f\n", peer, peer / ours }'
else
  echo "Blender: not measured; install it with pip install bpy"
fi
