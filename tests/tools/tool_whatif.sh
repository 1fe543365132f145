#!/bin/sh
# Predictions for machines that are not measured: hierarchy files with latency and bandwidth, model files with the
# least that a formula needs, and regular shapes.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
measured=$top/testdata/models/four-levels.json
tool=$bin/predict_collective
work=$(mktemp -d ./tool_whatif.XXXXXX)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAIL: $*" >&2
    failed=1
}

# the time in us of an algorithm at one size
time_of() { # time_of ALGORITHM SIZE ARGUMENT...
    algorithm=$1 size=$2
    shift 2
    "$tool" "$@" -O "$algorithm" --sizes "$size" --format csv | awk -F, '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "time_us") column = i }
        NR == 2 { printf "%.3f\n", $column }'
}

expect() { # expect TIME ALGORITHM SIZE ARGUMENT...
    wanted=$1
    shift
    got=$(time_of "$@")
    [ "$got" = "$wanted" ] || fail "$*: $got us instead of $wanted"
}

refused() { # refused STATUS WORDS PROGRAM ARGUMENT...: that exit status and one line with these words
    wanted=$1 words=$2
    shift 2
    status=0
    "$@" >"$work/out" 2>"$work/err" || status=$?
    if [ "$status" != "$wanted" ] || [ -s "$work/out" ] || [ "$(wc -l <"$work/err")" != 1 ] ||
        ! grep -qF -- "$words" "$work/err"; then
        cat "$work/err" >&2
        fail "$*: status $status instead of $wanted, or no '$words'"
    fi
}

cat >"$work/flat.dot" <<END
// four hosts on one switch
digraph {
    node [type=0];
    a [model_data=a]; b [model_data=b]; c [model_data=c]; d [model_data=d];
    top [type=1, level=root, latency="10us", bandwidth="100MB/s"];
    a->top; b->top; c->top; d->top;
}
END
cat >"$work/racks.dot" <<END
digraph {
    node [type=0, latency_us=1, bandwidth="10GB/s"];
    a [model_data=a]; b [model_data=b]; c [model_data=c]; d [model_data=d];
    node [type=1, level=rack, latency_us=10, bandwidth="100MB/s"];
    r1; r2;
    top [level=root, latency_us=100, bandwidth="800Mbit/s"];
    a->r1; b->r1; c->r2; d->r2; r1->top; r2->top;
}
END

# A binomial broadcast of 1000 B over four ranks of one switch: two messages, each 10 us + 1000 B / 100 MB/s = 20 us.
expect 40.000 bcast/binomial 1000 -i "$work/flat.dot"
expect 20.000 p2p 1000 -i "$work/flat.dot"
# Ranks 0, 1 | 2, 3: the root sends over the racks (110 us) to rank 2, then both send in their racks (20 us).
expect 130.000 bcast/binomial 1000 -i "$work/racks.dot"
# Two ranks on each host: first over the racks to rank 4, then in racks, then on hosts (1.1 us).
expect 131.100 bcast/binomial 1000 -i "$work/racks.dot" --ranks-per-host 2
# The same machine as a shape.
expect 131.100 bcast/binomial 1000 --shape 'rack:2 host:2 core:2' --price 'root=100us,100MB/s rack=10us,100MB/s' \
    --price host=1us,10GB/s

# A hierarchy file with prices is a model for other tools, too, and becomes a model file.
"$bin/model_info" "$work/racks.dot" >"$work/info"
grep -q '^rack  *2  *2  *10  *100  *-  *-  *-  *-  *not measured$' "$work/info" || {
    cat "$work/info" >&2
    fail "model_info of a hierarchy"
}
"$bin/model_info" "$work/racks.dot" --as hockney -o "$work/racks.json"
expect 130.000 bcast/binomial 1000 -i "$work/racks.json"
"$bin/export_tuning" -i "$work/racks.dot" --format simgrid >"$work/platform"
grep -q "<platform" "$work/platform" || fail "export_tuning of a hierarchy"

# What a model file by hand needs.
cat >"$work/hand.json" <<END
{"format": "hitop-model", "version": 1, "model": "hockney", "ranks": 2,
 "tree": {"hosts": ["a", "b"], "parents": [2, 2], "groups": [{}]},
 "classes": [{"node": 2, "alpha": 1e-5, "beta": 1e-8}]}
END
expect 20.000 p2p 1000 -i "$work/hand.json"

# A measured model of 32 ranks, as 512: levels by name, and one by the name of another.
levels=$("$bin/model_info" "$measured" | awk '/^level/ { on = 1; next } /^bandwidth/ { exit } on { printf "%s ", $1 }')
set -- $levels
[ $# -ge 3 ] || fail "levels of the measured model: $levels"
expect "$(time_of p2p 1k -i "$measured" --from 0 --to 31)" p2p 1k -i "$measured" \
    --shape "$2:4 $3:8 core:16" --from 0 --to 511
"$tool" -i "$measured" --shape "island:2 core:4" --price "island=$3" -O bcast --sizes 1k >"$work/out"
grep -q "^# level island of 4: .* level $3" "$work/out" || {
    cat "$work/out" >&2
    fail "notes on levels"
}

refused 2 "--shape: the model has no level 'blade'; its levels: $1, $2, $3" "$tool" -i "$measured" \
    --shape 'blade:2 core:4' -O bcast
refused 2 "--price: the model has no level 'blade'; its levels: $1, $2, $3" "$tool" -i "$measured" \
    --shape 'rack:2 core:4' --price "root=$1 rack=blade" -O bcast
refused 2 "--price: the model has no level 'blade'" "$tool" -i "$measured" --shape 'rack:2 core:1' --price rack=blade -O bcast
refused 2 "--price: rack=root: there is no model with a level 'root'" "$tool" --shape 'rack:2 core:4' \
    --price 'root=1us,1GB/s rack=root' -O bcast
refused 2 "--price: root: '1us': a price is LATENCY,BANDWIDTH" "$tool" --shape host:4 --price root=1us,,1GB/s -O bcast
refused 2 "--price: root: '1us': a price is LATENCY,BANDWIDTH" "$tool" --shape host:4 --price root=1us,1GB/s, -O bcast
refused 2 "--shape: level root has no price" "$tool" --shape 'host:4' -O bcast
refused 2 "--shape: 'host' is not a level with a number" "$tool" --shape host -O bcast
refused 2 "--price: the shape has no level 'rack'; levels: root" "$tool" --shape host:4 --price rack=1us,1GB/s -O bcast
refused 2 "--price is for levels of --shape" "$tool" -i "$measured" --price rack=1us,1GB/s -O bcast
refused 2 "--ranks-per-host is for a hierarchy file" "$tool" --shape host:4 --ranks-per-host 4 -O bcast
refused 3 "ranks per host are for hierarchy files" "$tool" -i "$measured" --ranks-per-host 4 -O bcast
sed 's/latency_us=[0-9]*, //' "$work/racks.dot" >"$work/bad.dot"
refused 3 'bad.dot: group "top" needs latency, such as latency="12us"; 2 more groups have no price' "$tool" \
    -i "$work/bad.dot" -O bcast
refused 3 'bad.dot: group "top" needs latency' "$bin/model_info" "$work/bad.dot"
refused 3 'bad.dot: group "top" needs latency' "$bin/export_tuning" -i "$work/bad.dot" --format simgrid
refused 3 'two-sites.dot: a hierarchy without times; hierarchical_model measures them' "$tool" \
    -i "$top/testdata/hierarchy/two-sites.dot" -O bcast
exit $failed
