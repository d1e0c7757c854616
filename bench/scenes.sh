#!/usr/bin/env bash
# Measures how often photos are told right as indoors, outdoors or neither: `bench/scenes.sh PHOTOS [fit]`. PHOTOS holds the photos of
# bench/photos.json as OWNER/NAME/PATH, for example as clones of the repositories named there; those that are missing are left out.
# Prints those that are wrong, and the confusion of photos used for tuning and of those kept aside. With `fit` it then fits the weights
# of crates/photo/src/setting.rs to the photos used for tuning, by logistic regression, and prints them.
set -euo pipefail
cd "$(dirname "$0")/.."
photos=${1:?names the folder of photos}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { ${CARGO:-cargo} run --quiet --release --package aerie-photo --example scene_settings -- "$@"; }
run measure bench/photos.json "$photos" "$work/cues"
run report bench/photos.json "$work/cues"
if [ "${2:-}" = fit ]; then run fit bench/photos.json "$work/cues"; fi
