#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Preloaded collectives against those of the MPI library alone, on placements of the virtual cluster (never_worse.c).
# usage: never_worse.sh [--short] BUILD_FOLDER [OPERATION[,OPERATION...] [BYTES...]]
#
# About 10 minutes, --short 2. WITH is a command that runs each launch, e.g. nice; the last line is the worst ratio.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
short=0
[ "${1-}" != --short ] || { short=1; shift; }
[ $# -ge 1 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
shift
operations=${1:-bcast,reduce,allreduce,gather,scatter,allgather,alltoall,barrier}
[ $# -eq 0 ] || shift
: "${WITH:=}" "${MPIRUN:=mpirun}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
library=$build/coll/.libs/libhitop_coll.so
stats=$build/bench/never_worse.stats rows=$build/bench/never_worse.rows # the hosts of the cluster see them
trap 'rm -f "$stats" "$rows"' EXIT

# Rows of the program, each with the library that serves it according to the statistics. Without a result it is MPI, if Hitop
# cannot serve the call, or both in turns.
join() { # join ROWS STATISTICS
    awk 'FNR == NR && $1 == "hitop" { next }
        FNR == NR && NF == 3 { hitop[$1] = $2 }
        FNR == NR && ($2 == "node" || $2 == "-") && NF >= 7 {
            if ($2 == "node" && $3 != 0) next
            at = $2 == "node" ? 4 : 3
            if (split($at, range, "-") < 2) range[1] = range[2] = 0
            by[$1, ++n[$1]] = $(at + 4) == "MPI" ? "MPI" : "Hitop"
            from[$1, n[$1]] = range[1]; to[$1, n[$1]] = range[2]
            next
        }
        FNR < NR {
            server = hitop[$3] > 0 ? "no result" : "MPI (never Hitop)"
            for (i = 1; i <= n[$3]; i++) if ($4 >= from[$3, i] && $4 <= to[$3, i]) server = by[$3, i]
            print $0 " " server
        }' "$2" "$1"
}

run() { # run CONFIG RANKS BY OPTION... ; BY names the placement
    config=$1 ranks=$2 by=$3
    shift 3
    rm -f "$stats"
    # shellcheck disable=SC2086 # words
    timeout -k 5 "$limit" $WITH "$build/tests/vcluster/vcluster" run "$here/../../tests/vcluster/$config.conf" -- \
        "$MPIRUN" "$@" -n "$ranks" -x LD_PRELOAD="$library" -x HITOP_TRIAL="${HITOP_TRIAL-12}" -x HITOP_STATS="$stats" \
        "$build/bench/never_worse" "$config,$by" "$operations" $seconds $sizes </dev/null 2>/dev/null >"$rows" ||
        echo "$config,$by $ranks ranks: stopped after $limit s" >&2
    touch "$stats"
    join "$rows" "$stats"
}

if [ $short -eq 1 ]; then
    limit=90 seconds=1.5 sizes=${*:-1024 65536}
else
    limit=150 seconds=3 sizes=${*:-1024 65536 1048576}
fi
echo "placement                 n operation   size_B    plain_us preloaded_us ratio  quartiles       served by"
{
    run two-sites 8 by-host --map-by slot
    run two-sites 4 one-a-host --map-by node
    if [ $short -eq 0 ]; then
        run two-sites 8 round-robin --map-by node
        run two-sites 3 by-host --map-by slot
        run two-sites 5 by-host --map-by slot
        run two-sites 7 round-robin --map-by node
        run eight-hosts 3 one-a-host
        run eight-hosts 4 one-a-host
        run eight-hosts 7 one-a-host
    fi
    run eight-hosts 8 one-a-host
} | awk '{ print; fflush() } $7 + 0 > worst { worst = $7; row = $0 } END { if (worst) print "worst: " row }'
