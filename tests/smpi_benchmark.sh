#!/bin/sh
# benchmark_collective on a simulated machine: each single time is what the wires and the plan say, to a ten-thousandth.
set -eu
. "${srcdir:-.}/scratch.sh"

python3 "${srcdir:-.}/../testdata/simgrid/make-mesh.py" "$dir" 4

run() { # run CASE OPTIONS...
    case=$1
    shift
    sh "${srcdir:-.}/smpi-run.sh" "$dir/mesh.xml" "$dir/mesh.hosts" 4 ../tools/benchmark_collective -q -f csv -n 4 -r 8 -R 8 "$@" \
        >"$dir/out" || fail "$case"
    python3 "${srcdir:-.}/benchmark_truth.py" "$dir/mesh.truth" "$dir/out" "$case" || fail "$case: $(cat "$dir/out")"
}
rooted='broadcast scatter gather reduce'

run messages --check --sizes 0,1000,100000 pingpong pairs sendreceive exchange
# The first call by Hitop makes a communicator, and plans: that is no part of any time.
run flat --check --sizes 1000,100000 --implementation hitop/flat $rooted
run rotating --check --sizes 1000,100000 --root rotating --implementation hitop/flat $rooted
run chain --sizes 1000 --implementation hitop/chain broadcast
run all --check --sizes 1000,100000 --implementation hitop/linear alltoall
run barrier --implementation hitop/dissemination barrier
# Rank 1 comes when the others have gone: its own message is what is left.
echo '0 3000 0 0' >"$dir/trace"
run late --sizes 1000,100000 --trace "$dir/trace" --implementation hitop/flat broadcast

# The same seed gives the same bytes.
cp "$dir/out" "$dir/before"
run late --sizes 1000,100000 --trace "$dir/trace" --implementation hitop/flat broadcast
cmp "$dir/before" "$dir/out" || fail "two runs differ"
