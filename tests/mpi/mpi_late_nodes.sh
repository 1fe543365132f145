#!/bin/sh
# Nodes that come late under the preloaded library, which are single ranks and more; by default and where all announce themselves.
set -eu
. "${srcdir:-.}/support/mpi-facts.sh"
preload=$PWD/../coll/.libs/libhitop_coll.so
export OMPI_MCA_mpi_yield_when_idle=1 # which shall be so afterwards, too
for style in auto dyn; do
    for per_node in 1 2; do
        case $mpi_yields-$per_node in
        no-2) continue ;;
        esac
        MPI_WALL=20 HITOP_BCAST=$style HITOP_LAZY=0 HITOP_VNODE=$per_node sh "${srcdir:-.}/support/mpi-run.sh" $((3 * per_node)) \
            env LD_PRELOAD="$preload" ./mpi_late_nodes "$per_node"
    done
done
