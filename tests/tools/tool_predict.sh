#!/bin/sh
# predict_collective: its output in all forms against stored files (HITOP_UPDATE_GOLDEN=1 rewrites
# them), its refusals against their messages and exit statuses.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
golden=$top/testdata/golden
model=$top/testdata/models/four-levels.json
tool=$bin/predict_collective
work=$(mktemp -d ./tool_predict.XXXXXX)
trap 'rm -rf "$work"' EXIT
failed=0

expect_file() { # expect_file GOLDEN FILE
    if [ "${HITOP_UPDATE_GOLDEN:-0}" = 1 ]; then
        cp "$2" "$golden/$1"
    elif ! diff -u "$golden/$1" "$2"; then
        failed=1
    fi
}

expect() { # expect GOLDEN ARGUMENT...: the output is that of the stored file
    name=$1
    shift
    "$tool" "$@" >"$work/all"
    sed '/guideline violated/d' "$work/all" >"$work/out" # depends on all algorithms there are
    expect_file "$name" "$work/out"
}

refused() { # refused STATUS WORDS ARGUMENT...: that exit status and one line with these words
    wanted=$1 words=$2
    shift 2
    status=0
    "$tool" "$@" >"$work/out" 2>"$work/err" || status=$?
    if [ "$status" != "$wanted" ] || [ -s "$work/out" ] || [ "$(wc -l <"$work/err")" != 1 ] ||
        ! grep -qF -- "$words" "$work/err"; then
        echo "predict_collective $*: status $status instead of $wanted, or no '$words' in:" >&2
        cat "$work/err" >&2
        failed=1
    fi
}

expect predict-ranking.txt -i "$model" -O alltoall --sizes 0,1,64k -n 11 --explain
expect predict-chain.txt -i "$model" -O bcast/chain --segment 8k -m 64k -M 256k -n 10 --root 3
expect predict-ecef.txt -i "$model" -O bcast/ecef --sizes 64k --explain
expect predict-knomial.csv -i "$model" -O bcast/knomial --param radix=3 -m 1024 -M 2049 --format csv
expect predict-ranking.csv -i "$model" -O alltoall --sizes 1m --format csv
expect predict-chain.json -i "$model" -O reduce/chain --param segment=64KiB --sizes 1m --root 31 --format json
expect predict-path.txt -i "$model" -O reduce/chain --segment 512 --sizes 1k -n 5 --ports both --explain
expect predict-p2p.txt -i "$model" -O p2p --from 0 --to 17 -m 1000 -M 5000 -S 2000
expect predict-p2p.json -i "$model" -O p2p --from 0 --to 1 --sizes 0 --format json
expect predict-list.txt --list
expect predict-mpi.csv -i "$model" --mpi openmpi-4.1.4 -n 11 --sizes 100,64k --format csv
expect predict-mpi.txt -i "$model" --mpi mpich-4.0 -O MPI_Bcast,allreduce,barrier --sizes 1k,1m --root 3
expect predict-mpi.json -i "$model" --mpi openmpi-5.0 -O allreduce --sizes 64k --ordered --format json
"$tool" -i "$model" --mpi openmpi-4.1 -O bcast,barrier --sizes 1k,1m --draw "$work/map.svg" -o /dev/null
expect_file predict-mpi.svg "$work/map.svg"
refused 2 "--draw: 'map.dot' does not end in .svg" -i "$model" --mpi openmpi-4.1 --draw map.dot
refused 2 "--mpi: no MPI library 'openmpi-4' (did you mean openmpi-4.1?); valid: mpich-4.0, " -i "$model" --mpi openmpi-4
refused 3 "no.txt: cannot open" -i "$model" --mpi "$work/no.txt"
: >"$work/empty.txt"
refused 3 "empty.txt: no line begins with choose" -i "$model" --mpi "$work/empty.txt"
cp "$work/empty.txt" "$work/kept.txt"
refused 2 "-o: '$work/kept.txt' would replace what --mpi reads" -i "$model" --mpi "$work/kept.txt" -o "$work/kept.txt"
cmp "$work/empty.txt" "$work/kept.txt"
echo 'choose bcast color 1 : x' >"$work/color.txt"
refused 3 "'color' is no condition; valid: ranks, hosts, ranks-per-host, bytes, balanced, total, commutative, power-of-two, even, root, \
elements, elements/ranks, elements/power" -i "$model" --mpi "$work/color.txt"
refused 3 "README: line 1: " -i "$model" --mpi "$top/testdata/fuzz/README"
refused 2 "-O: no operation is called 'bcast/chain'" -i "$model" --mpi openmpi-4.1 -O bcast/chain
refused 2 "--mpi goes without" -i "$model" --mpi openmpi-4.1 --explain
refused 2 "-i MODEL is missing" --mpi openmpi-4.1
printf 'algorithm bcast 1 mine\nchoose bcast : mine segment=4k\nplan bcast mine : same chain\n' >"$work/mine.txt"
"$tool" -i "$model" --mpi "$work/mine.txt" -O bcast,reduce --sizes 64k --format csv >"$work/mine.csv"
grep -q "^bcast,65536,mine,1,4096,0,.*mine.txt,2,same,[0-9]" "$work/mine.csv" &&
    grep -q "^reduce,65536,,,0,0,,0,none,,.*,no rule for reduce of 32 ranks and 65536 bytes\$" "$work/mine.csv" ||
    { cat "$work/mine.csv" && failed=1; }

cat >"$work/rules" <<END
# of a test
allgather ranks ..8 bytes ..1k : ring
allgather bytes ..8k : neighbor_exchange
allgather bytes 1m.. : mpi
allgather hosts 2..6 ranks-per-host 2 : bruck
END
# hosts are counted by their names, as the library counts them, also where the tree has no level of hosts
printf 'bcast hosts 6 ranks-per-host 2 : chain\nbcast : flat\n' >"$work/hosts.rules"
sed 's/"level": "host"/"level": ""/' "$model" >"$work/hosts.json"
for case in '11 chain' '13 flat'; do
    "$tool" -i "$work/hosts.json" -O bcast --rules "$work/hosts.rules" -n "${case% *}" --sizes 1k --format csv >"$work/out"
    grep -q ",${case#* }," "$work/out" || {
        echo "${case% *} ranks: not ${case#* }: $(cat "$work/out")" >&2
        failed=1
    }
done
expect predict-rules.txt -i "$model" -O allgather --rules - --sizes 1,4k,1m -n 11 --explain <"$work/rules"
expect predict-rules.csv -i "$model" -O allgather/auto --rules - --sizes 1k,2k,1m -n 8 --format csv <"$work/rules"
"$tool" -i "$model" -O reduce/flat --sizes 1k --explain >"$work/out"
grep -q '^  guideline violated: allreduce would take [0-9.]* us$' "$work/out" || failed=1
echo 'allgather : ring' >>"$work/rules"
echo 'allgather bytes 9 : ring' >>"$work/rules"
"$tool" -i "$model" -O allgather --rules "$work/rules" --sizes 1 2>"$work/err" >"$work/out"
grep -q 'rules: line 7 is never reached: rules before it take all' "$work/err" || failed=1

printf '1\n0\n3\n4\n' >"$work/counts"
expect predict-counts.txt -i "$model" -O scatterv/flat --counts "$work/counts" --element 1k -n 4
expect predict-ordered.txt -i "$model" -O reduce/binary_in_order --ordered --element 8 --sizes 8,64 -n 12

draw() { # draw ENDING ARGUMENT...: the drawing is the stored one
    ending=$1
    shift
    "$tool" "$@" --draw "$work/drawing.$ending" >/dev/null
    expect_file "predict-draw.$ending" "$work/drawing.$ending"
}
draw dot -i "$model" -O bcast/binomial --sizes 64k -n 6 --root 2 --segment 32k
draw svg -i "$model" -O reduce/binomial --sizes 64k -n 4 --ports both
"$tool" -i "$model" -O gather --sizes 64k --format csv --draw "$work/fastest.dot" >"$work/ranking"
grep -q "label=\"gather/$(awk -F, '$9 == 1 { print $6 }' "$work/ranking")," "$work/fastest.dot" || failed=1

# the time of auto is that of the fastest
"$tool" -i "$model" -O bcast --sizes 64k --format csv | awk -F, '$9 == 1 { print $7 }' >"$work/fastest"
"$tool" -i "$model" -O bcast/auto --sizes 64k --format csv | awk -F, 'NR == 2 { print $7 }' >"$work/auto"
cmp "$work/fastest" "$work/auto" || failed=1

# -o writes whole files only; a model may come from standard input
"$tool" -i - -O p2p -o "$work/file" <"$model"
"$tool" -i "$model" -O p2p | cmp - "$work/file" || failed=1

# by default six sizes from 1 KiB on and the five fastest of each, in a screen; --all has the others, csv always
"$tool" -i "$model" -O bcast >"$work/short"
"$tool" -i "$model" -O bcast --all >"$work/long"
"$tool" -i "$model" -O bcast --format csv >"$work/csv"
test "$(wc -l <"$work/short")" -le 34 || failed=1
awk '$1 ~ /^[0-9]+$/ { n[$1]++ } END { for (s in n) { if (n[s] != 5) exit 1; k++ } exit k != 6 }' "$work/short" || failed=1
awk '$1 ~ /^[0-9]+$/ && ++n[$1] <= 5' "$work/long" >"$work/first"
grep '^ ' "$work/short" | grep -v size_B | cmp - "$work/first" || failed=1
hidden=$(sed -n 's/^# the 5 fastest of each size; --all prints \([0-9]*\) more lines$/\1/p' "$work/short")
test "$(($(wc -l <"$work/long") - $(wc -l <"$work/short") + 1))" = "$hidden" || failed=1
test "$(wc -l <"$work/csv")" = "$(($(wc -l <"$work/long") - 2))" || failed=1 # but for title and note

# operations by other names, on the command line and in rules
"$tool" --list | grep -x '[a-z_][a-z_]*' | grep -vx barrier >"$work/operations"
test "$(wc -l <"$work/operations")" -ge 15 || failed=1
while read -r name; do
    "$tool" -i "$model" -O "$name/auto" --sizes 1KiB -n 4 >"$work/out"
    for other in "MPI_$name" "$(echo "$name" | tr a-z_ A-Z-)"; do
        "$tool" -i "$model" -O "$other/auto" --sizes '1 k' -n 4 | cmp - "$work/out" || failed=1
        echo "$other bytes 1K : mpi" | "$tool" -i "$model" -O "$name" --rules - --sizes 1k -n 4 | grep -q ' mpi .*line 1$' || failed=1
    done
done <"$work/operations"
refused 2 "no operation is called 'MPI_Brodcast' (did you mean bcast?); valid: allgather, " -i "$model" -O MPI_Brodcast
refused 2 "'64kibs' has no known unit (did you mean KiB?): k, m, g, " -i "$model" -O bcast --sizes 64kibs
refused 2 "'0.3k' is not a whole number of bytes" -i "$model" -O bcast --sizes 0.3k
refused 2 "CPM passes the strategy as an argument; use dfs_min or dfs_max" -i "$model" -O CPM_Bcast_dfs_binomial
refused 2 "no model is called 'Hockneys'; valid: hockney, " -i "$model" -O p2p -C Hockneys
refused 2 "is for the operation scatter, not bcast" -i "$model" -O bcast/Hockney_Scatter_dfs_binomial_min
refused 2 "-i MODEL is missing" -O bcast
refused 2 "-O OP is missing" -i "$model"
refused 2 "no operation is called 'sing'; valid: allgather, " -i "$model" -O sing
refused 2 "bcast has no algorithm 'oak'; valid: auto, double_binary" -i "$model" -O bcast/oak
refused 2 "p2p has no algorithms" -i "$model" -O p2p/flat
refused 2 "-n: 33 ranks, but $model prices 32" -i "$model" -O bcast -n 33
refused 2 "--ranks: '0' is not an integer" -i "$model" -O bcast -n 0
refused 2 "--root: rank 8 is not in 0..7" -i "$model" -O bcast -n 8 --root 8
refused 2 "--from: rank 9 is not in 0..7" -i "$model" -O p2p -n 8 --from 9
refused 2 "--to: rank 8 is not in 0..7" -i "$model" -O p2p -n 8 --to 8
refused 2 "--max-size: '-1' is not a size" -i "$model" -O bcast -M -1
refused 2 "--max-size: '1e9999' has no known unit" -i "$model" -O bcast -M 1e9999
refused 2 "--sizes: '64Q' has no known unit" -i "$model" -O bcast --sizes 1k,64Q
refused 2 "--sizes: '' is not a size" -i "$model" -O bcast --sizes 1k,
refused 2 "(-m 2048) is larger than the largest (-M 1024)" -i "$model" -O bcast -m 2k -M 1k
refused 2 "more than 10000 message sizes" -i "$model" -O bcast -M 1g -S 1
refused 2 "--sizes goes without -m" -i "$model" -O bcast -m 1 --sizes 2
refused 2 "knomial has no parameter 'rdx=3'; valid: radix" -i "$model" -O bcast/knomial --param rdx=3
refused 2 "knomial: radix=1 is outside [2, 1024]" -i "$model" -O bcast/knomial --param radix=1
refused 2 "--param needs one algorithm" -i "$model" -O bcast --param radix=3
refused 2 "--format: 'xml' is none of text, csv, json" -i "$model" -O bcast --format xml
refused 2 "--from and --to belong to p2p" -i "$model" -O bcast --from 1
refused 1 "need more than" -i "$model" -O bcast/double_binary --segment 1 --sizes 1m
refused 2 "--draw: 'x.png' ends neither in .svg nor in .dot" -i "$model" -O bcast --draw x.png
refused 2 "--draw: 3 sizes; take one, such as --sizes 64k" -i "$model" -O bcast --sizes 1,2,3 --draw x.svg
refused 2 "--element and --draw do not go with p2p" -i "$model" -O p2p --sizes 1 --draw x.svg
refused 2 "standard input cannot be both -i and --rules" -i - -O bcast --rules -
refused 2 "standard input cannot be both -i and --counts" -i - -O scatterv --counts -
refused 2 "standard input cannot be both --rules and --counts" -i "$model" -O scatterv --counts - --rules -
cp "$model" "$work/same.json"
refused 2 "-o: '$work/same.json' would replace what -i reads" -i "$work/same.json" -O bcast -o "$work/same.json"
refused 2 "-o: '$work/rules' would replace what --rules reads" -i "$model" -O bcast --rules "$work/rules" -o "$work/rules"
refused 2 "--write-rules: '$work/same.json' would replace what -i reads" -i "$work/same.json" --write-rules "$work/same.json"
cmp "$model" "$work/same.json" || failed=1
refused 2 "--rules chooses the algorithm: -O bcast/auto" -i "$model" -O bcast/flat --rules "$work/rules"
refused 2 "auto chooses segments by itself" -i "$model" -O bcast/auto --segment 8k
refused 3 "no-such.rules: cannot open" -i "$model" -O bcast --rules no-such.rules
echo 'bcast : oak' >"$work/bad.rules"
refused 3 "bad.rules: line 1: bcast has no algorithm 'oak'; valid: auto, " -i "$model" -O bcast --rules "$work/bad.rules"
refused 2 "--ordered is for reductions" -i "$model" -O bcast --ordered
refused 2 "--element: '0': an element has bytes" -i "$model" -O reduce --element 0
refused 2 "reduce_tree: 9 bytes are no whole elements of 8" -i "$model" -O reduce/chain --element 8 --sizes 9
refused 2 "--counts is for scatterv, gatherv" -i "$model" -O scatter --counts "$work/counts"
refused 2 "--counts contains all sizes" -i "$model" -O scatterv --counts "$work/counts" --sizes 1
refused 3 "counts: line 4: more than 3 counts" -i "$model" -O scatterv --counts "$work/counts" -n 3
refused 3 "counts: 4 counts for 5 ranks" -i "$model" -O scatterv --counts "$work/counts" -n 5
printf '1\n\0000\n3\n4\n' >"$work/zero"
refused 3 "zero:2: not text: contains a zero byte" -i "$model" -O scatterv --counts "$work/zero" -n 4
echo 1.5 >"$work/bad"
refused 3 "bad: line 1: '1.5' is not an integer" -i "$model" -O scatterv --counts "$work/bad" -n 1
refused 3 "no-counts: cannot open" -i "$model" -O scatterv --counts no-counts
refused 1 "messages and copies are more than 20000; take fewer ranks (-n) or longer segments" \
    -i "$model" -O bcast/flat --sizes 1m --segment 1k --draw x.svg
refused 2 "--ports: 'none' is none of model, sender, both" -i "$model" -O bcast --ports none
refused 2 "unexpected argument 'more'" -i "$model" -O bcast more
refused 3 "no-such-model.json" -i no-such-model.json -O bcast
: >"$work/empty.json"
refused 3 "empty.json" -i "$work/empty.json" -O bcast
head -c 500 "$model" >"$work/broken.json"
refused 3 "broken.json" -i "$work/broken.json" -O bcast
refused 1 "cannot write" -i "$model" -O p2p -o /dev/full

# A plan for all of 6000 ranks would be too long: the prediction of few ranks is reported.
awk 'BEGIN {
    n = 6000
    printf "{\"format\": \"hitop-model\", \"version\": 1, \"model\": \"hockney\", \"convention\": \"one-way\","
    printf " \"units\": {\"time\": \"s\", \"size\": \"B\"}, \"ranks\": %d, \"tree\": {\"hosts\": [\"h0\"", n
    for (i = 1; i < n; i++) printf ", \"h%d\"", i
    printf "], \"parents\": [%d", n
    for (i = 1; i < n; i++) printf ", %d", n
    printf "], \"groups\": [{\"node\": %d, \"level\": \"cluster\", \"name\": \"c\", \"parent\": null}]},", n
    printf " \"classes\": [{\"node\": %d, \"level\": \"cluster\", \"name\": \"c\", \"pair\": [0, 1],", n
    print " \"alpha\": 1e-5, \"beta\": 1e-9, \"nsizes\": 5, \"nsamples\": 9, \"converged\": true, \"residual\": 0.01,"
    print " \"se\": {\"alpha\": 0, \"beta\": 0}, \"interval\": {\"alpha\": [1e-5, 1e-5], \"beta\": [1e-9, 1e-9]},"
    print " \"times\": {\"bytes\": [0], \"time\": [1e-5], \"lo\": [1e-5], \"hi\": [1e-5]}}]}"
}' >"$work/many.json"
"$tool" -i "$work/many.json" -O alltoall/auto --sizes 1m >"$work/out" || failed=1
grep -q '^ *1048576 .* <- prediction$' "$work/out" || failed=1

# A broadcast in two levels goes in segments of 32 KiB at most, so that a change of protocol at 64 KiB costs it nothing.
"$tool" -i "$top/testdata/models/two-sites/piecewise.json" -O bcast/twolevel --sizes 63k,64k --format csv >"$work/out" || failed=1
awk -F, 'NR > 1 { time[NR] = $7 } END { exit !(NR == 3 && time[3] > time[2] && time[3] < 1.1 * time[2]) }' "$work/out" || failed=1

exit $failed
