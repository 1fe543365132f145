#!/bin/sh
# generate_hierarchy --measure on simulated machines: the switches that names say nothing about, with a tenth
# of all pairs; and groups of names confirmed.
set -eu
top=${srcdir:-.}/..
. "${srcdir:-.}/support/scratch.sh"

run() { # run MACHINE RANKS ARGUMENT...
    machine=$top/testdata/simgrid/$1 ranks=$2
    shift 2
    sh "${srcdir:-.}/support/smpi-run.sh" "$machine.xml" "$machine.hosts" "$ranks" ../tools/generate_hierarchy "$@"
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

# Four clusters at two sites, according to their names: all are confirmed, by fewer pairs than there are.
run four-levels 32 --format text -o "$dir/names"
run four-levels 32 --measure --format text -o "$dir/measured"
sed -i 's/ on [0-9]* hosts*.*//' "$dir/names" "$dir/measured" # only the placement
diff "$dir/names" "$dir/measured"

# Clusters with wrong names are sorted by switch.
run four-switches 64 --measure --prefix-length 5 -o "$dir/wrong.dot"
sed 's/ \[.*//; s/;.*//' "$dir/h.dot" | grep -e '->' >"$dir/edges"
sed 's/ \[.*//; s/;.*//' "$dir/wrong.dot" | grep -e '->' | diff "$dir/edges" - || fail "wrong names"

# Seven hosts of four switches; one host; too little time, which gives a status of its own.
run four-switches 7 --measure --format text -o "$dir/out" 2>"$dir/err"
sed -i 's/ on [0-9]* hosts*.*//' "$dir/out"
diff - "$dir/out" <<'EOF' || fail "seven hosts"
cluster node: ranks 0-6
  group: ranks 0,4
    host node01: rank 0
    host node05: rank 4
  group: ranks 1,5
    host node02: rank 1
    host node06: rank 5
  group: ranks 2,6
    host node03: rank 2
    host node07: rank 6
  host node04: rank 3
EOF
grep -q 'is alone' "$dir/err" && fail "a host that is as far away as others are is reported as slow"
run four-levels 2 --measure --format text -o "$dir/out" 2>"$dir/err"
grep -q 'nothing to measure' "$dir/err" || fail "one host: $(cat "$dir/err")"
status=0
run four-switches 16 --measure-budget 1us --strict -o "$dir/out" 2>"$dir/err" || status=$?
[ "$status" = 4 ] || fail "one microsecond: status $status"
grep -q 'no measurements were left to search for groups among 12 hosts' "$dir/err" || fail "$(cat "$dir/err")"
grep -q 'confidence="0.5' "$dir/out" || fail "no doubts: $(cat "$dir/out")"
