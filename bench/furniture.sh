#!/usr/bin/env bash
# Renders an operator's models beside Blender's Cycles: `bench/furniture.sh CATALOG OUT`. Needs python3 with the packages bpy and pillow
# (PYTHON names it). Prints the mean difference of each pair where the model is seen, and the times; OUT gets the pictures side by side.
set -euo pipefail
cd "$(dirname "$0")/.."
catalog=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
python=${PYTHON:-python3}
cargo run --quiet --release --package aerie-staging --example pieces -- "$out" --models "$catalog" "" --front
for described in "$out"/*.json; do
  name=$(basename "$described" .json)
  begun=$(date +%s.%N)
  # Blender as a module may crash as it exits, after the picture is written.
  "$python" bench/furniture_peer.py "$described" "$catalog/$name.glb" "$out/$name.cycles.png" > "$out/$name.log" 2>&1 || true
  [ -s "$out/$name.cycles.png" ] || { echo "$name: Cycles made no picture, see $out/$name.log"; continue; }
  "$python" - "$out/$name" "$(echo "$(date +%s.%N) - $begun" | bc)" << 'PY'
import json, sys
from PIL import Image, ImageChops
name, seconds = sys.argv[1], float(sys.argv[2])
ours, theirs = (Image.open(name + end).convert("RGB") for end in (".png", ".cycles.png"))
side = Image.new("RGB", (2 * ours.width, ours.height))
side.paste(ours, (0, 0))
side.paste(theirs, (ours.width, 0))
side.save(name + ".both.png")
pixels = [(a, b) for a, b in zip(ours.getdata(), theirs.getdata()) if max(abs(a[c] - ours.getpixel((0, 0))[c]) for c in range(3)) > 30]
level = lambda p: sum(p) / 3
bias = sum(level(a) - level(b) for a, b in pixels) / max(len(pixels), 1)
apart = sum(abs(x - y) for a, b in pixels for x, y in zip(a, b)) / max(3 * len(pixels), 1)
own = json.load(open(name + ".json"))["seconds"]
print(f"{name.split('/')[-1]}: apart {apart:.1f} of 255, brighter by {bias:+.1f}; {own:.1f} s, Cycles {seconds:.1f} s with its start")
PY
done
