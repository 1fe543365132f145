#!/bin/sh
# Up to which size sends complete alone on simulated machines, where the configuration of the simulator sets it.
set -eu
export SMPI_FLAGS
machine=${srcdir:-.}/../testdata/simgrid/one-link
. "${srcdir:-.}/support/scratch.sh"

run() { # run PROGRAM ARGUMENT...
    sh "${srcdir:-.}/support/smpi-run.sh" "$machine.xml" "$machine.hosts" 2 "$@"
}

expect() { # expect SIZE [OPTION...]: the same twice
    size=$1
    shift
    SMPI_FLAGS=$*
    run ./mpi_eager >"$dir/out"
    printf '%s\n%s\n' "$size" "$size" | diff - "$dir/out"
}

expect 65535 --cfg=smpi/send-is-detached-thresh:65536
expect 17407 --cfg=smpi/async-small-thresh:4096 --cfg=smpi/send-is-detached-thresh:17408
expect 0 --cfg=smpi/send-is-detached-thresh:0
expect 4194304+ --cfg=smpi/send-is-detached-thresh:4194305

# And in the model.
SMPI_FLAGS='--cfg=smpi/async-small-thresh:4096 --cfg=smpi/send-is-detached-thresh:17408'
run ../tools/generate_hierarchy -o "$dir/h.dot"
run ../tools/hierarchical_model -C hockney -i "$dir/h.dot" -o "$dir/m.json" -q --exact-thresholds
grep -q '"eager_B": 17407[,}]' "$dir/m.json"
