#!/bin/sh
# hitop_estimate() on several numbers of ranks.
set -eu
. "${srcdir:-.}/support/mpi-facts.sh"
export MPI_WALL="${MPI_WALL:-240}" # ranks that poll share processors with other work
case $mpi_yields in
no) counts='1 2 3' ;; # more ranks measure the time slices of others
*) counts='1 2 3 4 5' ;;
esac
for ranks in $counts; do
    sh "${srcdir:-.}/support/mpi-run.sh" $ranks ./mpi_estimate || { echo "$ranks ranks: status $?"; exit 1; }
done
