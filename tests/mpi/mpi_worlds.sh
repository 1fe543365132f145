#!/bin/sh
# The preloaded library and processes that know nothing of it: children of ranks, which a launcher starts without it. And
# sessions, before, inside, across and after MPI_COMM_WORLD. Where MPI itself fails in an order, as MPICH 4.0 does when
# everything is closed and something opened again, so may the preloaded library.
set -eu
preload=$PWD/../coll/.libs/libhitop_coll.so
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/mpi-facts.sh"

run() { # run WORD [VARIABLE=VALUE]
    MPI_WALL=30 HITOP_LAZY=0 sh "${srcdir:-.}/support/mpi-run.sh" 2 env ${2+"$2"} ./mpi_worlds "$1"
}

case $mpi_children in
yes) run spawn "LD_PRELOAD=$preload" ;;
esac
for order in Aa ABab ABba AaBb IAaF AIaF AIFa IAFa AaIF IFAa; do
    status=0
    run $order "LD_PRELOAD=$preload" >"$dir/out" 2>&1 || status=$?
    case $status in
    0) continue ;;
    77) echo "this MPI has no sessions" && exit ;;
    esac
    if run $order >"$dir/plain" 2>&1; then
        fail "order $order: status $status: $(cat "$dir/out")"
    fi
    echo "order $order: this MPI fails by itself"
done
