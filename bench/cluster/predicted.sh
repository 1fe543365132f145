#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Predicted against measured times on the virtual cluster: the main job of README on two sites and on eight hosts, then each
# operation by the algorithm that Hitop chooses and by the MPI library in turns.
# usage: predicted.sh BUILD_FOLDER [OPERATION[,OPERATION...] [SIZE[,SIZE...]]]
#
# About 5 minutes. wire_us is the least time that the line between the sites allows: its latency and the bytes that must cross it.
# RANKS (8), CLUSTERS, MODEL_BUDGET (30s) for the model, BUDGET (6s) for each operation and size.
set -eu
self=$(readlink -f "$0")
source=$(cd "$(dirname "$self")/../.." && pwd)
[ $# -ge 1 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
: "${RANKS:=8}" "${CLUSTERS:=two-sites eight-hosts}" "${BUDGET:=6s}" "${MODEL_BUDGET:=30s}"

inside() { # inside OPERATIONS SIZES ; the main job, on the first host of a cluster
    mpirun -n "$RANKS" generate_hierarchy -o cluster.dot
    mpirun -n "$RANKS" hierarchical_model -i cluster.dot -o model.json --budget "$MODEL_BUDGET" -q
    HITOP_MODEL=model.json mpirun -n "$RANKS" benchmark_collective -O "$1" -n "$RANKS" --sizes "$2" \
        --compare mpi,hitop/auto --budget "$BUDGET" -f csv -q -o measured.csv
    for operation in $(echo "$1" | tr , ' '); do
        predict_collective -i model.json -O "$operation/auto" --sizes "$2" --format csv
    done >predicted.csv
}

table() { # table CLUSTER LATENCY_US BANDWIDTH_MBPS
    awk -F, -v cluster="$1" -v latency="$2" -v rate="$3" -v far=$((RANKS / 2)) '
        FNR == 1 { file++ }
        file == 1 && $1 != "operation" { time[$1, $5] = $7; way[$1, $5] = $6; next }
        file == 2 && $2 == "mpi" { plain[$1, $11] = $15; next }
        file == 2 && $2 == "hitop/auto" {
            o = $1 == "broadcast" ? "bcast" : $1
            blocks = o == "alltoall" ? far * far : o ~ /gather|scatter/ ? far : 1
            printf "%-12s %-10s %8d %-22s %12.0f %12.0f %8.1f %12.0f %7.2f %12.0f\n", cluster, o, $11, way[o, $11], time[o, $11],
                $15, 100 * (time[o, $11] / $15 - 1), plain[$1, $11], $15 / plain[$1, $11],
                latency + (o == "barrier" ? 0 : blocks * $11 / rate)
        }' predicted.csv measured.csv
}

if [ "$1" = --inside ]; then
    inside "$2" "$3"
    exit
fi
build=$(cd "$1" && pwd)
. "$build/env.sh"
export RANKS BUDGET MODEL_BUDGET
printf '%-12s %-10s %8s %-22s %12s %12s %8s %12s %7s %12s\n' cluster operation size_B algorithm predicted_us hitop_us error_% \
    mpi_us ratio wire_us
for cluster in $CLUSTERS; do
    config=$source/tests/vcluster/$cluster.conf
    folder=$build/bench/predicted-$cluster
    rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
    timeout 1200 vcluster run "$config" -- sh "$self" --inside "${2:-bcast,allreduce,alltoall,gather}" "${3:-1KiB,64KiB,1MiB}"
    # shellcheck disable=SC2046 # two words
    table "$cluster" $(vcluster truth "$config" | awk '$1 == "wan" { print $4, $5 }')
done
