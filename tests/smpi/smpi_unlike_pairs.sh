#!/bin/sh
# One slow pair among six hosts: a model that has one set of parameters for all pairs names the pairs it is made of, says that
# they differ, and has intervals that contain the slow one. Where pairs are alike it says nothing.
set -eu
. "${srcdir:-.}/support/scratch.sh"

# machine NAME LATENCY BANDWIDTH: every pair has a wire of its own, 10 us and 1 GB/s; ranks 2 and 3 have the other one
machine() {
    {
        printf '%s\n' '<?xml version="1.0"?>' '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">' \
            '<platform version="4.1">' '<zone id="world" routing="Full">'
        awk -v latency="$2" -v bandwidth="$3" 'BEGIN {
            for (i = 0; i < 6; i++) printf "<host id=\"n%d.x.org\" speed=\"1Gf\"/>\n", i
            for (i = 0; i < 6; i++) for (j = i + 1; j < 6; j++) {
                slow = i == 2 && j == 3
                link = link sprintf("<link id=\"w%d%d\" latency=\"%s\" bandwidth=\"%s\"/>\n", i, j,
                    slow ? latency : "10us", slow ? bandwidth : "1GBps")
                route = route sprintf("<route src=\"n%d.x.org\" dst=\"n%d.x.org\"><link_ctn id=\"w%d%d\"/></route>\n", i, j, i, j)
            }
            printf "%s%s", link, route
        }'
        printf '%s\n' '</zone>' '</platform>'
    } >"$dir/$1.xml"
}

run() { # run MACHINE TOOL ARGUMENT...
    machine=$1 tool=$2
    shift 2
    sh "${srcdir:-.}/support/smpi-run.sh" "$dir/$machine.xml" "$dir/m.hosts" 6 "../tools/$tool" "$@"
}

for i in 0 1 2 3 4 5; do echo "n$i.x.org"; done >"$dir/m.hosts"
machine alike 10us 1GBps
machine slow 40us 250MBps
run alike generate_hierarchy -o "$dir/h.dot"

# look NAME PAIRS UNLIKE: what the file says; the interval of alpha holds the slow pair
look() {
    python3 - "$dir/$1.json" "$2" "$3" <<'END' || fail "$1: the file"
import json, sys
c = json.load(open(sys.argv[1]))["classes"]
assert len(c) == 1, c
c, npairs, unlike = c[0], int(sys.argv[2]), int(sys.argv[3])
assert len(c["pairs"]) == npairs == len(set(map(tuple, c["pairs"]))), c["pairs"]
assert c["pair"] in c["pairs"] and c["unlike"] == unlike, c
lo, hi = c["interval"]["alpha"]
print(c["alpha"], c["interval"], c["unlike"], c["spread"])
if unlike:
    assert c["pairs"][0] == [2, 3] and 2.9 < c["spread"] < 3.1, c["spread"]
    assert lo <= 10.016e-6 * 1.001 and hi > 40e-6, (lo, hi)
    assert c["interval"]["beta"][1] > 3.9e-9, c["interval"]
else:
    assert c["spread"] < 1e-3 and lo > 10e-6 and hi < 10.1e-6, c
END
}

try() { # try NAME PAIRS TOOL OPTION...: on both machines, with --strict
    name=$1 pairs=$2 tool=$3 status=0
    shift 3
    run alike "$tool" -C hockney --strict -r 6 "$@" -o "$dir/$name.json" >"$dir/table" 2>"$dir/err" || status=$?
    [ $status = 0 ] || fail "$name, alike: status $status: $(cat "$dir/err")"
    [ "$(grep -c ' fits$' "$dir/table")" = "$pairs" ] || fail "$name, alike: $(cat "$dir/table")"
    look "$name" "$pairs" 0
    run slow "$tool" -C hockney --strict -r 6 "$@" -o "$dir/$name.json" >"$dir/table" 2>"$dir/err" || status=$?
    [ $status = 4 ] || fail "$name, slow: status $status"
    grep -q "1 of $pairs pairs differs from the others of its group by more than its interval, 2-3 by 300 %" "$dir/err" ||
        fail "$name, slow: $(cat "$dir/err")"
    case $name in mean) rows=$pairs ;; *) rows=1 ;; esac # of the mean of all pairs each pair differs
    [ "$(grep -c ' unlike$' "$dir/table")" = "$rows" ] || fail "$name, slow: $(cat "$dir/table")"
    grep -q ' 2-3 .* unlike$' "$dir/table" || fail "$name, slow: $(cat "$dir/table")"
    look "$name" "$pairs" 1
}

try sample 15 flat_model --sample 15
try ring 6 hierarchical_model --links ring -i "$dir/h.dot" --no-capacities
try random 15 hierarchical_model --links 15 -i "$dir/h.dot" --no-capacities

# The mean of all pairs, of which one takes four times as long as the others.
try mean 15 flat_model --homogeneous
python3 - "$dir/mean.json" <<'END' || fail "not the mean"
import json, sys
c = json.load(open(sys.argv[1]))["classes"][0]
for name, one, slow in ("alpha", 10.016e-6, 40.064e-6), ("beta", 1e-9, 4e-9):
    print(name, c[name], (14 * one + slow) / 15)
    assert abs(c[name] / ((14 * one + slow) / 15) - 1) < 0.01, c
END
