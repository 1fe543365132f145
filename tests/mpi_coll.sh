#!/bin/sh
# Collectives by plans over real MPI, on powers of two, primes and one rank alone.
set -eu
for np in 1 2 3 5 8; do
    sh "${srcdir:-.}/mpi-run.sh" "$np" ./mpi_coll
done
