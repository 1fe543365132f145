#!/bin/sh
# Run a test of make check when it is its turn: several at once where each needs one processor, alone where ranks wait for
# each other or clocks are watched.
# usage: turns.sh TEST
set -eu
case ${1##*/} in
mpi_faults.sh | mpi_mixed.sh | mpi_resume.sh) how=-s ;; # they wait for seconds to pass
mpi_* | vcluster_*) how=-x ;;
*) how=-s ;;
esac
flock --version 2>/dev/null | grep -q util-linux || exec "$@" # no turns with another one
exec flock -o $how turns.lock "$@"
