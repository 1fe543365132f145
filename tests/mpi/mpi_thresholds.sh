#!/bin/sh
# HITOP_THRESHOLDS: files of tune_node and of people are used and reported; an error in a file is reported with its line, and
# the program continues. Random collectives are right with limits that no machine would want.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/programs.sh"
preload=$PWD/../coll/.libs/libhitop_coll.so
export HITOP_LAZY=0 HITOP_VERBOSE=2

stress() { # stress FILE RANKS WHAT...: what it says is in $dir/out
    file=$1 np=$2
    shift 2
    sh "${srcdir:-.}/support/mpi-run.sh" "$np" env HITOP_THRESHOLDS="$file" "$@" LD_PRELOAD="$preload" ./mpi_stress --calls 200 \
        >"$dir/out" 2>&1 || fail "$file, $np ranks: $(cat "$dir/out")"
    grep -qx "200 calls, 0 wrong" "$dir/out" || fail "$file, $np ranks: $(tail -n 1 "$dir/out")"
}

reported() { # reported TEXT
    grep -qF -e "$1" "$dir/out" || fail "no '$1' in $(cat "$dir/out")"
}

$bin/tune_node --rows 2:shared --settings barrier-lines-to --quads 8 -o "$dir/tuned"
stress "$dir/tuned" 2
grep -q 'HITOP_THRESHOLDS: ' "$dir/out" && fail "what tune_node writes is refused: $(cat "$dir/out")"
reported "thresholds of rank 0's node: barrier-lines-to "

cat >"$dir/odd" <<'END'
ranks any alone # also for ranks that share processors
barrier-lines-to 1000
fragment 8KiB:1KiB any:3KiB
cma-from 1KiB
cma-chunk any:16KiB
gather-step 1KiB
scatter-step 3KiB
gather-cma-from 1KiB
scatter-cma-from never
rendezvous-chunk any:17KiB
spill-to any
allgather-direct-from 1KiB
alltoall-direct-from 1KiB
reduce-part any:1KiB
allreduce-part 2KiB:1KiB any:5KiB
share-from 1KiB
END
sed 's/any alone/any shared/; s/barrier-lines-to 1000/barrier-lines-to 0/; s/scatter-cma-from never/scatter-cma-from 1KiB/' \
    "$dir/odd" >"$dir/more"
cat "$dir/more" >>"$dir/odd"
stress "$dir/odd" 2
reported "fragment 8KiB:1KiB any:3KiB"
reported "share-from 1KiB"
stress "$dir/odd" 4 HITOP_VNODE=2
reported "spill-to any"

printf 'ranks 2 alone\n\nshare-from 12x\n' >"$dir/wrong"
stress "$dir/wrong" 2
reported "hitop: HITOP_THRESHOLDS: $dir/wrong: line 3: '12x': neither a size from 1KiB on nor 'never'; going on without the file"
test "$(grep -c HITOP_THRESHOLDS: "$dir/out")" -le 2 || fail "reported more than once by a process: $(cat "$dir/out")"
stress /nowhere/file 2
reported "HITOP_THRESHOLDS: /nowhere/file"
