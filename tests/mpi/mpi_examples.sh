#!/bin/sh
# The examples: what they print, what they refuse, and that their data are right on several numbers of ranks.
set -eu
srcdir=${srcdir:-.}
. "$srcdir/support/scratch.sh"
model=$srcdir/../testdata/models/two-sites/hockney.json
deep=$srcdir/../testdata/models/four-levels.json

refused() { # refused STATUS WORDS COMMAND... ; one line with these words
    want=$1 words=$2 status=0
    shift 2
    "$@" >"$dir/out" 2>"$dir/err" || status=$?
    [ $status -eq "$want" ] || fail "$*: status $status, not $want"
    [ ! -s "$dir/out" ] || fail "$*: prints something"
    grep -q -e "$words" "$dir/err" || { cat "$dir/err"; fail "$*: no '$words'"; }
}

run() { # run RANKS PROGRAM WORDS...
    sh "$srcdir/support/mpi-run.sh" "$1" "../examples/$2" $3 >"$dir/out" 2>"$dir/err" || { cat "$dir/out" "$dir/err"; fail "$*"; }
}

../examples/predict "$deep" 1MiB >"$dir/out" || fail "predict"
diff -u "$srcdir/../testdata/golden/example-predict.txt" "$dir/out" || fail "predict"
refused 2 'usage: predict' ../examples/predict
refused 2 "'3x'" ../examples/predict "$model" 3x
refused 3 'nosuch: cannot open' ../examples/predict nosuch

for program in asp matmul measure_and_use model_bcast predict private; do
    for option in -h --help; do
        sh "$srcdir/support/mpi-run.sh" 1 ../examples/$program $option >"$dir/out" 2>"$dir/err" ||
            fail "$program $option: status $?"
        head -n 1 "$dir/out" | grep -q "^usage: .*$program" || fail "$program $option: $(cat "$dir/out")"
        [ ! -s "$dir/err" ] || fail "$program $option: $(cat "$dir/err")"
    done
done

for ranks in 1 2 3; do
    run $ranks model_bcast "$model"
    [ "$(wc -l <"$dir/out")" -eq $((ranks == 1 ? 4 : 7)) ] || { cat "$dir/out"; fail "model_bcast on $ranks"; }
    run $ranks matmul "-n 41 -r 3 -s 0:3 -m $model -a $([ $ranks -eq 2 ] && echo auto || echo dfs_min)"
    grep -q '^by speed *hitop ' "$dir/out" || { cat "$dir/out"; fail "matmul on $ranks"; }
    [ "$(awk '/^ / { n += $3 } END { print n }' "$dir/out")" -eq 41 ] || { cat "$dir/out"; fail "matmul: rows"; }
done

for tree in flat hosts; do
    run 3 measure_and_use "--tree $tree --rounds 3 --seconds 0.3"
    [ "$(grep -c '^checked: ' "$dir/out")" -eq 2 ] || { cat "$dir/out"; fail "measure_and_use: rounds"; }
    [ "$(awk '$1 == 1048576 && $4 > 0 && $4 <= $2 && $4 <= $3' "$dir/out" | wc -l)" -eq 3 ] ||
        { cat "$dir/out"; fail "measure_and_use: the choice is not the fastest"; }
done
for wrong in '--rounds 0' '--rounds x' '--rounds 4294967297' '--seconds 0' '--seconds nan' '--seconds inf' '--seconds 2e9' '--tree nosuch' '--nosuch' 'word'; do
    # shellcheck disable=SC2086 # a list
    refused 2 'measure_and_use' sh "$srcdir/support/mpi-run.sh" 2 ../examples/measure_and_use $wrong
done

run 4 private "$srcdir/../examples/private.json"
diff -u "$srcdir/../testdata/golden/example-private.txt" "$dir/out" || fail "private"
