#!/bin/sh
# Random collectives with late ranks: under the preloaded library, on one node and on several, and under MPI alone,
# which must find as much right. Ranks are stopped in between.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/mpi-facts.sh"
preload=$PWD/../coll/.libs/libhitop_coll.so
before=$(find /dev/shm -name 'hitop-*')

stress() { # stress RANKS CALLS STOPS COMMAND...; of all operations but where $only names some
    np=$1 n=$2 stops=$3
    shift 3
    sh "${srcdir:-.}/support/mpi-run.sh" "$np" "$@" ./mpi_stress --calls "$n" --stops "$stops" ${only:+--operations "$only"} >"$dir/out" 2>&1 || {
        cat "$dir/out"
        fail "$np ranks, $*"
    }
    tail -n 1 "$dir/out" | grep -qx "$n calls, 0 wrong" || fail "$np ranks, $*: $(tail -n 1 "$dir/out")"
}

export HITOP_LAZY=0
stress 2 600 1 env LD_PRELOAD="$preload"
stress 3 200 1 env HITOP_VNODE=2 HITOP_RING=8192 LD_PRELOAD="$preload"
only=reduce # over more nodes than a root speaks to if they are long; MPICH has a bug of its own there
stress 3 100 0 env HITOP_VNODE=1 LD_PRELOAD="$preload"
only=
case $mpi_yields in
no) ;;
*)
    stress 3 100 0 env
    stress 5 400 1 env HITOP_VNODE=2 LD_PRELOAD="$preload"
    only=bcast # long ones are few
    stress 8 200 0 env LD_PRELOAD="$preload"
    only=reduce,allreduce,gather,gatherv,scatter,scatterv,allgather,allgatherv # over more nodes than a root speaks to
    stress 35 80 0 env HITOP_VNODE=2 HITOP_STATS="$dir/many.json" LD_PRELOAD="$preload"
    for operation in gather gatherv scatterv; do
        grep -q "\"nodes\":18,\"calls\":{.*\"$operation\":{\"hitop\":[1-9]" "$dir/many.json" || fail "$operation over 18 nodes was left to MPI"
    done
    ;;
esac
# shellcheck disable=SC2086 # words
sh "${srcdir:-.}/support/shm-left.sh" 3 $before
