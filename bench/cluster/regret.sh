#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The predicted times of what Open MPI chooses by default against the times that it takes, on the virtual cluster.
# usage: regret.sh BUILD_FOLDER [OPERATION[,OPERATION...] [SIZE[,SIZE...]]]
#
# About 6 minutes. RANKS (8), CLUSTER (two-sites), LIBRARY (openmpi-4.1), LAUNCHES (3), MODEL_BUDGET (30s) for the model,
# BUDGET (1s) for each operation and size of a launch. low and high are the smallest and the largest median of a launch.
set -eu
self=$(readlink -f "$0")
source=$(cd "$(dirname "$self")/../.." && pwd)
[ $# -ge 1 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
: "${RANKS:=8}" "${CLUSTER:=two-sites}" "${LIBRARY:=openmpi-4.1}" "${LAUNCHES:=3}" "${MODEL_BUDGET:=30s}" "${BUDGET:=1s}"

inside() { # inside OPERATIONS SIZES ; on the first host of the cluster
    mpirun -n "$RANKS" generate_hierarchy -o cluster.dot
    mpirun -n "$RANKS" hierarchical_model -i cluster.dot -o model.json --budget "$MODEL_BUDGET" -q
    predict_collective -i model.json --mpi "$LIBRARY" -O "$1" --sizes "$2" --format csv -o predicted.csv
    for launch in $(seq "$LAUNCHES"); do
        mpirun -n "$RANKS" benchmark_collective -O "$1" -n "$RANKS" --sizes "$2" --budget "$BUDGET" -f csv -q \
            -o "measured-$launch.csv" 2>>warnings.log
    done
}

table() {
    awk -F, -v launches="$LAUNCHES" '
        function at(list, n, k,    i, j, swap) { # the k-th smallest of n
            for (i = 1; i <= n; i++) for (j = i + 1; j <= n; j++) if (list[j] < list[i]) { swap = list[i]; list[i] = list[j]; list[j] = swap }
            return list[k]
        }
        FNR == 1 { file++; for (i = 1; i <= NF; i++) column[$i] = i; next }
        file == 1 {
            key[++rows] = $column["operation"] "," $column["size_B"]
            predicted[rows] = $column["time_us"]
            name[rows] = $column["choice"] "," $column["plan"]
            next
        }
        {
            o = $column["operation"] == "broadcast" ? "bcast" : $column["operation"]
            time[o "," $column["size_B"], file - 1] = $column["median_us"]
        }
        END {
            for (r = 1; r <= rows; r++) {
                split(key[r], k, ",")
                split(name[r], c, ",")
                n = 0
                for (l = 1; l <= launches; l++) if ((key[r], l) in time) one[++n] = time[key[r], l]
                if (!n || predicted[r] == "") continue
                middle = at(one, n, int((n + 1) / 2))
                error = 100 * (predicted[r] / middle - 1)
                all[++cells] = error < 0 ? -error : error
                printf "%-20s %8d %-20s %-6s %12.0f %12.0f %12.0f %12.0f %8.1f\n", k[1], k[2], c[1], c[2], predicted[r], middle, one[1],
                    one[n], error
            }
            middle = at(all, cells, int((cells + 1) / 2))
            printf "# error of %d cells: median %.1f %%, largest %.1f %%\n", cells, middle, all[cells]
        }' predicted.csv measured-*.csv
}

if [ "$1" = --inside ]; then
    inside "$2" "$3"
    exit
fi
build=$(cd "$1" && pwd)
. "$build/env.sh"
export RANKS LIBRARY LAUNCHES BUDGET MODEL_BUDGET
folder=$build/bench/regret-$CLUSTER
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
timeout 2400 vcluster run "$source/tests/vcluster/$CLUSTER.conf" -- sh "$self" --inside \
    "${2:-bcast,reduce,allreduce,gather,gatherv,scatter,scatterv,allgather,allgatherv,alltoall,alltoallv}" "${3:-1KiB,64KiB,1MiB}"
printf '%-20s %8s %-20s %-6s %12s %12s %12s %12s %8s\n' operation size_B choice plan predicted_us measured_us low high error_%
table
