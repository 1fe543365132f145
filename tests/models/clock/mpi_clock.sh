#!/bin/sh
# Clocks of processes that are seconds apart become one, on powers of two, primes and one rank alone.
set -eu
case $MPIRUN in
*mpich*) more='' ;; # never yields its processor
*) more='5 8' ;;
esac
for np in 1 2 3 $more; do
    sh "${srcdir:-.}/support/mpi-run.sh" "$np" ./mpi_clock
done
