#!/usr/bin/env bash
# Fuzzes everything that parses bytes of strangers (crates/fuzz-targets) with libFuzzer and AddressSanitizer:
#
#   bench/fuzz.sh [TARGET [SECONDS]]       one target, or all of them, for this long each (1200)
#   bench/fuzz.sh minimize [TARGET]        replaces the corpora in fuzz/corpus by small ones that reach as much as all inputs found
#
# fuzz/corpus/TARGET.zip is unpacked into target/fuzz/kept/TARGET, and packed by `minimize` or `fuzz/corpus.py pack target/fuzz/kept TARGET`.
# Needs a nightly toolchain (FUZZ_TOOLCHAIN, `nightly` by default) and a C++ compiler; cargo-fuzz is installed into target/tools.
# Inputs found are kept in target/fuzz/corpus, and those that crash, take over ten seconds or over 2 GiB in target/fuzz/artifacts.
# Prints executions, coverage and such inputs, and fails if there are any. A fixed one becomes a file of the corpus, named after
# what it did, and is packed; `cargo test` replays them all.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
work=$target/fuzz
export RUSTUP_TOOLCHAIN=${FUZZ_TOOLCHAIN:-nightly}
triple=$(rustc -vV | sed -n 's/^host: //p')

mapfile -t all < <(sed -n 's/^name = "\(.*\)"/\1/p' fuzz/Cargo.toml | tail -n +2)
command=${1:-}
[ "$command" = minimize ] && shift
targets=("${all[@]}")
[ $# -gt 0 ] && [ -n "$1" ] && targets=("$1")
seconds=${2:-1200}

env -u RUSTUP_TOOLCHAIN make --quiet fuzz-tools
PATH=$(echo "$target"/tools/cargo-fuzz-*/bin | tr ' ' '\n' | tail -n 1):$PATH
single=()
[ ${#targets[@]} -eq 1 ] && single=("${targets[0]}")
# Debug assertions are those of fuzz/Cargo.toml, not of all packages.
(cd fuzz && cargo fuzz build --release --fuzz-dir . --target-dir "$work" "${single[@]}")

# Odr violations are those of sanitized code with itself. A leak shows in the limit of memory.
export ASAN_OPTIONS=detect_odr_violation=0:detect_leaks=0
run() { "$work/$triple/release/$1" -rss_limit_mb=2048 -timeout=10 "${@:2}"; }
kept=$work/kept
fuzz/corpus.py unpack "$kept" "${targets[@]}"
found=0
for name in "${targets[@]}"; do
  mkdir -p "$work/corpus/$name" "$work/artifacts/$name"
  if [ "$command" = minimize ]; then
    rm -rf "$work/minimized"
    mkdir "$work/minimized"
    # By edges alone, without how often each is taken, to keep the number of files small.
    run "$name" -set_cover_merge=1 -use_counters=0 -max_len=4096 "$work/minimized" "$kept/$name" "$work/corpus/$name" 2>/dev/null
    # Seeds and regressions keep their names.
    find "$kept/$name" -type f -regextype posix-extended -regex '.*/[0-9a-f]{40}' -delete
    cp "$work/minimized"/* "$kept/$name/"
    fuzz/corpus.py pack "$kept" "$name"
    echo "$name: $(find "$kept/$name" -type f | wc -l) files, $(du --apparent-size -sb "$kept/$name" | cut -f 1) bytes"
    continue
  fi
  log=$work/$name.log
  before=$(find "$work/artifacts/$name" -type f | wc -l)
  run "$name" -max_total_time="$seconds" -max_len=16384 -artifact_prefix="$work/artifacts/$name/" -print_final_stats=1 \
    "$work/corpus/$name" "$kept/$name" >"$log" 2>&1 || true
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(grep -o ' cov: [0-9]*' "$log" | tail -n 1 | tr -dc 0-9)
  after=$(find "$work/artifacts/$name" -type f | wc -l)
  printf '%-18s %9s executions  %6s edges  %d inputs that failed\n' "$name" "${executions:-?}" "${edges:-?}" $((after - before))
  find "$work/artifacts/$name" -type f -newer "fuzz/Cargo.toml" -printf '  %p\n'
  found=$((found + after - before))
done
[ "$found" -eq 0 ]
