#!/usr/bin/env bash
# Checks that what is compiled into the binary as the consoles of clients and operators and the reference of the API was built from console/: types, then builds that
# must give the same bytes.
#   lint/console.sh [--write]      --write: replaces the committed files instead
# VENV is the Python environment with npm (the Makefile makes it); without it, the npm of the system is used.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
if [ -n "${VENV:-}" ]; then export PATH=$VENV/bin:$PATH; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/crates/api"
cp -r "$here/schemas" "$folder/"
# Not node_modules, nor what is generated.
(cd "$here" && git ls-files --cached --others --exclude-standard console) | while read -r file; do
  [ -f "$here/$file" ] || continue
  mkdir -p "$folder/$(dirname "$file")" && cp "$here/$file" "$folder/$file"
done
(cd "$folder/console" && npm ci --silent --no-audit --no-fund --ignore-scripts && npm run --silent schema > /dev/null 2>&1 && npm run --silent check && npm run --silent build > /dev/null)
built=$folder/crates/api/console-assets
if [ "${1:-}" = --write ]; then
  rm -rf "$here/crates/api/console-assets" && cp -r "$built" "$here/crates/api/console-assets"
elif ! diff -rq "$built" "$here/crates/api/console-assets"; then
  echo "crates/api/console-assets is not what console/ gives: run lint/console.sh --write"
  exit 1
fi
# What the first load of each page takes.
for page in "index.html app" "operator.html operator" "reference.html reference"; do
  read -r html name <<< "$page"
  size=$(cat "$built/$html" "$built/$name.js" "$built/$name.css" "$built/icon.svg" | gzip -9 | wc -c)
  [ "$size" -le $((120 * 1024)) ] || { echo "$html loads $size bytes compressed, more than 120 KiB"; exit 1; }
  echo "$html: $size bytes compressed"
done
