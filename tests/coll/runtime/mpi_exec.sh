#!/bin/sh
# The executor over real MPI, on powers of two, primes and one rank alone.
set -eu
for np in 1 2 3 5 8; do
    sh "${srcdir:-.}/support/mpi-run.sh" "$np" ./mpi_exec
done
