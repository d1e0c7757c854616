#!/usr/bin/env bash
# Measures a checkpoint, or exported weights, on real photos: training/rooms/measure.sh CHECKPOINT PHOTOS.json TREE OUT [aside].
# See crates/training/examples/network_measures.rs. PHOTOS.json may be bench/rooms.json. VENV is that of train.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
: "${4:?CHECKPOINT PHOTOS.json TREE OUT}"
weights=$1
mkdir -p "$4"
case $1 in
*.safetensors) ;;
*)
  weights=$4/weights.safetensors
  "${VENV:-target/training/venv}/bin/python" training/rooms/export.py "$1" "$weights"
  ;;
esac
shift
cargo run --quiet --release --package aerie-training --example network_measures -- "$weights" "$@" | tee "$3/report.txt"
