# SPDX-License-Identifier: BSD-3-Clause
# simulate.sh - the simulations of figure.sh, to be read by it: ranks of 16 nodes as in the paper. Rows go to $work/csv.

# No comparison with the MPI library: the simulator searches all pending messages of its reductions at each poll.
HITOP_TRIAL=0
export HITOP_TRIAL

# mpi_bcast is the algorithm of MPI_Bcast() in SimGrid, where a figure names one. Sends of 12 KiB and more wait for their receiver,
# as with MVAPICH2 1.2.
eager='--cfg=smpi/async-small-thresh:12288 --cfg=smpi/send-is-detached-thresh:12288'

simulate() { # simulate NODES RANKS_PER_NODE PROGRAM...
    awk -v nodes="$1" -v each="$2" 'BEGIN { for (i = 0; i < nodes * each; i++) print "n" int(i / each) }' >"$work/hosts"
    np=$(($1 * $2))
    shift 2
    SMPI_FLAGS="$eager ${mpi_bcast:+--cfg=smpi/bcast:$mpi_bcast}" SMPI_SEND=mpi SMPI_WALL=3600 \
        sh "$here/../../tests/support/smpi-run.sh" "$here/infiniband.xml" "$work/hosts" $np "$@"
}

# The model of Hitop's broadcasts is measured as a user would, once for all figures. Those of the paper take its segments, too, so
# that each figure needs it.
model() {
    [ -z "${HITOP_MODEL-}" ] || return 0
    simulate 16 4 "$build/tools/generate_hierarchy" -o "$work/h.dot"
    simulate 16 4 "$build/tools/hierarchical_model" -q -C loggp --exact-thresholds -M 128KiB -i "$work/h.dot" -o "$work/model.json"
    HITOP_MODEL=$work/model.json
    export HITOP_MODEL
}

# Broadcasts whose ranks come within each of INTERVALS microseconds; seeds do not matter where all come together. Each size is a
# simulation of its own: SimGrid 3.32 keeps the requests that MPI_Test() completed and searches them at every sleep, so that
# a simulation of all sizes takes several times as long.
broadcasts() { # broadcasts NODES RANKS_PER_NODE INTERVALS ALGORITHM[,ALGORITHM...] SIZE...
    nodes=${NODES:-$1} each=${RANKS:-$2} intervals=$3 algorithms=$4
    shift 4
    [ -s "$work/csv" ] ||
        echo "nodes,ranks_per_node,interval_us,seed,algorithm,size_B,paper_us,mean_us,root_us,paper_least_us,mean_least_us" >"$work/csv"
    for interval in $intervals; do
        for seed in $([ "$interval" = 0 ] && echo 0 || echo "$SEEDS"); do
            for size; do
                HITOP_TEST_SEED=$seed simulate "$nodes" "$each" "$build/bench/paper/competition" "$interval" \
                    "$([ "$interval" = 0 ] && echo 3 || echo "$REPEATS")" "$algorithms" "$size"
            done >"$work/rows"
            awk -v head="$nodes,$each,$interval,$seed" \
                '{ printf "%s", head; for (i = 1; i <= NF; i++) printf ",%s", $i; print "" }' "$work/rows" >>"$work/csv"
        done
    done
}
