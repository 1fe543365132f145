#!/bin/sh
# Hosts whose sends wait for their receivers: each formula gives the one-way time of 4000.8 us, the table and the file say
# from which size sends wait, and a message keeps its sender busy for all of its time.
set -eu
. "${srcdir:-.}/support/scratch.sh"
export SMPI_FLAGS

# Every pair has a wire of its own: 4 ms and 20 MB/s, and every message has 16 bytes more than its own, 0.8 us.
cat >"$dir/m.xml" <<'EOF'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<zone id="world" routing="Full">
<host id="a.x.org" speed="1Gf"/>
<host id="b.x.org" speed="1Gf"/>
<host id="c.x.org" speed="1Gf"/>
<link id="ab" latency="4ms" bandwidth="20MBps"/>
<link id="ac" latency="4ms" bandwidth="20MBps"/>
<link id="bc" latency="4ms" bandwidth="20MBps"/>
<route src="a.x.org" dst="b.x.org"><link_ctn id="ab"/></route>
<route src="a.x.org" dst="c.x.org"><link_ctn id="ac"/></route>
<route src="b.x.org" dst="c.x.org"><link_ctn id="bc"/></route>
</zone>
</platform>
EOF
printf '%s\n' a.x.org b.x.org c.x.org >"$dir/m.hosts"

run() { # run TOOL ARGUMENT...
    tool=$1
    shift
    sh "${srcdir:-.}/support/smpi-run.sh" "$dir/m.xml" "$dir/m.hosts" 3 "../tools/$tool" "$@"
}

show() { # show TOOL ARGUMENT...: a program that calls no MPI function; what it prints says whether it worked
    tool=$1
    shift
    timeout -k 5 60 smpirun -quiet -platform "$dir/m.xml" -hostfile "$dir/m.hosts" -np 1 "../tools/$tool" "$@" 2>"$dir/err"
}

# near WHAT NUMBER WANTED: within 0.1 %
near() {
    awk -v what="$1" -v found="$2" -v wanted="$3" 'BEGIN {
        printf "%s: %s, expected %s\n", what, found, wanted
        error = found / wanted - 1
        exit !(error < 1e-3 && error > -1e-3)
    }' || fail "$1: $2, expected $3"
}

# times MODEL: one-way times of all pairs, of an empty message and of 1 MiB, in us
expect_times() {
    for size in 0 1048576; do
        show model_info "$dir/$1.json" --matrix time -M $size |
            awk -F, -v size=$size 'NR == 2 { print "0-1", size, $3 } NR == 4 { print "2-0", size, $2 }'
    done >"$dir/times"
    [ "$(wc -l <"$dir/times")" = 4 ] || fail "$1: no times"
    while read -r pair size us; do
        near "$1, ranks $pair, $size B" "$us" "$(awk "BEGIN { print 4000.8 + $size / 20 }")"
    done <"$dir/times"
}

expect() { # expect NAME SIZE: the state of links and the size in the file; SIZE none: neither
    if [ "$2" = none ]; then
        grep -q synchronous_B "$dir/$1.json" && fail "$1: sends wait for their receivers"
        grep -Eq ' (fits|bent)$' "$dir/$1.table" || fail "$1: $(cat "$dir/$1.table")"
    else
        grep -q "\"synchronous_B\": $2[,}]" "$dir/$1.json" || fail "$1: not from $2 B on"
        grep -Eq ' synchronous$' "$dir/$1.table" || fail "$1: $(cat "$dir/$1.table")"
        grep -q "^sends wait for their receivers in .* from $2 B on$" "$dir/$1.table" || fail "$1: $(cat "$dir/$1.table")"
        show model_info "$dir/$1.json" >"$dir/info"
        grep -q "^sends wait for their receivers in .* from $2 B on$" "$dir/info" || fail "$1: $(cat "$dir/info")"
    fi
}

# measure SIZE: all formulas, by both programs
measure() {
    for model in loggp plogp lmo hockney lininterp piecewise max_rate; do
        run hierarchical_model -C $model -i "$dir/h.dot" -o "$dir/$model.json" -r 6 --budget 600s >"$dir/$model.table"
        expect_times $model
        run flat_model -C $model -o "$dir/flat-$model.json" -r 6 --budget 600s >"$dir/flat-$model.table"
        expect_times flat-$model
    done
    for model in loggp plogp lmo; do
        expect $model "$1"
        expect flat-$model "$1"
    done
}

# scatter MODEL BYTES: of two messages, which leave one after the other
scatter() {
    us=$(show predict_collective -i "$dir/$1.json" -O scatter/flat --sizes "$2" --format csv | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "time_us") at = i; next } { print $at; exit }')
    near "$1, scatter of $2 B" "$us" "$(awk "BEGIN { print 2 * (4000.8 + $2 / 20) }")"
}

SMPI_FLAGS=
run generate_hierarchy -o "$dir/h.dot"
measure 0
grep -q '^L is negative in 1 of 1 classes' "$dir/loggp.table" || fail "no mark of L: $(cat "$dir/loggp.table")"
for model in loggp plogp lmo hockney; do
    scatter $model 100
    scatter $model 1000
done
show model_info "$dir/plogp.json" --as loggp -o "$dir/as.json"
near "loggp from plogp" "$(show model_info "$dir/as.json" --matrix time -M 1 | awk -F, 'NR == 2 { print $3 }')" 4000.85
show model_info "$dir/as.json" | grep -q '^L is negative in 1 of 1 classes' || fail "no mark of a converted L"

# Short messages leave at once, from 64 KiB on they wait.
SMPI_FLAGS='--cfg=smpi/async-small-thresh:65536 --cfg=smpi/send-is-detached-thresh:65536'
measure 65536
grep -q '^L is negative' "$dir/loggp.table" && fail "negative L"
scatter plogp 131072

# All leave at once.
SMPI_FLAGS='--cfg=smpi/async-small-thresh:1000000000 --cfg=smpi/send-is-detached-thresh:1000000000'
measure none
