#!/bin/sh
# A program ends hitop_estimate() early, on several numbers of ranks.
set -eu
export MPI_WALL="${MPI_WALL:-240}" # ranks that poll share processors with other work
for ranks in 2 4; do
    sh "${srcdir:-.}/support/mpi-run.sh" $ranks ./mpi_estimate_end || { echo "$ranks ranks: status $?"; exit 1; }
done
