#!/bin/sh
# Timing by all methods, of one rank alone, of more ranks than processors.
set -eu
for np in 1 3 4; do
    sh "${srcdir:-.}/support/mpi-run.sh" "$np" ./mpi_timing
done
