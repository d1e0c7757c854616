#!/usr/bin/env bash
# Packs a release: packaging/dist.sh PROGRAMS FOLDER writes FOLDER/aerie-VERSION-ARCH.tar.gz with `aerie`, `aerie-engine` and `aerie-sign` from the folder
# PROGRAMS, stripped, and FOLDER/PROGRAM-VERSION-ARCH.debug with the symbols of each. Next to the program, that file gives backtraces their
# file names and lines.
set -euo pipefail
programs=$1 to=$2
aerie=$programs/aerie
here=$(cd "$(dirname "$0")/.." && pwd)
version=$("$aerie" --version | cut -d' ' -f2)-$(uname -m)
name=aerie-$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/$name
mkdir -p "$root"/{bin,etc,systemd,man,completions,doc} "$to"
for program in aerie aerie-engine aerie-sign; do
  symbols=$to/$program-$version.debug
  objcopy --only-keep-debug --compress-debug-sections=zlib "$programs/$program" "$symbols"
  chmod 644 "$symbols"
  objcopy --strip-all --add-gnu-debuglink="$symbols" "$programs/$program" "$root/bin/$program"
  chmod 755 "$root/bin/$program"
done
install -m 644 "$here"/packaging/aerie.toml "$here"/config.default.toml "$root/etc/"
install -m 644 "$here"/packaging/systemd/* "$root/systemd/"
install -m 644 "$here"/{README,CHANGELOG}.md "$here"/LICENSE "$here"/docs/*.md "$here"/schemas/openapi.json "$root/doc/"
"$aerie" man "$root/man"
for shell in bash zsh fish; do "$aerie" completions "$shell" > "$root/completions/aerie.$shell"; done
tar -C "$work" --owner=0 --group=0 --sort=name -czf "$to/$name.tar.gz" "$name"
echo "$to/$name.tar.gz" "$to"/*-"$version".debug
