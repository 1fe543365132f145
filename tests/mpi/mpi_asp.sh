#!/bin/sh
# Shortest paths with roots that rotate: with and without the library, dealt out in three ways, by any number of
# ranks, always the same.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/mpi-facts.sh"
export HITOP_LAZY=0 ASAN_OPTIONS="detect_leaks=0:verify_asan_link_order=0:${ASAN_OPTIONS-}"

asp() { # asp RANKS DEAL
    sh "${srcdir:-.}/../examples/asp.sh" .. "$1" 61 "$2" 1 >"$dir/out" 2>&1 || { cat "$dir/out"; fail "$*"; }
    grep -q 'results equal' "$dir/out" || { cat "$dir/out"; fail "$*"; }
    grep -o 'checksum [0-9a-f]*' "$dir/out" >>"$dir/sums"
}

asp 1 block
asp 2 cyclic
asp 2 uneven
case $mpi_yields in
no) ;;
*) HITOP_VNODE=2 asp 5 block ;;
esac
test "$(sort -u "$dir/sums" | wc -l)" -eq 1 || fail "checksums: $(cat "$dir/sums")"
