#!/bin/sh
# Up to which size sends complete alone on simulated machines, where it is what the simulator was told.
set -eu
machine=${srcdir:-.}/../testdata/simgrid/one-link
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

expect() { # expect SIZE [OPTION...]: the same twice
    size=$1
    shift
    SMPI_FLAGS=$* sh "${srcdir:-.}/smpi-run.sh" "$machine.xml" "$machine.hosts" 2 ./mpi_eager >"$dir/out"
    printf '%s\n%s\n' "$size" "$size" | diff - "$dir/out"
}

expect 65535 --cfg=smpi/send-is-detached-thresh:65536
expect 17407 --cfg=smpi/async-small-thresh:4096 --cfg=smpi/send-is-detached-thresh:17408
expect 0 --cfg=smpi/send-is-detached-thresh:0
expect 4194304+ --cfg=smpi/send-is-detached-thresh:4194305
