#!/bin/sh
# Run a program under the MPI this tree was built for, with a time limit: a deadlock must fail, not hang.
# usage: mpi-run.sh NP PROGRAM [ARGUMENT...]; 77 (skip) when there is no launcher
#
# MPIRUN     launcher (default mpirun)
# MPI_WALL   limit in seconds (default 60)
# MPI_GRACE  seconds that Open MPI leaves the ranks of a job that failed between SIGTERM and SIGKILL (default 1); 0 is for
#            jobs of which all ranks have agreed to fail, and finalized MPI
set -eu
np=$1
shift
command -v "${MPIRUN:-mpirun}" >/dev/null 2>&1 || exit 77
. "$(dirname "$0")/../../build-aux/mpi-environment.sh"
export OMPI_MCA_btl_vader_single_copy_mechanism=none
# What Hitop serves, not whether MPI would be faster today; tests of that say so.
export HITOP_TRIAL="${HITOP_TRIAL-0}"
# The only choice on one host; to open the others takes longer than all the rest of a start.
export OMPI_MCA_pml="${OMPI_MCA_pml-ob1}" OMPI_MCA_odls_base_sigkill_timeout="${MPI_GRACE:-1}"
export PRTE_MCA_odls_base_sigkill_timeout="${MPI_GRACE:-1}"
# MPI leaks by itself, inside components that it unloads, so that its leaks cannot be identified by name; those of
# Hitop appear in the tests without MPI. A preloaded library comes before the sanitizer's own.
export ASAN_OPTIONS="detect_leaks=0:verify_asan_link_order=0:${ASAN_OPTIONS-}"
exec timeout -k 5 "${MPI_WALL:-60}" "${MPIRUN:-mpirun}" -n "$np" "$@"
