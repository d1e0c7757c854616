#!/usr/bin/env bash
# Compares the pinned digests of the Dockerfile and of compose.yaml with the current digests of their tags. Exit status 1 if
# one differs. With --update, writes the current ones. Needs docker with buildx.
set -euo pipefail
cd "$(dirname "$0")"
update=${1:-} changed=0
for pinned in $(grep -ohE '[a-z0-9./-]+:[a-z0-9.-]+@sha256:[0-9a-f]{64}' Dockerfile compose.yaml | sort -u); do
  tag=${pinned%@*}
  current=$tag@$(docker buildx imagetools inspect "$tag" --format '{{.Manifest.Digest}}')
  if [ "$current" = "$pinned" ]; then
    echo "$tag: current"
  elif [ "$update" = --update ]; then
    sed -i "s|$pinned|$current|" Dockerfile compose.yaml
    echo "$tag: ${pinned#*@} -> ${current#*@}"
  else
    echo "$tag: ${pinned#*@}, current ${current#*@}"
    changed=1
  fi
done
exit "$changed"
