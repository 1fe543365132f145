#!/bin/sh
# Comparing Hitop with the MPI library (HITOP_TRIAL) pays off on a simulated machine of 128 ranks: broadcasts that the MPI library
# serves faster take less time, although ranks combine the times of all.
set -eu
. "${srcdir:-.}/support/scratch.sh"

awk 'BEGIN { for (i = 0; i < 128; i++) print "n" int(i / 8) }' >"$dir/hosts"
run() { # run TRIAL: 24 broadcasts of 8 bytes with 100 us of computation between them
    HITOP_TRIAL=$1 HITOP_STATS=1 SMPI_SEND=mpi sh "${srcdir:-.}/support/smpi-run.sh" "${srcdir:-.}/../bench/paper/infiniband.xml" "$dir/hosts" \
        128 ../bench/paper/application 24 8 100 0 24 auto >"$dir/out" 2>"$dir/err" || fail "HITOP_TRIAL=$1: status $?: $(cat "$dir/err")"
    awk '$1 == "auto" { print 1e6 * $2 }' "$dir/out"
}
without=$(run 0)
with=$(run 2)
echo "24 broadcasts: $without us without and $with us with comparison"
grep -Eq '^ *bcast +node 0 .* 2 +MPI$' "$dir/err" "$dir/out" || fail "the MPI library does not serve the calls: $(cat "$dir/err" "$dir/out")"
awk -v a="$with" -v b="$without" 'BEGIN { exit !(a > 0 && a < b) }' || fail "comparison costs more time than it saves"
