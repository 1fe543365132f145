#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# An MPI library with the tuning file of export_tuning against the same without it, in turns, on the virtual cluster. Nothing is preloaded.
# usage: tuned.sh BUILD_FOLDER [OPERATION[,OPERATION...] [SIZE[,SIZE...]]]
#
# The library is that of the build. About 7 minutes: the main job of README, export_tuning, then LAUNCHES launches (3) without the
# file and as many with it. RANKS (8), CLUSTER (two-sites), SLOTS of each of its hosts (as in the file), PLACE (options of mpirun
# that place the ranks), BUDGET (1s) for each operation and size of a launch, MODEL_BUDGET (30s) for the model, POINTS (12) that
# export_tuning measures before it writes the file; 0: all rules are written. gain is the time without the file over that with
# it, low and high are its range over pairs of launches.
set -eu
self=$(readlink -f "$0")
source=$(cd "$(dirname "$self")/../.." && pwd)
[ $# -ge 1 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
: "${RANKS:=8}" "${CLUSTER:=two-sites}" "${SLOTS:=}" "${PLACE:=}" "${LAUNCHES:=3}" "${MODEL_BUDGET:=30s}" "${BUDGET:=1s}" "${POINTS:=12}"

# What puts the file in force, as the manual page has it.
with_file() { # with_file COMMAND...
    if [ "$LIBRARY" = openmpi ]; then
        OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/rules "$@"
    else
        MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$PWD/rules "$@"
    fi
}

measure() { # measure OPERATIONS SIZES OUTPUT
    # shellcheck disable=SC2086 # words
    $LAUNCH benchmark_collective -O "$1" -n "$RANKS" --sizes "$2" --implementation mpi --budget "$BUDGET" -f csv -q -o "$3" \
        2>>warnings.log
}

inside() { # inside OPERATIONS SIZES ; on the first host of the cluster
    LAUNCH="mpirun -n $RANKS $PLACE" format=openmpi-tuned
    if [ "$LIBRARY" = mpich ]; then
        LAUNCH="mpirun.mpich -n $RANKS $PLACE" format=mpich-csel
    fi
    $LAUNCH generate_hierarchy -o cluster.dot
    $LAUNCH hierarchical_model -i cluster.dot -o model.json --budget "$MODEL_BUDGET" -q
    status=0
    if [ "$POINTS" -gt 0 ]; then
        export_tuning -i model.json --format $format -o rules --verify "$LAUNCH" --points "$POINTS" >verify.log 2>&1 || status=$?
    else
        export_tuning -i model.json --format $format -o rules >verify.log 2>&1 || status=$?
    fi
    [ $status -eq 0 ] || [ $status -eq 4 ] || { cat verify.log >&2; exit 1; }
    for launch in $(seq "$LAUNCHES"); do
        measure "$1" "$2" "without-$launch.csv"
        with_file measure "$1" "$2" "with-$launch.csv"
    done
}

table() {
    awk -F, -f "$source/bench/tables.awk" -f /dev/stdin without-*.csv with-*.csv <<'END'
FNR == 1 {
    for (i = 1; i <= NF; i++) column[$i] = i
    side = FILENAME ~ /^without/ ? "without" : "with"
    next
}
{
    key = ($column["operation"] == "broadcast" ? "bcast" : $column["operation"]) " " $column["size_B"]
    if (!(key in times)) order[++rows] = key
    times[key] = 1
    list[side, key] = list[side, key] " " $column["median_us"]
}
END {
    for (r = 1; r <= rows; r++) {
        key = order[r]
        if (split(list["without", key], a, " ") != split(list["with", key], b, " ")) continue # a launch had no time for the cell
        low = high = a[1] / b[1]
        for (i = 2; i in a; i++) {
            gain = a[i] / b[i]
            low = gain < low ? gain : low
            high = gain > high ? gain : high
        }
        slow = median(list["without", key])
        fast = median(list["with", key])
        split(key, k, " ")
        printf "%-14s %8d %12.0f %12.0f %7.2f %7.2f %7.2f\n", k[1], k[2], slow, fast, slow / fast, low, high
    }
}
END
}

if [ "$1" = --inside ]; then
    inside "$2" "$3"
    exit
fi
build=$(cd "$1" && pwd)
. "$build/env.sh"
LIBRARY=openmpi
ldd "$build/tools/.libs/benchmark_collective" | grep -q libmpich && LIBRARY=mpich
export RANKS LIBRARY LAUNCHES BUDGET MODEL_BUDGET PLACE POINTS
folder=$build/bench/tuned-$CLUSTER-$RANKS
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
sed ${SLOTS:+-e "/^host/s/ slots=[0-9]*//" -e "/^host/s/\$/ slots=$SLOTS/"} -e '' "$source/tests/vcluster/$CLUSTER.conf" >cluster.conf
timeout 5400 vcluster run cluster.conf -- sh "$self" --inside "${2:-bcast,reduce,allreduce,gather,scatter,allgather,alltoall}" "${3:-1KiB,64KiB,1MiB}"
printf '%-14s %8s %12s %12s %7s %7s %7s\n' operation size_B without_us with_us gain low high
table
cat verify.log
