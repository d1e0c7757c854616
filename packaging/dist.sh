#!/usr/bin/env bash
# Packs a release: packaging/dist.sh AERIE FOLDER writes FOLDER/aerie-VERSION-ARCH.tar.gz with the stripped binary, and
# FOLDER/aerie-VERSION-ARCH.debug with its symbols. Next to the binary, that file gives backtraces their file names and lines.
set -euo pipefail
aerie=$1 to=$2
here=$(cd "$(dirname "$0")/.." && pwd)
name=aerie-$("$aerie" --version | cut -d' ' -f2)-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/$name
mkdir -p "$root"/{bin,etc,systemd,man,completions,doc} "$to"
objcopy --only-keep-debug --compress-debug-sections=zlib "$aerie" "$to/$name.debug"
chmod 644 "$to/$name.debug"
objcopy --strip-all --add-gnu-debuglink="$to/$name.debug" "$aerie" "$root/bin/aerie"
chmod 755 "$root/bin/aerie"
install -m 644 "$here"/packaging/aerie.toml "$here"/config.default.toml "$root/etc/"
install -m 644 "$here"/packaging/systemd/* "$root/systemd/"
install -m 644 "$here"/{README,CHANGELOG}.md "$here"/LICENSE "$here"/docs/*.md "$here"/schemas/openapi.json "$root/doc/"
"$aerie" man "$root/man"
for shell in bash zsh fish; do "$aerie" completions "$shell" > "$root/completions/aerie.$shell"; done
tar -C "$work" --owner=0 --group=0 --sort=name -czf "$to/$name.tar.gz" "$name"
echo "$to/$name.tar.gz" "$to/$name.debug"
