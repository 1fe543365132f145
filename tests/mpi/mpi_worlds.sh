#!/bin/sh
# The preloaded library and processes that know nothing of it: children of ranks, which a launcher starts without it. And
# ranks of a session, where there is no MPI_COMM_WORLD.
set -eu
preload=$PWD/../coll/.libs/libhitop_coll.so

run() { # run MODE
    MPI_WALL=30 HITOP_LAZY=0 sh "${srcdir:-.}/support/mpi-run.sh" 2 env LD_PRELOAD="$preload" ./mpi_worlds "$1"
}

case $MPIRUN in
*mpich*) ;; # Debian's has no children
*) run spawn ;;
esac
run session
