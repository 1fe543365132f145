#!/bin/sh
# Contents of the preloaded broadcast: ranks x nodes x lengths x roots x datatypes. One host stands for
# several nodes by HITOP_VNODE (that many ranks make a node); a small ring exercises its end.
set -eu
. "${srcdir:-.}/support/mpi-facts.sh"
preload=$PWD/../coll/.libs/libhitop_coll.so
before=$(find /dev/shm -name 'hitop-*')

run() { # run RANKS RANKS_PER_NODE RING LARGEST [STYLE]
    echo "$1 ranks, $2 a node, ring of $3 bytes, up to $4 bytes, ${5:-auto}"
    MPI_WALL=100 HITOP_BCAST=${5:-auto} HITOP_LAZY=0 HITOP_VNODE=$2 HITOP_RING=$3 sh "${srcdir:-.}/support/mpi-run.sh" "$1" \
        env LD_PRELOAD="$preload" ./mpi_bcast "$3" "$4"
}

few_tags() { # few_tags RUN'S ARGUMENTS
    HITOP_TEST_TAGS=41
    export HITOP_TEST_TAGS
    run "$@"
    unset HITOP_TEST_TAGS
}

case $mpi_yields in
no)
    run 1 8 524288 8388608
    run 2 8 524288 8388608
    few_tags 2 1 8192 1048577 fixed
    run 3 2 8192 65537 dyn
    run 3 2 8192 65537 cp-rdaas
    ;;
*)
    run 1 8 524288 8388608
    run 2 8 524288 8388608
    few_tags 2 1 524288 8388608 fixed
    run 3 8 8192 262145
    run 3 2 8192 65537 dyn
    run 5 2 524288 1048577
    run 5 1 65536 1048577 dyn
    run 6 2 8192 262145 fixed
    run 5 2 8192 65537 cp-bt
    run 6 1 8192 65537 p-ringaas
    run 7 2 65536 65537 cp-rdaas
    run 7 3 8192 65537 cp-ringaas
    run 8 8 65536 1048577
    run 8 3 524288 8388608 dyn
    ;;
esac
# shellcheck disable=SC2086 # words
sh "${srcdir:-.}/support/shm-left.sh" 3 $before
