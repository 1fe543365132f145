#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the rules of export_tuning make of Open MPI's algorithms, compared with the default choices of Open MPI and MPICH, on the
# simulated sites of run.sh. An algorithm of the rules runs as the plan that sends the same messages.
# usage: exported.sh BUILD_FOLDER [OPERATION...]   (a build with MPICC=smpicc, with `make -C bench` done)
#
# PLACEMENTS (block) of the ranks: block, robin, random; SIZES ("1k 64k 1m"); WALL (600), the limit in seconds for each cell and
# selector: cells that exceed it, or that take more memory than MEMORY (12000000) KiB, have a - and their reason on standard error.
# KEEP is a folder for models and rules, which are used again if they are there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
shift
test $# -gt 0 || set -- bcast reduce allreduce gather scatter allgather alltoall
: "${PLACEMENTS:=block}" "${SIZES:=1k 64k 1m}" "${WALL:=600}" "${MEMORY:=12000000}" "${KEEP:=}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
keep=${KEEP:-$work}
python3 "$here/../../testdata/simgrid/make-sites.py" "$work"
export SMPI_SEND=mpi SMPI_WALL=3600

simulate() { # simulate PLACEMENT RANKS FLAGS COMMAND...
    hosts=$work/$1.hosts ranks=$2 flags=$3
    shift 3
    SMPI_FLAGS="$flags" sh "$here/../../tests/support/smpi-run.sh" "$work/sites.xml" "$hosts" "$ranks" "$@"
}

prepare() { # prepare PLACEMENT: its model and rules, as run.sh and a user make them
    model=$keep/$1.json
    if [ ! -s "$model" ]; then
        simulate "$1" 256 '' "$build/tools/generate_hierarchy" -o "$work/h.dot"
        simulate "$1" 256 '' "$build/tools/hierarchical_model" -q -C loggp --exact-thresholds --capacities -M 128KiB -i "$work/h.dot" \
            -o "$model"
    fi
    [ -s "$keep/$1.rules" ] ||
        simulate "$1" 1 '' "$build/tools/export_tuning" -i "$model" --format openmpi-tuned --for 4.1 -o "$keep/$1.rules"
    awk -v ranks=256 -f "$here/rules.awk" "$here/../../coll/defaults/openmpi-4.1.txt" "$keep/$1.rules" >"$work/$1.txt"
    echo "include openmpi-4.1" >>"$work/$1.txt"
}

compare() { # compare PLACEMENT SELECTOR OPERATION SIZE
    flags="--cfg=smpi/coll-selector:$2 --cfg=smpi/shared-malloc-blocksize:16777216"
    for named in alltoall allgather allreduce; do # smpi-run.sh names these for the tests
        flags="$flags --cfg=smpi/$named:$2"
    done
    (
        ulimit -d "$MEMORY" # what SimGrid shares between ranks does not count
        SMPI_WALL=$WALL simulate "$1" 256 "$flags" "$build/bench/selectors/selector_ab" "$model" "$3@$work/$1.txt" "$4"
    ) >"$work/$2" 2>"$work/log" || {
        echo "$1 $2 $3 $4: $(tail -n 1 "$work/log")" >&2
        echo "$3 $4 - - - - - -" >"$work/$2"
    }
}

echo "placement operation   size_B  algorithm           segment   predicted_us  exported_us      ompi_us  ratio     mpich_us  ratio"
for placement in $PLACEMENTS; do
    prepare "$placement"
    for operation in "$@"; do
        for size in $SIZES; do
            compare "$placement" ompi "$operation" "$size"
            compare "$placement" mpich "$operation" "$size"
            paste -d ' ' "$work/ompi" "$work/mpich" | awk -v placement="$placement" '{
                printf "%-9s %-9s %8s  %-18s %8s %14s %12s %12s %6s %12s %6s\n", placement, $1, $2, $3, $4, $5, $6, $7, $8, $15, $16 }'
        done
    done
done
