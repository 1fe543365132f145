#!/bin/sh
# Groups found by measurement on several hosts with TCP between them: two sites that names say nothing about,
# with at most half of all pairs.
set -eu
here=$(cd "${srcdir:-.}" && pwd)
. "$here/support/cluster.sh"
dir=$(mktemp -d "$build/measure.XXXXXX")
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAIL: $*" >&2
    cat "$dir/out" "$dir/err" >&2
    exit 1
}

run() { # run CONFIG RANKS ARGUMENT...
    config=$1 ranks=$2
    shift 2
    # on other hosts ranks get a clean environment
    # shellcheck disable=SC2016 # expanded by the rank
    timeout -k 5 60 "$vcluster" run "$here/vcluster/$config" -- "$MPIRUN" -n "$ranks" \
        sh -c 'export ASAN_OPTIONS=detect_leaks=0; exec "$0" "$@"' \
        ../tools/generate_hierarchy "$@" >"$dir/out" 2>"$dir/err"
}

attempt() { # attempt; 1 and a message in $dir/why unless the two sites were found
    # Latencies differ by a factor of eight; a busy machine makes smaller steps.
    run nameless.conf 8 --measure-step 3 --measure-budget 20s -o "$dir/h.dot" || {
        echo "status $?" >"$dir/why"
        return 1
    }
    pairs=$(grep -o 'measured_pairs="[0-9]*"' "$dir/h.dot" | grep -o '[0-9]*')
    [ "$pairs" -le 14 ] || {
        echo "$pairs of 28 pairs" >"$dir/why"
        return 1
    }
    for hosts in 'alpha charlie delta foxtrot golf hotel' 'bravo echo'; do
        groups=$(for host in $hosts; do
            id=$(sed -n "s/^ *\([0-9]*\) \[type=0, model_data=\"$host\".*/\1/p" "$dir/h.dot")
            sed -n "s/^ *$id->\([0-9]*\);/\1/p" "$dir/h.dot"
        done | sort -u)
        [ "$(echo "$groups" | wc -l)" = 1 ] || {
            echo "$hosts are in groups $groups" >"$dir/why"
            return 1
        }
    done
    [ "$(grep -c 'type=1.*source="measured"' "$dir/h.dot")" = 3 ] || {
        echo "not two groups and a root" >"$dir/why"
        return 1
    }
}

# Processors that many others use delay messages by more than distance does, but not always.
attempt || attempt || attempt || fail "$(cat "$dir/why")"
