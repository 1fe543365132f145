#!/bin/sh
# Two hosts whose calls take time of their own: models that separate overheads from latency get both back.
# Sending takes 2 us + 0.1 ns/B, receiving 3 us + 0.2 ns/B, the wire 10 us + 1 ns/B, and every message has 16
# bytes more than its own.
set -eu
top=${srcdir:-.}/..
machine=$top/testdata/simgrid/one-link
. "${srcdir:-.}/support/scratch.sh"
SMPI_SEND=eager
SMPI_FLAGS='--cfg=smpi/os:0:2e-6:1e-10 --cfg=smpi/or:0:3e-6:2e-10' per_byte=1.3e-9
MPIRUN=smpirun
. "${srcdir:-.}/support/mpi-facts.sh"
if [ "$mpi_empty" = no ]; then
    SMPI_FLAGS='--cfg=smpi/os:2e-6 --cfg=smpi/or:3e-6' per_byte=1e-9
fi
export SMPI_SEND SMPI_FLAGS

run() { # run TOOL ARGUMENT...
    tool=$1
    shift
    sh "${srcdir:-.}/support/smpi-run.sh" "$machine.xml" "$machine.hosts" 2 "../tools/$tool" "$@"
}

# value MODEL NAME: a number of the only class, or the first one of a column of its table
value() {
    awk -v key="\"$2\": " '(at = index($0, key)) {
        text = substr($0, at + length(key))
        sub(/^\[/, "", text)
        print text + 0
        exit
    }' "$dir/$1.json"
}

expect() { # expect MODEL NAME NUMBER: within 0.1 %
    awk -v found="$(value "$1" "$2")" -v wanted="$3" -v what="$1 $2" 'BEGIN {
        error = found / wanted - 1
        printf "%s %g, expected %g\n", what, found, wanted
        exit !(error < 1e-3 && error > -1e-3)
    }'
}

run generate_hierarchy -o "$dir/h.dot"
for model in hockney loggp plogp; do
    run hierarchical_model -q -C $model -i "$dir/h.dot" -o "$dir/$model.json"
done
expect hockney alpha 15.016e-6
expect hockney beta $per_byte
expect loggp L 10.016e-6
expect loggp os 2e-6
expect loggp or 3e-6
expect loggp G $per_byte
expect plogp g 3e-6 # of an empty message: the receiver takes longest
expect plogp L 12.016e-6
expect plogp os 2e-6
expect plogp or 3e-6
