#!/usr/bin/env bash
# Fuzz the readers of files and texts with libFuzzer, under sanitizers; print for each what was done and found.
# usage: build-aux/fuzz.sh [SECONDS [READER...]]   60 seconds for each of all readers
#
# HITOP_FUZZ_DIR (build-fuzz) gets the build tree, and corpus/READER, which later runs begin with; what a reader
# cannot stand is in found/READER-*. HITOP_JOBS readers run at a time. Status 1 when something was found.
set -euo pipefail
top=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
seconds=${1:-60}
shift $(($# > 0 ? 1 : 0))
dir=$(mkdir -p "${HITOP_FUZZ_DIR:-$top/build-fuzz}" && cd "${HITOP_FUZZ_DIR:-$top/build-fuzz}" && pwd)
jobs=${HITOP_JOBS:-$(nproc)}
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 HITOP_FUZZ_READER=

# Static, because clang's sanitizers do not link into shared libraries that may not have loose ends.
build() {
    cd "$dir"
    if [ ! -e config.status ] || [ "$top/configure" -nt config.status ]; then
        "$top/configure" --quiet --enable-static --disable-shared CC=clang CFLAGS="-g -O1 \
-fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined"
    fi
    for folder in src hierarchy models coll; do
        make -C "$folder" -s -j"$jobs"
    done
    make -C tests -s -j"$jobs" fuzz/reader_registry.inc
    make -C tests -s -j"$jobs" fuzz_readers fuzz_replay
}

replay() { srcdir=$top/tests "$dir/tests/fuzz_replay" "$@"; }

fuzz() { # fuzz READER
    local corpus=$dir/corpus/$1 dictionary=()
    mkdir -p "$corpus" "$dir/seeds/$1" "$dir/found"
    replay --list "$1" | while read -r file; do
        cp "$file" "$dir/seeds/$1/$(basename "$(dirname "$file")")-$(basename "$file")"
    done
    [ ! -e "$top/tests/fuzz/$1.dict" ] || dictionary=(-dict="$top/tests/fuzz/$1.dict")
    HITOP_FUZZ_READER=$1 "$dir/tests/fuzz_readers" -max_total_time="$seconds" -max_len=8192 -timeout=60 \
        -report_slow_units=60 -rss_limit_mb=2048 -print_final_stats=1 "${dictionary[@]}" -artifact_prefix="$dir/found/$1-" \
        "$corpus" "$dir/seeds/$1" >"$dir/$1.log" 2>&1 || true
}

report() { # report READER
    local last
    last=$(grep -aE '^#[0-9]+.* cov: ' "$dir/$1.log" | tail -n 1) || true
    printf '%-16s %12s executions  %6s edges  %6s features  %6s files  found: %s\n' "$1" \
        "$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/$1.log")" \
        "$(sed 's/.* cov: \([0-9]*\).*/\1/' <<<"$last")" "$(sed 's/.* ft: \([0-9]*\).*/\1/' <<<"$last")" \
        "$(find "$dir/corpus/$1" -type f | wc -l)" "$(find "$dir/found" -name "$1-*" | wc -l)"
}

build
# shellcheck disable=SC2046 # words
[ $# -gt 0 ] || set -- $(replay --list)
for reader in "$@"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
    fuzz "$reader" &
done
wait
for reader in "$@"; do
    report "$reader"
done
[ -z "$(find "$dir/found" -type f)" ]
