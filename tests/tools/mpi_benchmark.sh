#!/bin/sh
# benchmark_collective on a few ranks: all operations with their contents looked at, comparisons, arrivals, formats.
# Times are not judged but for those that are injected; the machine may be busy.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/end_early.sh"
. "${srcdir:-.}/support/benchmark.sh"

# contents are looked at as they should be
sh "${srcdir:-.}/support/mpi-run.sh" 1 ./mpi_benchmark_data || fail "data"

quick='--budget 20ms -r 5 -R 40 -q'

# one rank, an odd number, parts of the ranks, both kinds of roots: contents are right, whatever the cache
run 1 $quick --check --sizes 0,8,1000 -f json -o "$dir/one.json" -O broadcast,allreduce,alltoall,barrier || fail "one rank: $(cat "$dir/err")"
run 3 $quick -n 3 --check --sizes 8,70000 --root rotating -f json -o "$dir/odd.json" || fail "3 ranks: $(cat "$dir/err")"
for cache in same stream cold; do
    run 2 $quick -R 6 --check --sizes 5000 --cache $cache --root rotating -f json -o "$dir/$cache.json" broadcast alltoall exchange ||
        fail "$cache: $(cat "$dir/err")"
done
grep -q '"operation": "pingpong", "implementation": "mpi", "ranks": 2' "$dir/odd.json" || fail "no pingpong of 2 of 3 ranks"
grep -q '"operation": "alltoallv", "implementation": "mpi", "ranks": 3' "$dir/odd.json" || fail "no alltoallv of 3 ranks"

# how far the processors of two ranks are apart is known unless others use them, that of one rank from itself is not
hops() { sed -n 's/.*"line_hop_first_ns": \([a-z0-9.]*\), "line_hop_last_ns": \([a-z0-9.]*\).*/\1 \2/p' "$dir/$1.json"; }
test "$(hops one | sort -u)" = 'null null' || fail "one rank: $(hops one) ns"
processors=$(nproc)
# on a machine with more to do than processors the time of a cache line may be unknown
is_busy() { awk -v n="$processors" '{ exit !($1 > n + 1) }' /proc/loadavg; }
least=1
! is_busy || least=0
test "$processors" = 1 || hops odd | awk -v least=$least '{ for (i = 1; i <= 2; i++) if ($i != "null") { n++; bad += !($i > 1 && $i < 100000) } } END { exit bad || NR < 17 || n < least }' ||
    fail "cache lines take $(hops odd) ns"
if command -v taskset >/dev/null; then
    sh "${srcdir:-.}/support/mpi-run.sh" 2 taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" $tool $quick --sizes 8 -f csv -O reduce >"$dir/out" 2>"$dir/err" ||
        fail "one processor: $(cat "$dir/err")"
    tail -1 "$dir/out" | grep -q ',,$' || fail "a cache line on one processor: $(cat "$dir/out")"
fi

# a state of the machine that never comes ends the run, and says so; what cannot have one is measured all the same
sh "${srcdir:-.}/support/mpi-run.sh" 1 ./mpi_benchmark_back || fail "times that do not count"
if [ "$processors" -gt 1 ]; then
    status=0
    run 2 --line-hop 1s --state-wait 300ms --budget 20ms -R 20 --sizes 8,64 broadcast || status=$?
    if [ $status = 0 ] && is_busy && grep -q 'all times count' "$dir/out"; then
        echo "the time of a cache line is unknown on a busy machine"
    else
        test $status = 1 || fail "cache lines of a second: status $status, $(cat "$dir/out")"
        grep -q '2 sizes were not measured, .*: for --state-wait, 0.3 s, the machine was in other states' "$dir/err" &&
            grep -q 'a cache line took .* ns from rank to rank while it was to take 1e+09 ns' "$dir/err" ||
            fail "cache lines of a second: $(cat "$dir/err")"
    fi
fi
run 1 --line-hop 50ns --budget 20ms -R 20 --sizes 8 broadcast || fail "one rank has no core-to-core latency: $(cat "$dir/err")"
grep -q '1 ranks: all times count, as no host has two of them on different processors' "$dir/out" || fail "one rank: $(cat "$dir/out")"
# no processor is slower than itself; other users of the machine may leave no times
status=0
run 3 --full-speed --state-wait 20s --budget 20ms -r 5 -R 40 --spread 0 --sizes 8 -f json -o "$dir/speed.json" broadcast || status=$?
test $status = 0 || grep -q 'for --state-wait, 20 s, the machine was in other states' "$dir/err" || fail "full speed: status $status, $(cat "$dir/err")"
test $status != 0 || grep -q '"full_speed": true.*' "$dir/speed.json" || fail "full speed is not in the results"
for wrong in '--line-hop 0' '--line-hop near' '--state-wait -1s'; do
    status=0
    # shellcheck disable=SC2086 # options
    run 2 $wrong broadcast || status=$?
    test $status = 2 || fail "$wrong: status $status"
done

# a root that no number of ranks has is refused before anything is measured; one that some have is measured on these
for wrong in '7:--root 7' '2:--root 2' '2:-n 2 --root 2'; do
    status=0
    # shellcheck disable=SC2086 # options
    run 2 ${wrong#*:} --sizes 8 broadcast barrier || status=$?
    test $status = 2 && test "$(grep -c 'benchmark_collective: ' "$dir/err")" = 1 &&
        grep -q "benchmark_collective: --root: rank ${wrong%%:*} is not in 0..1$" "$dir/err" && test ! -s "$dir/out" ||
        fail "$wrong: status $status: $(cat "$dir/out" "$dir/err")"
done
run 3 $quick -n 2,3 --root 2 --sizes 8 -f csv broadcast || fail "root 2: $(cat "$dir/err")"
test "$(grep -c '^broadcast,mpi,3,' "$dir/out") $(wc -l <"$dir/out")" = '1 2' || fail "root 2: $(cat "$dir/out")"

# a size that is no whole number of floats is reported, and nothing is timed for it
run 2 --budget 20ms -R 20 --sizes 1,4,1GiB --memory 1MiB -f csv allreduce || fail "allreduce: $(cat "$dir/err")"
test "$(grep -c '^allreduce,' "$dir/out")" -eq 1 || fail "bytes that are no floats were timed"
grep -q 'allreduce: size 1 B left out: not a whole number of elements' "$dir/err" || fail "1 byte of floats: $(cat "$dir/err")"
# what wants too much memory is left out before anything is allocated
grep -q '1GiB left out: wants more than --memory' "$dir/err" || fail "memory was not reported"

# a time without an interval is marked
run 2 -r 1 -R 1 --sizes 8,16 -o "$dir/once" barrier broadcast || fail "one call: $(cat "$dir/err")"
grep -q 'warning: in 3 of 3 sizes repetitions or passes are too few for an interval: ' "$dir/err" || fail "no warning of one call: $(cat "$dir/err")"
run 2 --eps 1 -R 200 --budget 20s --spread 100ms --sizes 8,16 -o "$dir/often" broadcast || fail "200 calls: $(cat "$dir/err")"
! grep 'too few for an interval' "$dir/err" || fail "200 calls are too few"

# the reason that nothing is left to measure is reported once
status=0
run 2 --sizes 1 allreduce || status=$?
test $status = 1 || fail "nothing to measure: status $status"
test "$(grep -c 'left out: not a whole number' "$dir/err")" = 1 || fail "nothing to measure: $(cat "$dir/err")"

# a table on standard output has the warnings, once; with a file they are on standard error
run 2 --budget 20ms -R 20 --sizes 1,4 allreduce || fail "a table: $(cat "$dir/err")"
grep -q '^# warning: allreduce.* left out: ' "$dir/out" || fail "a table without warnings: $(cat "$dir/out")"
! grep 'warning: ' "$dir/err" || fail "warnings twice"
run 2 --budget 20ms -R 20 --sizes 1,4 -o "$dir/table" allreduce || fail "a file: $(cat "$dir/err")"
grep -q 'warning: allreduce.* left out: ' "$dir/err" || fail "a file, and no warning: $(cat "$dir/err")"

# repetitions are spread over passes, and these over some time; there are no more of either than wanted
passes() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["passes"] "/" $at["repetitions"] }' "$dir/out" | sort -u; }
for case in '--passes 1 --spread 9s:1/50' '--passes 2 --spread 0:6/50' '--passes 10 --spread 0:10/50' '-c 0.99 --spread 0:8/50' '--passes 11 --spread 0:1/50'; do
    # shellcheck disable=SC2086 # options
    run 2 -q --budget 5s -r 50 -R 50 --sizes 8,64 -f csv ${case%:*} broadcast || fail "$case: $(cat "$dir/err")"
    test "$(passes)" = "${case##*:}" || fail "$case: $(passes) passes"
done
begin=$(date +%s%N)
run 2 -q -r 30 -R 30 --sizes 8 --spread 2.4s --budget 3s -f csv broadcast || fail "spread: $(cat "$dir/err")"
took=$((($(date +%s%N) - begin) / 1000000))
test "$(passes)" = 6/30 || fail "spread: $(passes) passes"
test $took -ge 2000 || fail "passes over 2.4 s took $took ms"
begin=$(date +%s%N)
run 2 -q -r 30 -R 30 --sizes 8 --spread 100s --budget 50ms -f csv broadcast || fail "spread: $(cat "$dir/err")"
took=$((($(date +%s%N) - begin) / 1000000))
test $took -lt 50000 || fail "passes over no more than a budget of 50 ms took $took ms"

# the table of repetitions, and bandwidths in MiB beside those in MB
run 2 -q --repetitions imb --passes 1 --spread 0 --sizes 1MiB,4MiB -f csv broadcast pingpong || fail "imb: $(cat "$dir/err")"
test "$(passes | tr '\n' ' ')" = '1/10 1/40 ' || fail "imb: $(passes) repetitions"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == "pingpong" { n++; bad += ($at["one_way_MBps"] / $at["one_way_MiBps"] - 1.048576)^2 > 1e-8 }
    END { exit n != 2 || bad }' "$dir/out" || fail "MiB: $(cat "$dir/out")"
run 2 --repetitions imb --passes 1 --spread 0 --budget 1ms --sizes 1MiB broadcast || fail "imb: $(cat "$dir/err")"
grep -q 'too few for an interval: .*; use --repetitions adaptive$' "$dir/out" || fail "imb, a short budget: $(cat "$dir/out")"
run 2 -q --throughput 2^20 --budget 10ms --sizes 1MiB pingpong || fail "text: $(cat "$dir/err")"
awk '/^ *1048576 / { n++; bad = ($(NF - 3) / $(NF - 1) - 1.048576)^2 > 1e-4 } /one_way_MiBps/ { n++ } END { exit n != 2 || bad }' "$dir/out" ||
    fail "MiB in text: $(cat "$dir/out")"
run 2 -q --throughput 2^20 --budget 10ms --sizes 1MiB -f imb pingpong || fail "imb layout: $(cat "$dir/err")"
awk '$1 == 1048576 { n++; bad = ($1 / 1.048576 / $3 / $4 - 1)^2 > 1e-3 } END { exit n != 1 || bad }' "$dir/out" || fail "imb layout: $(cat "$dir/out")"

run 2 --throughput 2^20 --budget 10ms --spread 0 --sizes 8 -o "$dir/none" broadcast pingpong barrier || fail "no throughput: $(cat "$dir/err")"
test "$(grep -c 'note: --throughput: only pingpong, pairs, sendreceive, exchange have bandwidths, as with IMB, not broadcast, barrier$' "$dir/err")" = 1 ||
    fail "no throughput: $(cat "$dir/err")"

# how fast the processors are, by host, and beside each other for two runs
run 2 -q --budget 10ms --sizes 8 broadcast || fail "normalised time: $(cat "$dir/err")"
grep -q '^# normalised time, .*: [0-9.]* us; by host: .*:[0-9.]' "$dir/out" || fail "no normalised time: $(cat "$dir/out")"
for file in a b; do
    run 2 -q --budget 10ms --sizes 8 -f json -o "$dir/$file.json" broadcast || fail "$file: $(cat "$dir/err")"
done
$bin/benchmark_report --compare "$dir/a.json" "$dir/b.json" >"$dir/out" || fail "compare: status $?"
grep -q '^# processors: the normalised time is [0-9.]* us in A and [0-9.]* us in B, B/A [0-9.]*$' "$dir/out" ||
    fail "processors: $(cat "$dir/out")"

# implementations, and a slow-down that must be found: half as long again, on however busy a machine
run 2 --budget 10s -q --sizes 4096 --compare mpi,mpi --slow-down B=50% -f json -o "$dir/slow.json" allreduce || fail "compare: $(cat "$dir/err")"
grep -q '"verdict": "slower"' "$dir/slow.json" || fail "not found: $(grep verdict "$dir/slow.json")"
run 2 $quick --check --sizes 64 --compare hitop,hitop/binomial -f json -o "$dir/hitop.json" broadcast || fail "hitop: $(cat "$dir/err")"

# sizes that are not compared for lack of time are reported, without a limit of time that is not set
run 2 --budget 1us --sizes 1MiB,2MiB,3MiB,4MiB --compare mpi,mpi broadcast || fail "no time to compare: $(cat "$dir/err")"
grep -q '^# warning: 4 of 4 sizes were not compared: blocks of both implementations take longer than --budget' "$dir/out" || fail "no time to compare: $(cat "$dir/out")"
! grep 'time-limit' "$dir/out" || fail "a limit of time"

# with a limit of time the report says that it may be too short
run 2 --time-limit 3s -e 1e-6 -M 64KiB broadcast reduce || fail "a short limit: $(cat "$dir/err")"
grep -q 'did not converge; raise --time-limit, --budget, ' "$dir/out" || fail "a short limit: $(cat "$dir/out")"

# fewer repetitions than usual are no contradiction
run 2 -q --spread 0 -R 3 --sizes 8 -f csv broadcast || fail "3 calls: $(cat "$dir/err")"
grep -q '^broadcast,.*,8,3,' "$dir/out" || fail "3 calls: $(cat "$dir/out")"

# late ranks: a call that waits for the root takes that long on others, and is timed from the last arrival on
echo '0 3000 # rank 1 late' >"$dir/trace"
run 2 --budget 1s -r 20 -R 20 -q --sizes 8 --spread 0 --trace "$dir/trace" -f json -o "$dir/late.json" broadcast || fail "trace: $(cat "$dir/err")"
grep -q '"root_rank": 0, "arrival": "replay", "interval_us": 0.0,' "$dir/late.json" || fail "no replay"
# less than 3000 where rank 0 is late itself, more where the machine is busy
spread=$(sed -n 's/.*"start_spread_us": \([0-9.]*\).*/\1/p' "$dir/late.json")
awk -v s="$spread" 'BEGIN { exit !(s >= 2500) }' || fail "a trace of 3000 us gives $spread us"
run 2 --budget 1s -r 3 -R 3 -q --sizes 8 --spread 0 --arrival uniform --interval 200us -f csv reduce || fail "uniform: $(cat "$dir/err")"
grep -q "^reduce,mpi,2,1,fixed,uniform,200," "$dir/out" || fail "uniform: $(cat "$dir/out")"

# a trace that rank 0 alone can read is enough: the others get it from there
cat >"$dir/later" <<'EOF'
#!/bin/sh
test "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}" = 0 || { mkdir -p "$0.d" && cd "$0.d"; }
exec "$@"
EOF
chmod +x "$dir/later"
here=$(pwd) status=0
(cd "$dir" && sh "$top/tests/support/mpi-run.sh" 2 "$dir/later" "$here/$tool" --budget 1s -r 20 -R 20 -q --sizes 8 --spread 0 --trace trace \
    -f csv broadcast >out 2>err) || status=$?
test $status = 0 || fail "trace of rank 0: status $status $(cat "$dir/err")"
grep -q '^broadcast,mpi,2,1,fixed,replay,' "$dir/out" || fail "trace of rank 0: $(cat "$dir/out")"

# nor need others have its file of sizes, or a standard input
printf '8 1KiB,16 # three\n' >"$dir/sizes"
status=0
(cd "$dir" && sh "$top/tests/support/mpi-run.sh" 2 "$dir/later" "$here/$tool" $quick --sizes-file sizes -f csv broadcast >out 2>err) || status=$?
test $status = 0 || fail "sizes of rank 0: status $status $(cat "$dir/err")"
test "$(cut -d, -f11 "$dir/out" | tr '\n' ' ')" = 'size_B 8 16 1024 ' || fail "sizes of rank 0: $(cat "$dir/out")"
run 2 $quick --sizes-file - -f csv broadcast <"$dir/sizes" || fail "sizes from standard input: $(cat "$dir/err")"
test "$(wc -l <"$dir/out")" = 4 || fail "sizes from standard input: $(cat "$dir/out")"
refuse_sizes() { # refuse_sizes TEXT FILE
    status=0
    run 2 --sizes-file "$2" broadcast || status=$?
    test $status = 3 || fail "$2: status $status"
    grep -qF "benchmark_collective: $1" "$dir/err" || fail "$2: $(cat "$dir/err")"
}
refuse_sizes "$dir/nowhere: " "$dir/nowhere"
echo '8 1KiB,x # one too many' >"$dir/wrong"
refuse_sizes "$dir/wrong: 'x' is not a size" "$dir/wrong"
printf '8\n1KiB,\00016' >"$dir/binary"
refuse_sizes "$dir/binary:2: not text: contains a zero byte" "$dir/binary"
echo '# none' >"$dir/none"
refuse_sizes "$dir/none: no sizes" "$dir/none"

# calls that are slow for the first time of a size are in no time of it, not even in the longest or the mean
if [ -f .libs/slow_first.so ]; then
    sh "${srcdir:-.}/support/mpi-run.sh" 2 env LD_PRELOAD="$PWD/.libs/slow_first.so" $tool -q --spread 0 --implementation preloaded --sizes 8,4096 \
        -r 20 -R 20 -f csv broadcast >"$dir/out" 2>"$dir/err" || fail "slow: $(cat "$dir/err")"
    for size in 8 4096; do
        test "$(grep -c "^slow: $size\$" "$dir/err")" = 2 || fail "the first call of $size bytes was not slow: $(cat "$dir/err")"
    done
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { n++; bad += $at["max_us"] > 400000 || $at["ranks_max_us"] > 20000 }
        END { exit bad || n != 2 }' "$dir/out" || fail "a slow first call is among the times: $(cat "$dir/out")"
fi

# where a barrier replaces start times all sizes begin anew, with all of their budget
if [ -f .libs/late_start.so ]; then
    sh "${srcdir:-.}/support/mpi-run.sh" 2 env LD_PRELOAD="$PWD/.libs/late_start.so" $tool -q --spread 500ms --sizes 8,64,4096 -r 200 -R 200 \
        -f csv pingpong broadcast barrier >"$dir/out" 2>"$dir/err" || fail "late: $(cat "$dir/err")"
    test "$(passes | cut -d/ -f2 | sort -u)" = 200 || fail "late: $(cat "$dir/out")"
    test "$(grep -c ',one-barrier,' "$dir/out")/$(grep -c ',round-trip,' "$dir/out")" = 4/3 || fail "late: $(cat "$dir/out")"
fi

# with more processors than a cpu_set_t can hold, the kernel still reports the binding of ranks
if [ -f .libs/big_kernel.so ] && [ "$processors" -gt 1 ]; then
    sh "${srcdir:-.}/support/mpi-run.sh" 2 env LD_PRELOAD="$PWD/.libs/big_kernel.so" $tool --budget 20ms -R 20 --sizes 8 broadcast \
        >"$dir/out" 2>"$dir/err" || fail "a big kernel: $(cat "$dir/err")"
    ! grep -q oversubscribed "$dir/out" || fail "a big kernel: $(cat "$dir/out")"
    grep -q 'a cache line goes from rank to rank in [0-9.]* ns' "$dir/out" || fail "a big kernel: $(cat "$dir/out")"
fi

# nor is an output written over what is read
for option in --trace --sizes-file; do
    status=0
    echo '0 8' >"$dir/same.csv"
    run 2 --budget 60s -r 1000000 -R 1000000 $option "$dir/same.csv" -o "$dir/same.csv" broadcast || status=$?
    test $status = 2 || fail "$option and -o: status $status"
    grep -q "benchmark_collective: -o: '$dir/same.csv' would replace what $option reads" "$dir/err" || fail "$option and -o: $(cat "$dir/err")"
    grep -q '^0 8$' "$dir/same.csv" || fail "$option and -o: it is gone"
done

# an output that cannot be written is reported before anything is measured
for option in -o --report; do
    status=0
    run 2 --budget 60s -r 1000000 -R 1000000 $option "$dir/no/x.html" broadcast || status=$?
    test $status = 1 || fail "$option: status $status"
    grep -q "benchmark_collective: $dir/no/x.html: cannot create: " "$dir/err" || fail "$option: $(cat "$dir/err")"
done

# only round trips are timed several at once, short ones on any clock that has steps
run 2 --budget 0.2s -q --sizes 8,4MiB -f csv pingpong broadcast || fail "batches: $(cat "$dir/err")"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { n[$1 " " $at["size_B"]] = $at["batch"] }
    END { exit !(n["pingpong 8"] > 1 && n["pingpong 4194304"] == 1 && n["broadcast 8"] == 1) }' "$dir/out" ||
    fail "batches: $(cat "$dir/out")"

# where all are the same more of them are, as in IMB and OSU
round_trips() { # round_trips CACHE: timed at once
    run 2 --budget 0.2s -q --cache "$1" --sizes 8 -f csv pingpong || fail "round trips, $1: $(cat "$dir/err")"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["batch"] }' "$dir/out"
}
hot=$(round_trips hot)
same=$(round_trips same)
test "$same" -gt "$hot" || fail "round trips at once: $same of the same message, $hot of new ones"

# what scripts for IMB and OSU look for
run 3 -q --spread 0 -f imb -npmin 3 -msglog 3:4 -iter 10 -time 20 PingPong Sendrecv Bcast Barrier || fail "imb: $(cat "$dir/err")"
awk '/^# Benchmarking/ { name = $3 } /^# #processes =/ { np = $4 }
    /^ +[0-9]/ { n[name " " np]++; fields[name] = NF; if ($2 != 10 && $1 != 10) bad = 1 }
    END { exit !(n["PingPong 2"] == 3 && n["Sendrecv 3"] == 3 && n["Bcast 3"] == 3 && n["Barrier 3"] == 1 &&
        fields["PingPong"] == 4 && fields["Sendrecv"] == 6 && fields["Bcast"] == 5 && fields["Barrier"] == 4 && !bad) }' \
    "$dir/out" || fail "imb: $(cat "$dir/out")"
run 2 -q --spread 0 -f osu --sizes 8 -r 10 -R 10 pingpong broadcast || fail "osu: $(cat "$dir/err")"
awk '/OSU MPI/ { name = $(NF - 1) } /^8 / { if ($2 > 0) n[name] = NF } END { exit !(n["Latency"] == 2 && n["Broadcast"] == 5) }' \
    "$dir/out" || fail "osu: $(cat "$dir/out")"

# nothing is begun when time is up
if run 2 --time-limit 1us -f csv broadcast; then
    fail "a limit of 1 us was kept: $(cat "$dir/out")"
fi
grep -q 'there was nothing to measure: no time was left for 24 sizes' "$dir/err" || fail "limit: $(cat "$dir/err")"

# passes that are spread leave time for all
run 2 -q --time-limit 6s -R 30 --sizes 8 --spread 100s --budget 100s -f csv broadcast alltoall reduce || fail "limit: $(cat "$dir/err")"
test "$(passes)" = 6/30 || fail "limit: $(passes) passes"
run 3 -q --npmin 1 --time-limit 6s -R 30 --sizes 8 --spread 100s --budget 100s -f csv broadcast || fail "limit: $(cat "$dir/err")"
test "$(passes)" = 6/30 || fail "limit of three numbers of ranks: $(passes) passes"

# it is shared by all operations and numbers of ranks, however much time each of them could use
! grep 'sizes done' "$dir/err" || fail "progress of -q: $(cat "$dir/err")"
run 3 --time-limit 9s -r 1000000 -R 1000000 --budget 100s --sizes 8,64 -n 2,3 -f csv broadcast alltoall || fail "shares: $(cat "$dir/err")"
# standard error is no terminal here: there is a line of progress every 5 seconds
grep -q '^benchmark_collective: [23] ranks, 2 operations: [0-9]* of 4 sizes done, pass [0-9]*$' "$dir/err" || fail "no progress: $(cat "$dir/err")"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["repetitions"] > 0 && ($at["ranks"] == 3 || $at["passes"] > 3) { n++ } END { exit n != 8 }' "$dir/out" ||
    fail "shares: $(cat "$dir/out")"

# a signal ends it in good order: what there is is written
end_early 2 $tool --budget 50s -r 1000000 -R 1000000 --sizes 8,64 -f json -o "$dir/ended.json" broadcast allreduce
test $status = 0 || fail "a signal: status $status $(cat "$dir/err")"
grep -q 'warning: SIGUSR1 came: \(sizes\|1 size was not measured, and others\|[1-9][0-9]* sizes were not measured, and others\) may have few' "$dir/err" || fail "a signal: $(cat "$dir/err")"
grep -q '"operation": "' "$dir/ended.json" || fail "a signal: no times"
begin=$(date +%s)
end_early 2 $tool --spread 100s --budget 200s -r 30 -R 30 --sizes 8 -f csv broadcast
took=$(($(date +%s) - begin))
test $took -lt 50 || fail "a signal between passes: $took s"
test $status = 0 || fail "a signal between passes: status $status $(cat "$dir/err")"
test "$(passes)" = 1/5 || fail "a signal between passes: $(cat "$dir/out" "$dir/err")"

if python3 -c 'import jsonschema' 2>/dev/null; then
    $tool --list >"$dir/list"
    python3 "${srcdir:-.}/support/benchmark_schema.py" "${srcdir:-.}/../doc/benchmark.schema.json" "$dir/list" "$dir"/*.json
fi
