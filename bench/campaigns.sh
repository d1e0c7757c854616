#!/usr/bin/env bash
# Years of faults and load in minutes: `bench/campaigns.sh [NAME [COUNT]]`; runs all campaigns at length without a name.
#   kills [KILLS]      the server and its workers killed and frozen under load (500)
#   uploads [KILLS]    uploads, whole and in parts, and listings, whose server is killed (200)
#   receivers [KILLS]  webhooks whose receivers stall, flood, lie and redirect, and a server that is killed (20)
#   poison [ROUNDS]    jobs whose engine is killed in every run (SIGABRT, SIGSEGV, SIGKILL), among other jobs (10)
#   clock [JOBS]       jobs run while the clock jumps by up to a day (5000)
#   set-clock [JOBS]   the real server and workers while their clock is set by up to a day; needs libfaketime (300)
#   clients [SECONDS]  slow and disconnecting clients, and a well-behaved one (60)
#   disk               a small disk, filled to the reserve and completely; needs the right to mount
#   hostile [CHECK]    attacks by clients, damaged files and operators' mistakes (all checks)
#   steady [SECONDS]   150 pollers, 40 submitters and 10 listers while workers are busy; memory must not grow (600)
#   queued [JOBS]      cost of requests with this number of queued jobs (10000)
#   stored [JOBS]      cost of requests with this number of stored jobs (1000000)
# Each prints counts, and fails if a job is lost, billed twice or stuck, or a request takes more than 1.5 times as long.
set -euo pipefail
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-target}
${CARGO:-cargo} build --quiet --release --package aerie-cli --package aerie-engine --package aerie-sign --package aerie-load
AERIE_BIN=$(realpath "$target/release/aerie")
export AERIE_BIN
run() {
  if [ "$1" = kills ]; then "$target/release/kill-campaign" "${@:2}"; else "$target/release/campaigns" "$@"; fi
}
if [ $# -gt 0 ]; then run "$@"; exit; fi
for name in kills uploads receivers poison clock set-clock clients disk hostile steady queued stored; do echo "$name:"; run "$name"; done
