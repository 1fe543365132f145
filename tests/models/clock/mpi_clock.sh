#!/bin/sh
# Clocks of processes that are seconds apart become one, on powers of two, primes and one rank alone.
set -eu
. "${srcdir:-.}/support/mpi-facts.sh"
case $mpi_yields in
no) more='' ;;
*) more='5 8' ;;
esac
for np in 1 2 3 $more; do
    sh "${srcdir:-.}/support/mpi-run.sh" "$np" ./mpi_clock
done
