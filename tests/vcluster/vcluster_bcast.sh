#!/bin/sh
# The preloaded broadcast on several hosts with their own shared memory and TCP between them: even and
# uneven numbers of ranks, by host and round robin, with leaders that change and such that announce themselves. There
# Open MPI takes a segment without its receiver, MPICH only a header.
set -eu
here=$(cd "${srcdir:-.}" && pwd)
. "$here/support/cluster.sh"
. "$here/support/scratch.sh"
. "$here/support/mpi-facts.sh"
preload=$build/../coll/.libs/libhitop_coll.so

# What each rank runs: on other hosts it gets a clean environment, so that what mpi-run.sh says of sanitizers is
# said again; the cluster may have preloaded something of its own.
# shellcheck disable=SC2016 # expanded by the rank
rank='export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
    export LD_PRELOAD="$0${LD_PRELOAD:+:$LD_PRELOAD}" HITOP_LAZY=0 HITOP_TRIAL=0 HITOP_RING=16384
    [ -z "$2" ] || export HITOP_BCAST="$2" HITOP_VERBOSE=2
    exec ./mpi_bcast 16384 "$1"'

run() { # run CONFIG RANKS LARGEST STYLE PLACEMENT... ; '' is the library's own
    config=$1 ranks=$2 largest=$3 style=$4
    shift 4
    echo "$config, $ranks ranks, up to $largest bytes, $*"
    timeout -k 5 60 "$vcluster" run "$here/vcluster/$config" -- \
        "$MPIRUN" "$@" -n "$ranks" sh -c "$rank" "$preload" "$largest" "$style"
}

case $mpi_family in
mpich) by_host='' round_robin='-ppn 1' small=3 eager='\(5152\|32KiB\)' ;;
*) by_host='--map-by slot' round_robin='--map-by node' small=8 eager=32KiB ;;
esac
# shellcheck disable=SC2086 # words
{
    run four-hosts.conf $small 65537 '' $by_host
    run four-hosts.conf $small 65537 '' $round_robin
    run uneven.conf $small 4097 '' $by_host
    run uneven.conf $small 4097 '' $round_robin
    run four-hosts.conf $small 65537 dyn $by_host >"$dir/out" 2>&1 || fail "dyn: $(cat "$dir/out")"
}
grep -q 'internode eager limit: '"$eager" "$dir/out" || fail "$(cat "$dir/out")"
