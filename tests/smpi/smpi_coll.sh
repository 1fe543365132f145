#!/bin/sh
# Collectives by plans on a simulated machine of sixteen ranks, which are in one process and share its communicator.
set -eu
simgrid=${srcdir:-.}/../testdata/simgrid
. "${srcdir:-.}/support/scratch.sh"

python3 "$simgrid/make-mesh.py" "$dir" 16

check() { # check [OPTION...]
    sh "${srcdir:-.}/support/smpi-run.sh" "$dir/mesh.xml" "$dir/mesh.hosts" 16 ../tools/check_collective "$@" >"$dir/out" ||
        { cat "$dir/out"; fail "$*"; }
    tail -n 1 "$dir/out" | grep -q '^[1-9][0-9]* calls, 0 wrong$' || fail "$*: $(tail -n 1 "$dir/out")"
}

check -M 600 -T map,vector -A auto,binomial,ring,bruck,recursive_doubling
