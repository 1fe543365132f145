#!/bin/sh
# What few programs do, under the preloaded library, on one node and on two.
set -eu
preload=$PWD/../coll/.libs/libhitop_coll.so
for per_node in 8 1; do
    MPI_WALL=30 HITOP_LAZY=0 HITOP_VNODE=$per_node sh "${srcdir:-.}/support/mpi-run.sh" 2 env LD_PRELOAD="$preload" ./mpi_strange
done
