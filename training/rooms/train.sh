#!/usr/bin/env bash
# Renders imagined rooms and houses and trains the segmentation network on them: training/rooms/train.sh [FOLDER]. FOLDER,
# target/training by default, takes about 9 GB. Run it again after an interruption: it continues where it stopped. The weights are written
# to FOLDER/rooms.safetensors. VENV names a virtual environment with PyTorch and BINARY a built aerie-training, if there
# are any.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-target/training}
mkdir -p "$folder/views"
folder=$(cd "$folder" && pwd)
venv=${VENV:-$folder/venv}
if ! "$venv/bin/python" -c 'import torch, numpy' 2>/dev/null; then
  python3 -m venv "$venv"
  # The build for processors is a tenth of the other's size.
  "$venv/bin/pip" install --quiet --requirement training/rooms/requirements.txt --index-url https://download.pytorch.org/whl/cpu \
    --extra-index-url https://pypi.org/simple ||
    "$venv/bin/pip" install --quiet --requirement training/rooms/requirements.txt
fi
python=$venv/bin/python
if [ -z "${BINARY:-}" ]; then
  cargo build --release --package aerie-training
  BINARY=${CARGO_TARGET_DIR:-target}/release/aerie-training
fi
binary=$(realpath "$BINARY")

# 60 files of 50 scenes with 4 views each; 40 % of the scenes are exteriors.
render() {
  trap 'kill "$child" 2>/dev/null; exit 143' TERM
  for chunk in $(seq "$1" "$2"); do
    [ -f "$folder/views/$chunk.views" ] && continue
    nice -n 5 "$binary" render $((10000 + chunk * 50)) 50 "$folder/views/$chunk.views" &
    child=$!
    wait "$child"
  done
}
renderer=
trainer=
stop() { kill $renderer $trainer 2>/dev/null || true; }
trap stop EXIT
trap 'exit 143' INT TERM
# Training starts with the first files. The others are rendered beside it, and the stream takes them in.
render 100 105 &
renderer=$!
wait "$renderer"
RAYON_NUM_THREADS=1 render 106 159 &
renderer=$!

cd training/rooms
grep -q avx512_bf16 /proc/cpuinfo 2>/dev/null && fast=--bfloat16 || fast=
train() {
  "$python" train.py "$binary" "$folder/views" "$@" $fast &
  trainer=$!
  wait "$trainer"
}
start=$folder/start.pt
[ -f "$start" ] || "$python" warm_start.py "$binary" "$folder/views" ../../crates/segmentation/weights/rooms.safetensors "$start"
train "$folder/coarse.pt" --start "$start" --side 128 --rate 0.002 --steps 2000 --seed 1
train "$folder/fine.pt" --start "$folder/coarse.pt" --side 160 --rate 0.0015 --steps 3600 --seed 2
"$python" export.py "$folder/fine.pt" "$folder/rooms.safetensors"
wait "$renderer"
