#!/bin/sh
# A program that is compiled against what is installed estimates a model, predicts, chooses and calls, on several hosts with
# TCP between them: the latency and the bandwidth of the links that were made.
set -eu
here=$(cd "${srcdir:-.}" && pwd)
. "$here/support/scratch.sh"
. "$here/support/cluster.sh"
rmdir "$dir"
dir=$(mktemp -d "$build/estimate.XXXXXX") # /tmp of another host is another one
. "$here/support/stage.sh"

program=$dir/measure_and_use
# shellcheck disable=SC2046,SC2086 # flags are lists
$(ask --variable=mpicc hitop_estimate_mpi) ${CFLAGS-} ${LDFLAGS-} -Wl,-rpath,"$dir/root$lib" -o "$program" \
    "$here/../examples/measure_and_use.c" $(ask --cflags --libs hitop_estimate_mpi hitop_mpi) || fail "it does not compile"

run() { # run RANKS ARGUMENT...
    ranks=$1
    shift
    # on other hosts ranks get a clean environment
    # shellcheck disable=SC2016 # expanded by the rank
    timeout -k 5 90 "$vcluster" run "$here/vcluster/two-sites.conf" -- "$MPIRUN" -n "$ranks" \
        sh -c 'export ASAN_OPTIONS=detect_leaks=0 HITOP_TRIAL=0; exec "$0" "$@"' "$program" "$@" >"$dir/out" 2>"$dir/err" ||
        { cat "$dir/out" "$dir/err"; fail "$ranks ranks: $*"; }
    cat "$dir/out"
}

attempt() { # attempt ; 1 and a message in $dir/why unless the model has the links
    run 8 --tree hosts --seconds 10 --rounds 2
    grep -q '^measured: 8 ranks, 7 links' "$dir/out" || fail "not seven groups"
    grep -q '^checked: ' "$dir/out" || fail "no second round"
    # between sites 2 ms and 25 MB/s, which is 44 ms for 1 MiB
    awk '/^ *1048576 / { n++; if ($4 < 44000 || $4 > 60000) exit 1 } END { exit n != 2 }' "$dir/out" || {
        echo "not the time of 1 MiB between the sites" >"$dir/why"
        return 1
    }
}

# Processors that many others use make medians late.
attempt || attempt || attempt || fail "$(cat "$dir/why")"
run 4 --seconds 6
grep -q '^measured: 4 ranks, 6 links' "$dir/out" || fail "not six pairs"
