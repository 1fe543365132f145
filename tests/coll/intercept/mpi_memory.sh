#!/bin/bash
# Allocations and mappings of the preloaded library that fail, each in its turn, on one rank: what is needed to make a
# communicator ready is agreed on, and all ranks leave it to MPI or none; within a call the job ends with one line,
# as under MPI itself. Never a crash, a hang or wrong contents.
set -u
here=$(cd "${srcdir:-.}" && pwd)
. "$here/support/scratch.sh"
. "$here/support/mpi-facts.sh"
libraries="$PWD/../coll/.libs/libhitop_coll.so $PWD/.libs/fail_memory.so"
export MPI_WALL=120 HITOP_LAZY=0 HITOP_WATCHDOG=20
if nm -D ../coll/.libs/libhitop_coll.so | grep -q __asan_init; then
    echo "a sanitizer has malloc() already"
    exit 77
fi

run() { # run RANKS VIRTUAL_NODE ARGUMENT...; leaves status
    local ranks=$1
    export HITOP_VNODE=$2
    shift 2
    status=0
    bash "$here/support/mpi-run.sh" "$ranks" env LD_PRELOAD="$libraries" ./mpi_memory "$@" \
        >"$dir/out" 2>"$dir/err" </dev/null || status=$?
}

show() {
    cat "$dir/out" "$dir/err" >&2
    fail "$*: status $status"
}

prepares() { # prepares LEAST RANKS VIRTUAL_NODE PASSES
    run "$2" "$3" prepare "$4"
    [ $status -eq 0 ] && grep -qx right "$dir/out" || show "ready: $*"
    [ "$(sed -n 's/ allocations failed.*//p' "$dir/out")" -ge "$1" ] || show "ready: $*: too few allocations"
    ! grep -q '^hitop' "$dir/err" || show "ready: $*: more than nothing is said"
    echo "ready: $*: $(head -n 1 "$dir/out")"
}

# A call that is left to MPI has no such allocation: how many had one is counted.
ends() { # ends VIRTUAL_NODE call OPERATION ALLOCATION RANK
    run 4 "$@"
    [ $status -ne 0 ] || ! grep -qx 'no such allocation' "$dir/out" || return 0
    ended=$((ended + 1))
    [ $status -ne 0 ] && ! grep -q WRONG "$dir/out" || show "call: $*"
    [ $status -ne 124 ] && ! grep -q 'signal 11' "$dir/err" || show "call: $*"
    [ "$(grep -c '^hitop: .*memory.*: the job ends$' "$dir/err")" -eq 1 ] || show "call: $*"
    echo "call: $*: $(grep '^hitop' "$dir/err")"
}

prepares 10 4 8 2
case $mpi_yields in
no) echo "two nodes: not with an MPI whose ranks never yield, which takes minutes on few processors"; exit 0 ;;
esac
prepares 200 3 2 1
HITOP_ALGORITHM=allreduce=auto HITOP_STATS="$dir/stats.json" prepares 100 3 8 1
export MPI_WALL=40
ended=0
ends 8 call strided 1 3
ends 2 call bcast 1 0
ends 2 call strided 1 2
ends 2 call allreduce 1 1
ends 2 call gather 1 3
ends 2 call scatter 4 0
ends 2 call scatter 7 2
[ $ended -ge 3 ] || fail "only $ended calls had allocations"
