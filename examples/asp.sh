#!/bin/sh
# Shortest paths with and without the library, in turns: equal results, times side by side.
# usage: asp.sh BUILD_FOLDER [RANKS [VERTICES [block|cyclic|uneven [RUNS]]]]
#
# MPIRUN    launcher (default mpirun), with its options
# Exit status 1 when results differ, or a run fails.
set -eu
[ $# -gt 0 ] || { echo "usage: asp.sh BUILD_FOLDER [RANKS [VERTICES [block|cyclic|uneven [RUNS]]]]" >&2; exit 2; }
build=$(cd "$1" && pwd)
ranks=${2:-2} vertices=${3:-1000} deal=${4:-block} runs=${5:-5}
. "$(dirname "$0")/../build-aux/mpi-environment.sh"

out=$(mktemp)
trap 'rm -f "$out"' EXIT

asp() { # asp NAME COMMAND...
    name=$1
    shift
    # shellcheck disable=SC2086 # the launcher's options
    line=$(timeout 600 ${MPIRUN:-mpirun} -n "$ranks" "$@" "$build/examples/asp" "$vertices" "$deal")
    echo "$name: $line" | tee -a "$out"
}

column() { # column NAME FIELD ; the median
    grep "^$1:" "$out" | cut -d ' ' -f "$2" | sort -n | sed -n "$((runs / 2 + 1))p"
}

i=0
while [ $i -lt "$runs" ]; do
    asp plain env
    asp preloaded env LD_PRELOAD="$build/coll/.libs/libhitop_coll.so"
    i=$((i + 1))
done
[ "$(cut -d ' ' -f 7 "$out" | sort -u | wc -l)" -eq 1 ] || { echo "asp.sh: results differ" >&2; exit 1; }
echo "results equal; medians: plain $(column plain 8) s, preloaded $(column preloaded 8) s;" \
    "in MPI_Bcast $(column plain 12) s and $(column preloaded 12) s"
