#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the model chooses beside what Open MPI and MPICH choose, on simulated sites with narrow ways between them.
# Prints a table for each operation, placement of the ranks and selector; see selector_ab.c for the columns.
# usage: [SIZES="8 1k"] run.sh BUILD_FOLDER [OPERATION...]   (a build with MPICC=smpicc, with `make -C bench` done)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
shift
test $# -gt 0 || set -- bcast reduce scatter gather
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$here/../../testdata/simgrid/make-sites.py" "$work"

SMPI_SEND=mpi SMPI_WALL=3600
export SMPI_SEND SMPI_WALL

simulate() { # simulate PLACEMENT FLAGS COMMAND...
    hosts=$1
    flags=$2
    shift 2
    SMPI_FLAGS="$flags" sh "$here/../../tests/support/smpi-run.sh" "$work/sites.xml" "$work/$hosts.hosts" \
        "$(wc -l <"$work/$hosts.hosts")" "$@"
}

# The model is measured as a user would.
for placement in block robin random; do
    simulate $placement '' "$build/tools/generate_hierarchy" -o "$work/h.dot"
    simulate $placement '' "$build/tools/hierarchical_model" -q -C loggp --exact-thresholds --capacities -M 128KiB \
        -i "$work/h.dot" -o "$work/$placement.json"
done
for operation in "$@"; do
    for placement in block robin random; do
        for selector in ompi mpich; do
            echo "# $operation, ranks placed $placement, selector $selector"
            # shellcheck disable=SC2086 # SIZES is a list
            simulate $placement "--cfg=smpi/coll-selector:$selector" "$build/bench/selectors/selector_ab" \
                "$work/$placement.json" "$operation" ${SIZES:-8 64 512 4k 32k 128k 1m 4m}
        done
    done
done
