#!/bin/sh
# The size from which sends wait for the receiver is where linear scatter changes its ways; also in a model.
set -eu
top=${srcdir:-.}
machine=$top/../testdata/simgrid/four-levels
. "${srcdir:-.}/support/scratch.sh"
export SMPI_FLAGS='--cfg=smpi/async-small-thresh:17408 --cfg=smpi/send-is-detached-thresh:17408'

sed -n 'p;n' "$machine.hosts" >"$dir/hosts" # one rank on each host
run() { # run PROGRAM ARGUMENT...
    sh "$top/support/smpi-run.sh" "$machine.xml" "$dir/hosts" 8 "$@"
}

run ./smpi_thresholds 17408
run ../tools/flat_model -C lmo -o "$dir/m.json" -p 0 -M 128KiB --scatter-gather >"$dir/table"
cat "$dir/table"
grep -q '^scatter and gather change at, in bytes:  S 20480  M1 none  M2 none$' "$dir/table"
grep -q '"S": 20480' "$dir/m.json"
