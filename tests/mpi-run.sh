#!/bin/sh
# Run a program under the MPI this tree was built for, with a time limit: a deadlock must fail, not hang.
# usage: mpi-run.sh NP PROGRAM [ARGUMENT...]; 77 (skip) when there is no launcher
#
# MPIRUN    launcher (default mpirun)
# MPI_WALL  limit in seconds (default 60)
set -eu
np=$1
shift
command -v "${MPIRUN:-mpirun}" >/dev/null 2>&1 || exit 77
# Tests run as root in containers and on machines with fewer cores than ranks.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
exec timeout -k 5 "${MPI_WALL:-60}" "${MPIRUN:-mpirun}" -n "$np" "$@"
