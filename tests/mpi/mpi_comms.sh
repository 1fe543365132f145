#!/bin/sh
# Communicators come and go under the preloaded library: on one node, and with each rank on its own.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/mpi-facts.sh"
export ASAN_OPTIONS="quarantine_size_mb=0:thread_local_quarantine_size_kb=0:${ASAN_OPTIONS-}" # it keeps what was freed
preload=$PWD/../coll/.libs/libhitop_coll.so
case $mpi_family in
mpich) alive=1500 third=2 ;; # has 2048 communicators
*) alive=300 third=3 ;;
esac

run() { # run RANKS RANKS_PER_NODE ALIVE CYCLES
    HITOP_LAZY=0 HITOP_VNODE=$2 sh "${srcdir:-.}/support/mpi-run.sh" "$1" \
        env LD_PRELOAD="$preload" ./mpi_comms "$3" "$4"
}

run 2 8 $alive 10000
case $mpi_yields in no) ;; *) run $((third + $(nproc))) 64 20 20 ;; esac # ranks that share processors query whether MPI yields
HITOP_STATS=$dir/stats.json # which are put together when communicators go, the last ones in MPI_Finalize
export HITOP_STATS
run $third 1 $alive 200
grep '"lists"' "$dir/stats.json" >"$dir/lists" || exit 0 # this MPI has no large counts
for operation in allgatherv gatherv scatterv; do
    grep -Eq "\"$operation\": *\\{[^}]*\"mpi\": *5[,}]" "$dir/lists" || fail "$operation was not counted: $(cat "$dir/lists")"
done
