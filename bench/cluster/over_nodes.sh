#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Operations in two levels against SimGrid's version of Open MPI's choices, on simulated clusters of 4 ranks a host.
# usage: over_nodes.sh SMPI_BUILD_FOLDER [HOSTS...]   (8 16 32)
#
# WITH   a command that runs each simulation, e.g. nice
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
shift
[ $# -gt 0 ] || set -- 8 16 32
: "${WITH:=}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compare() { # compare HOSTS OPERATIONS SIZE...
    hosts=$1 ops=$2
    shift 2
    awk -v n="$hosts" 'BEGIN { for (i = 0; i < 4 * n; i++) print "n" int(i / 4) }' >"$work/hosts"
    # collectives as Open MPI chooses them; smpi-run.sh names three for the tests
    # shellcheck disable=SC2086 # words
    SMPI_SEND=mpi SMPI_WALL=1200 SMPI_FLAGS='--cfg=smpi/coll-selector:ompi --cfg=smpi/alltoall:ompi
        --cfg=smpi/allgather:ompi --cfg=smpi/allreduce:ompi' $WITH sh "$here/../../tests/support/smpi-run.sh" "$work/cluster.xml" \
        "$work/hosts" $((4 * hosts)) "$build/bench/over_nodes" 3 "$ops" "$@" 2>"$work/log" ||
        { tail -n 3 "$work/log" >&2; exit 1; }
}

sed 's/radical="0-15"/radical="0-1023"/' "$here/../paper/infiniband.xml" >"$work/cluster.xml"
echo "hosts operation     size_B     mpi_us hitop_us  ratio"
for n in "$@"; do
    {
        compare "$n" barrier 0
        compare "$n" alltoall 8 64 256
        compare "$n" reduce,allreduce,gather,gatherv,scatter,scatterv,allgather 8 1024 8192 65536
    } | sed "s/^/$n /"
done
