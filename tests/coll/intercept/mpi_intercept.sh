#!/bin/sh
# Every collective, by MPI's names in C and in each of Fortran's three bindings: contents are right, and another tool
# that is preloaded sees each call that the library leaves to it once, no matter which binding it came from.
set -eu
here=${srcdir:-.}
. "$here/support/scratch.sh"
preload=$PWD/../coll/.libs/libhitop_coll.so
tool=$PWD/.libs/count_calls.so
all='allgather allgatherv allreduce alltoall alltoallv barrier bcast exscan gather gatherv reduce reduce_scatter
    reduce_scatter_block scan scatter scatterv'

run() { # run RANKS VARIABLE=VALUE... PROGRAM
    np=$1
    shift
    sh "$here/support/mpi-run.sh" "$np" env "$@" >"$dir/out" 2>"$dir/err" </dev/null || {
        cat "$dir/out" "$dir/err" >&2
        fail "$*"
    }
}

expect() { # expect RANKS COUNT OPERATION... ; each process has counted so many calls of these
    np=$1 count=$2
    shift 2
    for operation in "$@"; do
        n=$(grep -c "^counted.* $operation=$count\( \|\$\)" "$dir/err") || true
        test "$n" -eq "$np" || {
            cat "$dir/err" >&2
            fail "$program: $operation was not counted $count times by $np processes"
        }
    done
}

for program in ./mpi_intercept ./mpi_intercept_h ./mpi_intercept_mpi ./mpi_intercept_f08; do
    [ -x $program ] || { echo "$program is not built: no Fortran MPI"; continue; }
    echo $program
    # shellcheck disable=SC2086 # $all is a list
    {
        run 3 LD_PRELOAD="$preload:$tool" HITOP_DISABLE=1 $program
        expect 3 4 $all
    }
    run 2 LD_PRELOAD="$preload:$tool" HITOP_LAZY=0 $program
    expect 2 0 bcast
    run 3 LD_PRELOAD="$preload:$tool" HITOP_LAZY=0 HITOP_VNODE=2 HITOP_DISABLE=gatherv,bcast $program
    expect 3 4 bcast gatherv
done
program=./mpi_intercept
run 2 LD_PRELOAD="$tool:$preload" HITOP_LAZY=0 $program
# shellcheck disable=SC2086
expect 2 4 $all
