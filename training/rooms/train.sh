#!/usr/bin/env bash
# Renders imagined rooms and trains the segmentation network on them: training/rooms/train.sh [FOLDER]. FOLDER, target/training by
# default, takes about 11 GB. The weights are written to crates/segmentation/weights/rooms.safetensors.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-target/training}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
if [ ! -x "$folder/venv/bin/python" ]; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install --quiet --requirement training/rooms/requirements.txt
fi
python=$folder/venv/bin/python
cargo build --release --package aerie-training
binary=$(realpath "${CARGO_TARGET_DIR:-target}/release/aerie-training")
[ -f "$folder/views.bin" ] || "$binary" render 1000 3000 "$folder/views.bin"
cd training/rooms
train() { "$python" train.py "$binary" "$folder/views.bin" "$@"; }
train "$folder/coarse.pt" --side 128 --steps 1800 --seed 1
train "$folder/fine.pt" --start "$folder/coarse.pt" --side 160 --rate 0.002 --steps 3600 --seed 2
train "$folder/last.pt" --start "$folder/fine.pt" --side 160 --rate 0.0015 --steps 3200 --seed 3
"$python" export.py "$folder/last.pt" ../../crates/segmentation/weights/rooms.safetensors
