#!/bin/sh
# benchmark_collective --timing: each method of the registry measures, all outputs name it, and benchmark_report mixes no two.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/benchmark.sh"

quick='--budget 20ms -r 5 -R 10 -q --sizes 8,70000 --passes 1'
methods=$(sed -n 's|^TIMINGS = ||p' "$top/models/Makefile.am" | sed 's|clock/timing_||g; s|_|-|g')
test "$(echo "$methods" | wc -w)" -ge 5 || fail "methods: $methods"

# The default is window, by name and without one.
run 2 $quick -f json -o "$dir/default.json" broadcast || fail "default: $(cat "$dir/err")"
grep -q '"timing": "window", "date"' "$dir/default.json" || fail "default: $(cat "$dir/default.json")"

for method in $methods; do
    # start times may be missed on a busy machine; then one-barrier replaces them
    names="$method"
    test "$method" != window || names='window|one-barrier'
    run 3 $quick -n 3 --timing "$method" --check --root rotating -f json -o "$dir/$method.json" broadcast gather allreduce barrier exchange ||
        fail "$method: $(cat "$dir/err")"
    grep -qF "\"timing\": \"$method\", \"date\"" "$dir/$method.json" || fail "$method is not the one of the set-up: $(cat "$dir/$method.json")"
    test "$(grep -cE "^    .*\"operation\": .*\"timing\": \"($names)\"" "$dir/$method.json")" = 5 || fail "$method: curves: $(cat "$dir/$method.json")"
    python3 - "$dir/$method.json" "$method" <<'EOF' || fail "$method: times"
import json, sys
for curve in json.load(open(sys.argv[1]))["curves"]:
    for point in curve["points"]:
        times, ranks = point["time_us"], point["ranks_us"]
        least = 0 if sys.argv[2] == "root" else 1e-6
        assert least <= times["min"] <= times["median"] <= times["max"], times
        # the mean of the longest calls is that of some rank or more, and of max no rank is longer
        assert sys.argv[2] not in ("max", "one-barrier") or times["mean"] >= ranks["max"] * (1 - 1e-6), (times, ranks)
EOF
    run 2 $quick --timing "$method" -f csv broadcast pingpong || fail "$method: $(cat "$dir/err")"
    test "$(grep -cE ",hot,($names)," "$dir/out")/$(grep -c ',round-trip,' "$dir/out")" = 2/2 || fail "$method: csv: $(cat "$dir/out")"
    run 2 $quick --timing "$method" broadcast || fail "$method: $(cat "$dir/err")"
    grep -q "^# times in us; timing $method: " "$dir/out" || fail "$method: text: $(cat "$dir/out")"
    grep -qE "^# broadcast, mpi, 2 ranks on 1 host, type byte, ($names), root 0" "$dir/out" || fail "$method: text: $(cat "$dir/out")"
    run 2 $quick --timing "$method" --compare mpi,mpi -f csv broadcast || fail "$method: compare: $(cat "$dir/err")"
    run 1 $quick --timing "$method" -f csv barrier || fail "$method: one rank: $(cat "$dir/err")"
    run 2 $quick --timing "$method" --dry-run broadcast || fail "$method: dry run: $(cat "$dir/err")"
    $tool --help | grep -A2 -e --timing | grep -q "$method" || fail "the help does not name $method"
done

# root subtracts the median of many barriers, also from a block of one call; one-barrier measures none.
barriers() { # barriers METHOD ; calls of MPI_Barrier() by rank 0
    sh "${srcdir:-.}/support/mpi-run.sh" 1 env LD_PRELOAD="$PWD/.libs/count_calls.so" $tool $quick -r 1 -R 1 --timing "$1" -f csv broadcast 2>&1 >"$dir/out" |
        sed -n 's|^counted.* barrier=\([0-9]*\) .*|\1|p' | sort -n | tail -1
}
root=$(barriers root) alone=$(barriers one-barrier)
test "$root" -gt $((2 * alone)) || fail "root: $root barriers, one-barrier: $alone"

# A delay on purpose goes with the methods that begin with the last arrival.
status=0
run 2 $quick --timing max --arrival uniform broadcast || status=$?
test $status = 2 || fail "max and --arrival: status $status"
grep -q 'benchmark_collective: --timing max goes without --arrival and --trace, which allow: window, one-barrier$' "$dir/err" ||
    fail "max and --arrival: $(cat "$dir/err")"
run 2 $quick --timing one-barrier --arrival uniform --interval 1ms -f csv broadcast || fail "one-barrier and --arrival: $(cat "$dir/err")"
status=0
run 2 $quick --timing round-time broadcast || status=$?
test $status = 2 || fail "an unknown method: status $status"
grep -q "benchmark_collective: --timing: 'round-time' is no timing method; valid: $(echo $methods | sed 's/ /, /g')\$" "$dir/err" ||
    fail "an unknown method: $(cat "$dir/err")"
test ! -s "$dir/out" || fail "an unknown method, and output"

# Launches of different methods do not become one guide, and a comparison of two says so.
status=0
"$bin/benchmark_report" "$dir/window.json" "$dir/max.json" >"$dir/out" 2>"$dir/err" || status=$?
test $status = 3 || fail "two methods in a guide: status $status"
grep -q "max.json: timing is 'max', in .*window.json it is 'window': not launches of one set-up" "$dir/err" || fail "two methods: $(cat "$dir/err")"
"$bin/benchmark_report" --compare "$dir/window.json" "$dir/max.json" >"$dir/out" || fail "two methods compared"
grep -q "^# not one set-up: .*timing is 'window', in .*max.json it is 'max'" "$dir/out" || fail "two methods compared: $(cat "$dir/out")"
