#!/bin/sh
# Run a program of an smpicc build on a simulated machine, deterministically, with an exit status that
# can be trusted.
# usage: smpi-run.sh PLATFORM HOSTFILE NP PROGRAM [ARGUMENT...]
#
# SMPI_SEND   oneport (default): MPI_Send occupies the sender for the whole transfer, as in Hockney's
#             model; eager: the sender is free at once and the data leave at once; mpi: that holds for short
#             messages, those of 64 KiB and more wait for their receiver, and calls take 1 us
# SMPI_FLAGS  further options of smpirun
# SMPI_WALL   limit in seconds of real time (default 120)
set -eu

if [ $# -lt 4 ]; then
    echo "usage: smpi-run.sh PLATFORM HOSTFILE NP PROGRAM [ARGUMENT...]" >&2
    exit 99
fi
platform=$1 hosts=$2 np=$3
shift 3

case ${SMPI_SEND:-oneport} in
oneport) send='--cfg=smpi/send-is-detached-thresh:0' ;;
eager) send='--cfg=smpi/async-small-thresh:1000000000 --cfg=smpi/send-is-detached-thresh:1000000000' ;;
mpi)
    send='--cfg=smpi/async-small-thresh:65536 --cfg=smpi/send-is-detached-thresh:65536
        --cfg=smpi/os:0:1e-6:0 --cfg=smpi/ois:0:1e-6:0 --cfg=smpi/or:0:1e-6:0'
    MPIRUN=smpirun
    . "$(dirname "$0")/mpi-facts.sh"
    [ "$mpi_empty" = yes ] || send=$(echo "$send" | sed 's/:0:1e-6:0/:1e-6/g')
    ;;
*)
    echo "smpi-run.sh: SMPI_SEND is '$SMPI_SEND'; allowed: oneport, eager, mpi" >&2
    exit 99
    ;;
esac

# No simulated cost of computation or of reading the clock; links that do exactly what the platform
# says; polling that advances the clock; collectives that do not start p^2 flows at once.
flags="-quiet
    --cfg=smpi/simulate-computation:no --cfg=smpi/wtime:0
    --cfg=network/model:CM02 --cfg=network/TCP-gamma:1e20 --cfg=network/crosstraffic:no
    --cfg=surf/precision:1e-12
    --cfg=smpi/iprobe:1e-7 --cfg=smpi/test:1e-7 --cfg=smpi/grow-injected-times:no
    --cfg=smpi/allgather:bruck --cfg=smpi/allreduce:rdb --cfg=smpi/alltoall:bruck
    --log=xbt_cfg.thresh:critical --log=smpi_config.thresh:error --log=smpi_coll.thresh:error"

# smpirun returns 0 after a deadlock, after MPI_Abort and when ranks leave without MPI_Finalize; it
# says so on standard error only.
said=$(mktemp)
trap 'rm -f "$said"' EXIT
status=0
# shellcheck disable=SC2086 # the flags are lists
timeout -k 5 "${SMPI_WALL:-120}" smpirun -platform "$platform" -hostfile "$hosts" -np "$np" \
    $flags $send ${SMPI_FLAGS:-} "$@" 2>"$said" || status=$?
cat "$said" >&2
if [ $status -eq 0 ] &&
    grep -Eq 'Deadlock detected|MPI_Abort was called|Stalling SMPI instance' "$said"; then
    status=98
fi
exit $status
