#!/bin/sh
# Clocks of eight processes on four hosts at two sites become one, over TCP and a slow line.
set -eu
here=$(cd "${srcdir:-.}" && pwd)
. "$here/support/cluster.sh"
# on other hosts ranks get a clean environment
# shellcheck disable=SC2016 # expanded by the rank
timeout -k 5 60 "$vcluster" run "$here/vcluster/two-sites.conf" -- "$MPIRUN" -n 8 \
    sh -c 'export ASAN_OPTIONS=detect_leaks=0; exec "$0"' ./mpi_clock
