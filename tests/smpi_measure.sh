#!/bin/sh
# generate_hierarchy --measure on simulated machines: the switches that names say nothing about, with a tenth
# of all pairs; and groups of names confirmed.
set -eu
top=${srcdir:-.}/..
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

run() { # run MACHINE RANKS ARGUMENT...
    machine=$top/testdata/simgrid/$1 ranks=$2
    shift 2
    sh "${srcdir:-.}/smpi-run.sh" "$machine.xml" "$machine.hosts" "$ranks" ../tools/generate_hierarchy "$@"
}

pairs() { # pairs FILE
    grep -o 'measured_pairs="[0-9]*"' "$1" | grep -o '[0-9]*'
}

run four-switches 64 --measure -o "$dir/h.dot"
[ "$(pairs "$dir/h.dot")" -le 201 ] || fail "$(pairs "$dir/h.dot") of 2016 pairs"
[ "$(grep -c 'type=1' "$dir/h.dot")" = 5 ] || fail "not four groups and a root"
[ "$(grep -c 'latency_us="1\.[78]' "$dir/h.dot")" = 4 ] || fail "not four groups of 1.8 us"
[ "$(grep -c 'latency_us="3\.[01]' "$dir/h.dot")" = 1 ] || fail "not a root of 3.1 us"
# Each group has the hosts of one switch: four different pairs of group and switch, not more.
awk 'FNR == NR { if ($1 != "#") { at[$1] = $2 } next }
     /type=0/ { split($0, part, "\""); host[$1] = part[2]; next }
     match($0, /[0-9]+->[0-9]+/) {
         split(substr($0, RSTART, RLENGTH), edge, "->")
         if (edge[1] in host) { print at[host[edge[1]]], edge[2] }
     }' "$top/testdata/simgrid/four-switches.truth" "$dir/h.dot" | sort -u >"$dir/found"
[ "$(wc -l <"$dir/found")" = 4 ] || fail "switches and groups: $(cat "$dir/found")"

# The same bytes each time.
run four-switches 64 --measure -o "$dir/again.dot"
cmp "$dir/h.dot" "$dir/again.dot"

# Four clusters at two sites, which names tell: all are confirmed, by fewer pairs than there are.
run four-levels 32 --format text -o "$dir/names"
run four-levels 32 --measure --format text -o "$dir/measured"
diff "$dir/names" "$dir/measured"
