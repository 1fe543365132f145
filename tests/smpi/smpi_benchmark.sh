#!/bin/sh
# benchmark_collective on a simulated machine: each single time is what the wires and the plan say, to a ten-thousandth.
set -eu
. "${srcdir:-.}/support/scratch.sh"

python3 "${srcdir:-.}/../testdata/simgrid/make-mesh.py" "$dir" 4

run() { # run CASE OPTIONS...
    case=$1
    shift
    sh "${srcdir:-.}/support/smpi-run.sh" "$dir/mesh.xml" "$dir/mesh.hosts" 4 ../tools/benchmark_collective -q -f csv -n 4 -r 8 -R 8 "$@" \
        >"$dir/out" || fail "$case"
    python3 "${srcdir:-.}/smpi/benchmark_truth.py" "$dir/mesh.truth" "$dir/out" "$case" || fail "$case: $(cat "$dir/out")"
}
rooted='broadcast scatter gather reduce'

run messages --check --sizes 0,1000,100000 pingpong pairs sendreceive exchange
# The first call by Hitop makes a communicator, and plans: that is no part of any time.
run flat --check --sizes 1000,100000 --implementation hitop/flat $rooted
run rotating --check --sizes 1000,100000 --root rotating --implementation hitop/flat $rooted
run chain --sizes 1000 --implementation hitop/chain broadcast
run all --check --sizes 1000,100000 --implementation hitop/linear alltoall
run barrier --implementation hitop/dissemination barrier
# Rank 1 comes when the others have gone: its own message is what is left.
echo '0 3000 0 0' >"$dir/trace"
run late --sizes 1000,100000 --trace "$dir/trace" --implementation hitop/flat broadcast

# The same seed gives the same bytes.
cp "$dir/out" "$dir/before"
run late --sizes 1000,100000 --trace "$dir/trace" --implementation hitop/flat broadcast
cmp "$dir/before" "$dir/out" || fail "two runs differ"

# Operations in turns take what each of them takes alone, however many roots there are to choose for.
mkdir "$dir/eight"
python3 "${srcdir:-.}/../testdata/simgrid/make-mesh.py" "$dir/eight" 8
eight() { # eight OPERATION... ; times by operation and size
    sh "${srcdir:-.}/support/smpi-run.sh" "$dir/eight/mesh.xml" "$dir/eight/mesh.hosts" 8 ../tools/benchmark_collective -q -f csv -n 8 -r 36 -R 36 \
        --sizes 8,16,32,64,128,256,512,1024,2048 --root rotating --implementation hitop/flat "$@" >"$dir/out" || fail "$*"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%s %s %.3f %.3f\n", $1, $at["size_B"], $at["median_us"], $at["max_us"] }' "$dir/out"
}
eight broadcast >"$dir/alone"
eight broadcast scatter gather reduce | grep '^broadcast' >"$dir/turns"
cmp "$dir/alone" "$dir/turns" || fail "in turns: $(diff "$dir/alone" "$dir/turns")"

# A limit of time leaves some for each size, however long they warm up, and whatever the first ones could use.
limited() { # limited LIMIT OPTIONS... ; calls take 20 ms
    limit=$1
    shift
    sh "${srcdir:-.}/support/smpi-run.sh" "$dir/mesh.xml" "$dir/mesh.hosts" 4 ../tools/benchmark_collective -q -n 2 --arrival late-root --interval 20ms \
        --time-limit "$limit" --budget 100s "$@" broadcast >"$dir/out" || fail "$limit $*"
}
limited 3s -f csv --passes 1 -r 1000 -R 1000 --sizes 8,16,24,32,40,48,56,64
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n++; bad += $at["repetitions"] < 7 } END { exit bad || n != 8 }' "$dir/out" ||
    fail "a limit of time: $(cat "$dir/out")"

# Nor does it end a size before the fewest repetitions while there is time.
limited 6s -f csv --eps 1 -r 25 -R 25 --sizes 8,16
test "$(cut -d, -f1 "$dir/out" | grep -c broadcast)" = 2 || fail "fewest repetitions: $(cat "$dir/out")"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["repetitions"] != 25 { exit 1 }' "$dir/out" ||
    fail "fewest repetitions: $(cat "$dir/out")"

# It is shared evenly by the numbers of ranks, whose calls take the same here.
sh "${srcdir:-.}/support/smpi-run.sh" "$dir/mesh.xml" "$dir/mesh.hosts" 4 ../tools/benchmark_collective -q -n 2,3,4 --arrival late-root --interval 20ms \
    --time-limit 9s --budget 100s -f csv -r 10000 -R 10000 --sizes 8 broadcast >"$dir/out" || fail "an even share"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n++; r = $at["repetitions"]; low = n == 1 || r < low ? r : low; high = r > high ? r : high }
    END { exit n != 3 || low < 50 || high > 1.2 * low }' "$dir/out" || fail "an even share: $(cat "$dir/out")"

# A budget of two calls has one repetition, of which the first call was the warm-up; more have as many as it allows.
budget() { # budget BUDGET LEAST MOST ; calls take 20 ms
    sh "${srcdir:-.}/support/smpi-run.sh" "$dir/mesh.xml" "$dir/mesh.hosts" 4 ../tools/benchmark_collective -q -n 4 --arrival late-root --interval 20ms \
        --budget "$1" -r 20 -R 100 --eps 1e-9 -f csv --sizes 8,16 broadcast >"$dir/out" || fail "--budget $1"
    awk -F, -v least="$2" -v most="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { n++; bad += $at["repetitions"] < least || $at["repetitions"] > most } END { exit bad || n != 2 }' "$dir/out" || fail "--budget $1: $(cat "$dir/out")"
}
budget 20ms 1 1
budget 50ms 1 1
budget 100ms 2 4
budget 200ms 6 9

# A dry run says how long it will take: 50 calls of 20 ms and what warms up. All ranks come first.
sh "${srcdir:-.}/support/smpi-run.sh" "$dir/mesh.xml" "$dir/mesh.hosts" 4 ../tools/benchmark_collective -q -n 2,4 --arrival late-root --interval 20ms \
    --dry-run -r 25 -R 25 --sizes 8,16 broadcast >"$dir/out" || fail "a dry run"
awk 'NR == 1 { next } $1 ~ /^[0-9]/ { ranks = ranks $1 " "; bad += $2 != 2 || $4 < 0.5 || $4 > 2 } END { exit bad || ranks != "4 2 " }' "$dir/out" ||
    fail "a dry run: $(cat "$dir/out")"
grep -q '^all: about [0-9.]* s$' "$dir/out" || fail "a dry run: $(cat "$dir/out")"

# A limit of time ends no comparison before it is settled: short messages leave long ones their time, whichever come first.
for seed in 1 2 3; do
    limited 5s -f json --arrival together --seed $seed --compare mpi,mpi --sizes 8,16,24,2MiB
    test "$(grep -c '"quads": 12,' "$dir/out")" = 4 || fail "comparisons: $(grep '"quads"' "$dir/out")"
done
