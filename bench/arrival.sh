#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What late ranks cost, on one host, between nodes, and beside other libraries, with what is wanted.
# usage: arrival.sh [--parts LIST] BUILD_FOLDER...   measure with the MPI library of each build tree, print the table
#        arrival.sh --table arrival.csv...           print that of earlier runs
#
# Parts, all by default: node (2 ranks of this host), groups (2 x 2 and 2 x 4 ranks of this host as two nodes), cluster
# (4 hosts of the virtual cluster with 2 and 4 ranks each; Open MPI only). Of Open MPI the competitors
# are its default, coll/sm and adapt (han refuses on one host), on the cluster its default and han.
#
# BLOCKS CALLS  pairs of blocks for each number, calls in a block (9, of groups that come together 45, and 100; on the
#               cluster 9 and 1000 together, 3 and 2000 apart: of few calls the largest of 16 means is far above the largest
#               expectation, of any variant)
# LAUNCHES      of each (1); of several the goals are judged by the median
# SIZES         of node (1,64,1k,4k,64k)
# OPTIONS       of bench/arrival ("--alone")
# OUT           the numbers (arrival.csv)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${LAUNCHES:=1}" "${SIZES:=1,64,1k,4k,64k}" "${OPTIONS=--alone}" "${OUT:=arrival.csv}"
. "$here/../build-aux/mpi-environment.sh"
export OMPI_MCA_btl_base_warn_component_unused=0
ours='--variant fixed:HITOP_BCAST=fixed --variant auto:HITOP_BCAST=auto --variant dyn:HITOP_BCAST=dyn'
plain='--variant plain'
. "$here/launch.sh"
trap 'end_launch; exit 143' HUP INT TERM

fail() {
    echo "arrival.sh: $*" >&2
    exit 2
}

table() { # table FILE...
    awk -F, -f "$here/tables.awk" -f "$here/arrival.awk" "$@"
}

# The launcher goes first, with its options; then a colon, then the bench's options.
measure() { # measure LABEL LAUNCHER... : OPTION...
    label=$1
    shift
    launch=
    while [ "$1" != : ]; do
        launch="$launch $1"
        shift
    done
    shift
    echo "$label:$launch arrival $*" >&2
    # shellcheck disable=SC2086 # words
    run_launch timeout 3600 $launch "$build/bench/arrival" --csv --label "$label" --blocks "${BLOCKS:-$blocks}" --calls "${CALLS:-$calls}" \
        $OPTIONS "$@" >"$OUT.part"
    tail -n +2 "$OUT.part" >>"$OUT"
    rm "$OUT.part"
}

# How the launcher preloads the library.
preloaded() { # preloaded [RANKS_OF_A_NODE]
    case $launcher in
    *mpich*) echo "-genv LD_PRELOAD $build/coll/.libs/libhitop_coll.so ${1:+-genv HITOP_VNODE $1}" ;;
    *) echo "-x LD_PRELOAD=$build/coll/.libs/libhitop_coll.so ${1:+-x HITOP_VNODE=$1}" ;;
    esac
}

competitors() { # competitors NAME... ; of MPICH there is one
    case $launcher in *mpich*) echo mpich ;; *) echo "$*" ;; esac
}

component() { # component COMPETITOR ; what makes Open MPI take it
    case $1 in default | mpich) ;; *) echo "--mca coll_$1_priority 100" ;; esac
}

node() {
    for competitor in $(competitors default sm adapt); do
        # shellcheck disable=SC2046,SC2086
        measure "node,$competitor" "$launcher" $(component "$competitor") -n 2 $(preloaded) : \
            --sizes "$SIZES" --intervals 0,20us,100us,500us,2ms $plain --variant auto
    done
    # shellcheck disable=SC2046,SC2086
    for root in 0 rotating; do
        measure "node,$(competitors default)" "$launcher" -n 2 $(preloaded) : --sizes 8,4k --intervals 500us --root $root \
            --patterns late-rank,late-root,early-root,sorted $plain --variant auto
    done
}

groups_come() { # groups_come RANKS_OF_A_GROUP OPTION...
    of_group=$1
    shift
    # shellcheck disable=SC2046,SC2086
    measure "groups,default" "$launcher" -n $((2 * of_group)) $(preloaded "$of_group") : \
        --per-node "$of_group" --sizes 8,64k "$@" --variant leaders $ours $plain
}

groups() {
    case $launcher in *mpich*) return ;; esac # never yields its processor
    for each in 2 4; do
        blocks=45 # of some microseconds, of which one that waits for its processor makes many more
        groups_come "$each" --intervals 0
        blocks=9
        groups_come "$each" --intervals 500us
        groups_come "$each" --intervals 500us --patterns late-rank,late-leader
    done
}

# Connections are made beforehand, because those between leaders that change would be made for long.
cluster_comes() { # cluster_comes COMPETITOR RANKS_OF_A_HOST INTERVAL
    # shellcheck disable=SC2046,SC2086
    measure "cluster,$1" "$build/tests/vcluster/vcluster" run "$here/../tests/vcluster/four-hosts.conf" -- \
        "$launcher" $(component "$1") --mca mpi_yield_when_idle 1 --mca mpi_preconnect_mpi 1 --map-by "ppr:$2:node" -n $((4 * $2)) $(preloaded) : \
        --sizes 8,4k,64k --intervals "$3" --variant p-bt:HITOP_BCAST=p-bt $ours $plain
}

# In a shell of its own: its hosts do not allow high priorities. They share this machine's processors, although each seems to
# have all of them.
cluster() (
    trap 'end_launch; exit 143' HUP INT TERM
    case $launcher in *mpich*) return ;; esac
    "$build/tests/vcluster/vcluster" check >&2 || return 0
    OPTIONS='--delay sleep'
    for each in 2 4; do
        for competitor in default han; do
            blocks=9 calls=1000
            cluster_comes $competitor $each 0
            blocks=3 calls=2000
            cluster_comes $competitor $each 2ms
        done
    done
)

parts=node,groups,cluster blocks=9 calls=100
case ${1-} in
--table)
    [ $# -gt 1 ] || fail "--table wants files"
    shift
    table "$@"
    exit
    ;;
--parts)
    [ $# -gt 2 ] || fail "--parts wants a list, and a build folder"
    parts=$2
    shift 2
    ;;
esac
[ $# -gt 0 ] || fail "usage: arrival.sh [--parts node,groups,cluster] BUILD_FOLDER... | --table FILE..."
echo "part,competitor,operation,ranks,nodes,size_B,interval_us,pattern,root,variant,paper_us,paper_least_us,mean_us,mean_least_us,max_us,root_us,spread_us,efficiency,paper_ratio,paper_ratio_q25,paper_ratio_q75,mean_ratio,mean_ratio_q25,mean_ratio_q75,foreign_percent" >"$OUT"
for folder in "$@"; do
    build=$(cd "$folder" && pwd)
    launcher=$(sed -n 's/^MPIRUN = //p' "$build/tests/Makefile")
    for part in $(echo "$parts" | tr , ' '); do
        case $part in
        node | groups | cluster) ;;
        *) fail "there is no part '$part'" ;;
        esac
        for _ in $(seq "$LAUNCHES"); do
            $part
        done
    done
done
table "$OUT"
