#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Collectives of ranks of one host beside those of the MPI libraries at hand, with what is wanted of each.
# usage: node.sh BUILD_FOLDER...        measure with the MPI library of each build tree, then print the tables
#        node.sh --tables node.csv      print those of an earlier run
#
# RANKS        how many, in turns ("2 4 8"); with more than there are processors only rot and b2b mean something
# LAUNCHES     of each; the tables have the median of launches (3)
# OPERATIONS   (bcast,barrier,reduce,allreduce,gather,scatter)
# SIZES        (all powers of two from 1 B to 8 MiB, less some, and 56 B)
# COMPETITORS  of Open MPI ("default sm adapt"), each with the operations that it has: coll/sm has no gather and no scatter,
#              adapt only bcast and reduce, and han refuses on one host; for the others Open MPI takes its default's
# BLOCKS       pairs of blocks for each number (11)
# OPTIONS      of collective_ab ("--alone")
# ROUND_TRIP   of the tables: only what was measured while a word went to another processor and back in so many ns, "200 420"
#              ("0 1e9"): virtual processors move
# OUT          the numbers (node.csv)
#
# All of it with two build trees takes more than an hour.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${RANKS:=2 4 8}" "${LAUNCHES:=3}" "${OPERATIONS:=bcast,barrier,reduce,allreduce,gather,scatter}"
: "${SIZES:=1,8,56,64,256,512,1k,2k,4k,8k,16k,32k,64k,128k,256k,512k,1m,2m,4m,8m}" "${BLOCKS:=11}"
: "${COMPETITORS:=default sm adapt}" "${OPTIONS=--alone}" "${OUT:=node.csv}" "${ROUND_TRIP:=0 1e9}"
. "$here/../build-aux/mpi-environment.sh"
processors=$(nproc)
. "$here/launch.sh"
trap 'end_launch; exit 143' HUP INT TERM

tables() {
    awk -F, -v least="${ROUND_TRIP%% *}" -v most="${ROUND_TRIP##* }" -f "$here/tables.awk" -f "$here/node.awk" "$1"
}

# Rows of collective_ab, with competitor, launch and mode as first columns; "cold" is a mode of its own here.
measure() { # measure COMPETITOR LAUNCH COLD COMMAND...
    competitor=$1 launch=$2 cold=$3
    shift 3
    echo "$*" >&2
    run_launch timeout 3600 "$@" --csv --blocks "$BLOCKS" >"$OUT.part"
    awk -F, -v OFS=, -v competitor="$competitor" -v launch="$launch" -v cold="$cold" \
        'NR > 1 { print competitor, launch, cold ? "cold" : $12, $0 }' "$OUT.part" >>"$OUT"
    rm "$OUT.part"
}

# Those of OPERATIONS that a competitor serves itself.
operations() { # operations COMPETITOR
    case $1 in
    sm) own=bcast,barrier,reduce,allreduce ;;
    adapt) own=bcast,reduce ;;
    *) own=$OPERATIONS ;;
    esac
    echo "$OPERATIONS" | tr , '\n' | grep -x -F "$(echo "$own" | tr , '\n')" | paste -s -d , -
}

compare() { # compare BUILD COMPETITOR RANKS LAUNCH LAUNCHER...
    build=$1 competitor=$2 np=$3 launch=$4
    shift 4
    sizes=$SIZES modes=sync,rot,b2b
    served=$(operations "$competitor")
    [ -n "$served" ] || return 0
    if [ "$np" -gt "$processors" ]; then
        modes=rot,b2b
        # those that never yield take milliseconds for everything
        case $competitor in sm | mpich) sizes=8,1k,16k,64k,1m ;; esac
    fi
    # the launcher, the library, and what is compared
    set -- "$@" -n "$np" env LD_PRELOAD="$build/coll/.libs/libhitop_coll.so" "$build/bench/collective_ab"
    # shellcheck disable=SC2086 # options are words
    measure "$competitor" "$launch" 0 "$@" $OPTIONS -O "$served" --mode $modes --sizes "$sizes"
    if [ "$np" -le "$processors" ] && [ "$competitor" = default ]; then
        # shellcheck disable=SC2086
        measure "$competitor" "$launch" 1 "$@" $OPTIONS -O bcast --mode sync --sizes "$sizes" --cold 64MiB
    fi
}

compare_all() { # compare_all BUILD LAUNCH RANKS
    launcher=$(sed -n 's/^MPIRUN = //p' "$1/tests/Makefile")
    bind=core
    [ "$3" -le "$processors" ] || bind=none
    case $launcher in
    *mpich*) compare "$1" mpich "$3" "$2" "$launcher" -bind-to $bind ;;
    *)
        yield=0
        [ "$3" -le "$processors" ] || yield=1
        for competitor in $COMPETITORS; do
            case $competitor in
            default) compare "$1" default "$3" "$2" "$launcher" --bind-to $bind --mca mpi_yield_when_idle $yield ;;
            *) compare "$1" "$competitor" "$3" "$2" "$launcher" --bind-to $bind --mca mpi_yield_when_idle $yield \
                --mca "coll_${competitor}_priority" 100 ;;
            esac
        done
        ;;
    esac
}

[ $# -gt 0 ] || { sed -n '4,5s/^# //p' "$0" >&2; exit 2; }
if [ "$1" = --tables ]; then
    tables "$2"
    exit
fi
echo "competitor,launch,mode,size_B,plain_us,preloaded_us,ratio,ratio_q25,ratio_q75,blocks,operations,foreign_percent,noisy_blocks,operation,mode_run,ranks,round_trip_ns" >"$OUT"
launch=1
while [ $launch -le "$LAUNCHES" ]; do
    for np in $RANKS; do
        for build in "$@"; do
            compare_all "$(cd "$build" && pwd)" "$launch" "$np"
        done
    done
    launch=$((launch + 1))
done
tables "$OUT"
