#!/usr/bin/env bash
# An upgrade of a fleet under load: two API nodes and two workers of an earlier revision on PostgreSQL with 200,000 kept jobs,
# then an API node and a worker of this one, which upgrade the schema; then the old nodes are stopped.
#   bench/upgrade.sh [REVISION [KEPT_JOBS [SECONDS]]]   SECONDS (15): how long each phase takes; both versions together twice that
# REVISION is the last release by default; the databases of builds before 0.1.0 are refused. Its binary is built in a worktree of its own in
# target/upgrade.
# Fails if any request is answered with anything but success, if an acknowledged job is lost, stuck, or billed twice, if an old
# node is not ready, or if the earlier revision does not work on the new schema afterwards. The logs of all nodes are in
# target/upgrade/REVISION/logs.
set -euo pipefail
cd "$(dirname "$0")/.."
revision=${1:-$(git describe --tags --abbrev=0 2>/dev/null)} ||
  { echo "upgrade.sh: there is no release yet: name a revision" >&2; exit 1; }
commit=$(git rev-parse --verify --quiet "$revision^{commit}") ||
  { echo "upgrade.sh: this clone has no revision $revision: git fetch --unshallow --tags" >&2; exit 1; }
target=$(realpath "${CARGO_TARGET_DIR:-target}")/upgrade
mkdir -p "$target"

# Builds programs of a source tree, and copies them to a folder. Our own crates are not optimized: they are built in a tenth of the
# time, and the pictures are tiny. Both trees share the dependencies.
build() {
  local source=$1 to=$2 bins=() programs=() options=() name
  shift 2
  for name in "$@"; do
    bins+=(--bin "$name")
    programs+=("$target/build/debug/$name")
  done
  for name in $(sed -n 's/^\(aerie-[a-z0-9-]*\) = { opt-level.*/\1/p' "$source/Cargo.toml"); do
    options+=(--config "profile.dev.package.$name.opt-level=0")
  done
  # Cargo tells crates of both trees apart by the age of their files only, which says nothing here.
  rm -rf "$target"/build/debug/.fingerprint/aerie-*
  # There, so that the toolchain is that of the tree.
  (cd "$source" && CARGO_TARGET_DIR=$target/build ${CARGO:-cargo} build --quiet --locked --workspace "${bins[@]}" "${options[@]}")
  mkdir -p "$to"
  cp "${programs[@]}" "$to"
}

old=$target/${commit:0:12}
if [ ! -e "$old/aerie" ]; then
  git worktree prune
  [ -e "$old/source" ] || git worktree add --quiet --detach "$old/source" "$commit"
  build "$old/source" "$old" aerie aerie-engine aerie-sign
fi
build . "$target/new" aerie aerie-engine aerie-sign upgrade
AERIE_BIN=$target/new/aerie exec "$target/new/upgrade" "$old/aerie" "$old/logs" "${@:2}"
