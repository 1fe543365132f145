#!/bin/sh
# What tests must know of MPI libraries, one row for each library and version; coll/runtime/facts_mpi.h has what is compiled.
# To read in; sets, for the launcher $MPIRUN:
#   mpi_family    openmpi, mpich, simgrid or other
#   mpi_version   as 4.1
#   mpi_yields    yes: ranks that wait leave their processor; no: more ranks than processors take minutes
#   mpi_children  yes: MPI_Comm_spawn works in Debian's packages
#   mpi_domains   yes: the launcher takes n2.alpha.org and n2.beta.net for two hosts
#   mpi_empty     yes: the simulated costs smpi/os:0:SECONDS:FACTOR hold for empty messages, too; no: they cost nothing,
#                 unless there is one cost for all lengths
#   mpi_sm        component of Open MPI for messages in shared memory
#   mpi_header    bytes of a message that Open MPI's eager limits count, but the program does not
mpi_text=$("${MPIRUN:-mpirun}" --version 2>&1 </dev/null || true)
mpi_version=$(echo "$mpi_text" |
    sed -nE 's/.*(Open MPI\)|OpenRTE\)|Version:|SimGrid version) *([0-9]+\.[0-9]+).*/\2/p' | head -n 1)
case $mpi_text in
*'(Open MPI)'* | *'(OpenRTE)'*) mpi_family=openmpi ;;
*HYDRA*) mpi_family=mpich ;;
*SimGrid*) mpi_family=simgrid ;;
*) mpi_family=other ;;
esac
set_facts() { mpi_yields=$1 mpi_children=$2 mpi_domains=$3 mpi_empty=$4 mpi_sm=$5 mpi_header=$6; }
case $mpi_family-$mpi_version in #      yields children domains empty sm header
openmpi-4.*) set_facts yes yes yes yes vader 56 ;;
openmpi-*) set_facts yes yes no yes sm 80 ;; # 5.0 with PRRTE 3.0
mpich-*) set_facts no no yes yes '' '' ;;    # 4.0, 4.2
simgrid-3.32) set_facts yes no yes yes '' '' ;;
simgrid-*) set_facts yes no yes no '' '' ;; # 4.0
*) set_facts yes no yes yes '' '' ;;
esac
