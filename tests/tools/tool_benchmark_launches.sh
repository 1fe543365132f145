#!/bin/sh
# benchmark_report: several launches of one set-up become one guide; what is no launch of it is refused.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
tool=$bin/benchmark_report
. "${srcdir:-.}/support/scratch.sh"

launch() { # launch NAME MEDIAN: 20 medians from it on, each known to 1 %
    awk -v name="$1" -v first="$2" 'BEGIN {
        printf "{\"format\":\"hitop-benchmark\",\"version\":1,\"provenance\":{\"hosts\":\"a:2\",\"confidence\":0.95,\"date\":\"%s\"},", name
        printf "\"warnings\":[\"both say this\",\"%s says this\",", name
        printf "\"2 ranks: %d of 40 are late by %.1f us\",\"4 ranks: %d of 40 are late by 1 us\"],\"noise_floor\":0.01,\"curves\":[{\"operation\":\"broadcast\",", first % 10, first, first % 7
        printf "\"implementation\":\"mpi\",\"ranks\":2,\"hosts\":1,\"timing\":\"round-time\",\"points\":["
        for (i = 0; i < 20; i++) {
            t = first + 0.1 * i
            printf "%s{\"size_B\":%d,\"repetitions\":100,\"state\":\"converged\",\"slowest_rank\":1,\"slowest_share\":0.5,", i ? "," : "", i + 1
            printf "\"time_us\":{\"median\":%.9g,\"lo\":%.9g,\"hi\":%.9g,\"min\":%.9g,\"max\":%.9g,\"mean\":%.9g}}", t, 0.99 * t, 1.01 * t, 0.9 * t, 2 * t, t
        }
        print "]}],\"comparisons\":[]}" }' >"$dir/$1.json"
}

# the median of three; all their intervals; repetitions add up
launch x 40.71
launch y 40.83
launch z 40.62
"$tool" --format csv "$dir/x.json" "$dir/y.json" "$dir/z.json" >"$dir/all.csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["size_B"] == 1 { found = 1; bad = $at["median_us"] != 40.71 || $at["lo_us"] != 40.2138 || $at["hi_us"] != 41.2383 ||
        $at["repetitions"] != 300 || $at["launches"] != 3 || $at["mean_us"] != 40.72 }
    END { exit !found || bad }' "$dir/all.csv" || fail "three: $(sed -n 1,2p "$dir/all.csv")"
"$tool" "$dir/x.json" "$dir/y.json" "$dir/z.json" --format md >"$dir/all.md"
grep -q '75 % interval' "$dir/all.md" || fail "three launches give more than 75 %"
grep -q 'Warning: both say this' "$dir/all.md" || fail "a common warning is lost"
test "$(grep -c 'both say this' "$dir/all.md")" = 1 || fail "a common warning is there more than once"
grep -q 'Warning: .*y.json: y says this' "$dir/all.md" || fail "the launch of a warning is not named"
grep -qF 'Warning: 2 ranks: 0 of 40 are late by 40.6 to 40.8 us' "$dir/all.md" || fail "other numbers: $(grep Warning "$dir/all.md")"
grep -qF 'Warning: 4 ranks: 5 of 40 are late by 1 us' "$dir/all.md" || fail "other ranks: $(grep Warning "$dir/all.md")"
test "$(grep -c 'Warning: ' "$dir/all.md")" = 6 || fail "warnings: $(grep Warning "$dir/all.md")"
sed 's/"z says this",/"z says this","1 is new",/; s/"2 ranks: [^"]*",//' "$dir/z.json" >"$dir/new.json"
sed 's/"x says this",/"x says this","3 is new",/' "$dir/x.json" >"$dir/old.json"
"$tool" "$dir/old.json" "$dir/y.json" "$dir/new.json" --format md >"$dir/some.md"
grep -qF "Warning: $dir/old.json, $dir/new.json: 1 to 3 is new" "$dir/some.md" || fail "of two: $(grep Warning "$dir/some.md")"
if grep -q 'Warning: launches differ' "$dir/all.md"; then
    fail "launches as their intervals say are called different"
fi

# one that is 30 % off is reported, with the factor
launch far 53.1
"$tool" "$dir/x.json" "$dir/y.json" "$dir/far.json" --format md >"$dir/far.md"
grep -q 'Warning: launches differ [0-9.]* times as much .* by a factor of 1.30' "$dir/far.md" || fail "30 %: $(grep Warning "$dir/far.md")"

# launches on processors that were not equally far apart are reported, with both latencies of a cache line; equal ones are not
for hops in 'x 63.1 62' 'y 61.9 93.5' 'z null 93.9'; do
    # shellcheck disable=SC2086 # three words
    set -- $hops
    sed "s/\"confidence\"/\"line_hop_first_ns\":$2,\"line_hop_last_ns\":$3,&/" "$dir/$1.json" >"$dir/hop-$1.json"
done
"$tool" "$dir/hop-x.json" "$dir/hop-y.json" "$dir/hop-z.json" --format md >"$dir/hop.md"
grep -qF "Warning: a cache line took 61.9 ns from rank to rank at one time in $dir/hop-y.json, and 93.9 ns in $dir/hop-z.json: " \
    "$dir/hop.md" || fail "processors were moved: $(grep Warning "$dir/hop.md")"
grep -q 'Cache line from rank to rank on a host, at last, ns.* 62, 93.5, 93.9' "$dir/hop.md" || fail "set-up: $(grep Cache "$dir/hop.md")"
sed 's/93\.9/92/' "$dir/hop-z.json" >"$dir/hop-near.json"
"$tool" "$dir/hop-x.json" "$dir/hop-near.json" "$dir/y.json" --format md >"$dir/near.md"
! grep 'Warning: a cache line' "$dir/near.md" || fail "processors were where they had been"
# so is one that changes within a launch, for each operation
for name in x y; do
    sed 's/"timing"/"line_hop_first_ns":40,"line_hop_last_ns":130,&/
        s/"warnings": *\[/&"a cache line took 40.0 ns from rank to rank at one time and 130.0 ns at another","other",/' \
        "$dir/$name.json" >"$dir/curve-$name.json"
done
"$tool" "$dir/curve-x.json" "$dir/curve-y.json" --format md >"$dir/curve.md"
grep -q 'Warning: other' "$dir/curve.md" || fail "warnings of launches: $(grep Warning "$dir/curve.md")"
test "$(grep -c 'Warning: a cache line' "$dir/curve.md")" = 1 || fail "cache lines twice: $(grep Warning "$dir/curve.md")"
grep -q 'Warning: a cache line took 40 ns .* and 130 ns at another, both in .*curve-x.json, which changed during 1 of 1 curves or between: ' "$dir/curve.md" ||
    fail "one curve: $(grep Warning "$dir/curve.md")"
grep -q '^| Broadcast | 2 |.*| 40 to 130 ns |$' "$dir/curve.md" || fail "one curve: $(grep '^| Broadcast' "$dir/curve.md")"

# noise is of an operation: reduce differs by 30 % from launch to launch, broadcast is as quiet as without it
for name in x y z; do
    factor=$(case $name in x) echo 1 ;; y) echo 1.3 ;; z) echo 1.7 ;; esac)
    python3 - "$dir/$name.json" "$factor" >"$dir/two-$name.json" <<'EOF'
import copy, json, sys
results = json.load(open(sys.argv[1]))
reduce = copy.deepcopy(results["curves"][0])
reduce["operation"] = "reduce"
for point in reduce["points"]:
    point["time_us"] = {k: float(sys.argv[2]) * v for k, v in point["time_us"].items()}
results["curves"].append(reduce)
json.dump(results, sys.stdout)
EOF
done
"$tool" "$dir/two-x.json" "$dir/two-y.json" "$dir/two-z.json" --format md >"$dir/two.md"
grep -q '^| Broadcast | 2 | 0\.[0-9] % |' "$dir/two.md" || fail "noise of broadcast: $(grep '^| Broadcast' "$dir/two.md")"
grep -q '^| Reduce | 2 | 2[67] % |' "$dir/two.md" || fail "noise of reduce: $(grep '^| Reduce' "$dir/two.md")"
test "$(sed -n '/^## Broadcast/,/^## Reduce/s/.*The noise alone is \(0\.[0-9]\) %.*/\1/p' "$dir/two.md" | wc -l)" -ge 1 ||
    fail "formulas of broadcast know the noise of reduce: $(grep 'noise alone' "$dir/two.md")"

# six are enough for 95 %
launch u 40.69
launch v 40.75
launch w 40.77
"$tool" "$dir/u.json" "$dir/v.json" "$dir/w.json" "$dir/x.json" -i "$dir/y.json" -i "$dir/z.json" --format md >"$dir/six.md"
grep -q '95 % interval' "$dir/six.md" || fail "six launches are not enough"
grep -q '40.6 µs to 40.8 µs' "$dir/six.md" || fail "six: $(grep '| 1 B |' "$dir/six.md")"

# one launch says that it is one
"$tool" "$dir/x.json" --format md | grep -q 'All this is from one launch' || fail "one launch does not say so"

# no launches of one set-up
sed 's/"a:2"/"b:2"/' "$dir/y.json" >"$dir/hosts.json"
refuse 3 "hosts.json: hosts is 'b:2', in $dir/x.json it is 'a:2': not launches of one set-up" "$dir/x.json" "$dir/hosts.json"
sed 's/"ranks":2/"ranks":3/' "$dir/y.json" >"$dir/ranks.json"
refuse 3 "ranks.json: no broadcast by mpi among 2 ranks" "$dir/x.json" "$dir/ranks.json"
sed 's/"timing"/"root_rank":1,"timing"/' "$dir/y.json" >"$dir/root.json"
refuse 3 "root.json: no broadcast by mpi among 2 ranks" "$dir/x.json" "$dir/root.json"
sed 's/"hosts":"a:2",//' "$dir/y.json" >"$dir/untold.json"
refuse 3 "untold.json: hosts is '', in" "$dir/x.json" "$dir/untold.json"
sed 's/"hosts":"a:2"/"timing":"max",&/' "$dir/y.json" >"$dir/max.json"
refuse 3 "max.json: timing is 'max', in $dir/x.json it is 'window': not launches of one set-up" "$dir/x.json" "$dir/max.json"
cp "$dir/x.json" "$dir/copy.json"
refuse 3 "copy.json: the same launch as $dir/x.json" "$dir/x.json" "$dir/y.json" "$dir/copy.json"
sed 's/"size_B":/"size_B":9/g' "$dir/y.json" >"$dir/sizes.json"
refuse 3 "no size of broadcast among 2 ranks is in all of them" "$dir/x.json" "$dir/sizes.json"

# a launch that missed its start times is one of the set-up; a warning, the guide and a comparison name its method
sed 's/"hosts":"a:2"/"timing":"window",&/; s/"timing":"round-time"/"timing":"one-barrier"/' "$dir/y.json" >"$dir/barrier.json"
"$tool" "$dir/x.json" "$dir/barrier.json" "$dir/z.json" --format md >"$dir/barrier.md"
grep -q 'Warning: launches timed 1 of 1 curves by different methods' "$dir/barrier.md" || fail "two methods: $(grep Warning "$dir/barrier.md")"
grep -q 'timed by: one-barrier\.$' "$dir/barrier.md" || fail "two methods: $(grep 'timed by' "$dir/barrier.md")"
grep -q '^- \*\*one-barrier\*\*: ' "$dir/barrier.md" || fail "one-barrier is not explained"
"$tool" "$dir/x.json" "$dir/barrier.json" --compare >"$dir/days"
grep -q '^# not one set-up: broadcast on 2 ranks is timed by window, in .*barrier.json by one-barrier$' "$dir/days" || fail "days: $(cat "$dir/days")"
"$tool" "$dir/x.json" "$dir/y.json" --compare >"$dir/days"
! grep 'set-up' "$dir/days" || fail "one method"

# something compared with itself has two curves, which stay apart
sed 's/\("curves":\[\)\(.*\)\(\],"comp\)/\1\2,\2\3/' "$dir/x.json" >"$dir/self.json"
"$tool" "$dir/self.json" --format md >"$dir/self.md"
grep -q '^## Broadcast, again' "$dir/self.md" || fail "what is compared with itself has one name"
sed 's/"date":"x"/"date":"t"/' "$dir/self.json" >"$dir/self2.json"
"$tool" "$dir/self.json" "$dir/self2.json" >/dev/null || fail "launches of a comparison with itself"
