#!/bin/sh
# Ranks that share processors, on one node and on several of one machine.
set -eu
MPI_WALL=30 sh "${srcdir:-.}/support/mpi-run.sh" 4 ./mpi_oversubscription
