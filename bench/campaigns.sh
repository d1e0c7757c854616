#!/usr/bin/env bash
# What happens to a server in years, in minutes: `bench/campaigns.sh [NAME [COUNT]]`, all of them for long when no name is given.
#   kills [KILLS]      the server and its workers killed and frozen under load (500)
#   poison [ROUNDS]    jobs that abort, take all memory, never end, panic: beside others (10)
#   clock [JOBS]       jobs run while the clock jumps by up to a day (5000)
#   set-clock [JOBS]   the real server and workers while their clock is set by up to a day; takes libfaketime (300)
#   clients [SECONDS]  slow and vanishing clients beside a good one (60)
#   disk               a small disk, filled to the reserve and to the brim; takes the right to mount
#   queued [JOBS]      what requests cost with so many jobs queued (10000)
#   stored [JOBS]      what requests cost with so many jobs kept (1000000)
# Each prints counts, and fails where something is lost, billed twice or stuck, or takes more than 1.5 times as long.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
${CARGO:-cargo} build --quiet --release --package aerie-cli --package aerie-e2e
AERIE_BIN=$(realpath "$target/release/aerie")
export AERIE_BIN
run() {
  if [ "$1" = kills ]; then "$target/release/kill-campaign" "${@:2}"; else "$target/release/campaigns" "$@"; fi
}
if [ $# -gt 0 ]; then run "$@"; exit; fi
for name in kills poison clock set-clock clients disk queued stored; do echo "$name:"; run "$name"; done
