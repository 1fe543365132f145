#!/bin/sh
# Hosts and sites share narrow ways: measured capacities are those of the machine, and plans take the time that the
# model with them predicts, most within 1 %, those over trees that send to many within 8 %.
set -eu
simgrid=${srcdir:-.}/../testdata/simgrid
. "${srcdir:-.}/support/scratch.sh"

SMPI_SEND=mpi
export SMPI_SEND

simulate() {
    sh "${srcdir:-.}/support/smpi-run.sh" "$dir/sites.xml" "$dir/robin.hosts" 16 "$@"
}

python3 "$simgrid/make-sites.py" "$dir" 4 2 2
simulate ../tools/generate_hierarchy -o "$dir/h.dot"
simulate ../tools/hierarchical_model -C loggp --exact-thresholds --capacities -M 128KiB -i "$dir/h.dot" \
    -o "$dir/model.json" >"$dir/table"
grep -q '^capacity of 8 host of 2 ranks: 1 (.*), from 2 messages at once' "$dir/table" || fail "hosts: $(cat "$dir/table")"
grep -q '^capacity of 4 group of 4 ranks: 1 (.*), from 2 messages at once' "$dir/table" || fail "sites: $(cat "$dir/table")"
test "$(grep -c '"capacity": "1"' "$dir/model.json")" = 12 || fail "capacities in the model file"
simulate ./smpi_plans "$dir/model.json" 0.08
