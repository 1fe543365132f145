#!/bin/sh
# predict_collective: its output in all forms against stored files (HITOP_UPDATE_GOLDEN=1 rewrites
# them), its refusals against their messages and exit statuses.
set -eu
top=${srcdir:-.}/..
golden=$top/testdata/golden
model=$top/testdata/models/four-levels.json
tool=../tools/predict_collective
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
    "$tool" "$@" >"$work/out"
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

expect predict-bcast.txt -i "$model" -O bcast --sizes 0,1,1k,64k,16m --explain
expect predict-chain.txt -i "$model" -O bcast/chain --segment 8k -m 64k -M 256k -n 10 --root 3
expect predict-ecef.txt -i "$model" -O bcast/ecef --sizes 64k --explain
expect predict-knomial.csv -i "$model" -O bcast/knomial --param radix=3 -m 1024 -M 2049 --format csv
expect predict-bcast.csv -i "$model" -O bcast --sizes 1m --root 31 --format csv
expect predict-bcast.json -i "$model" -O bcast --sizes 64k --format json
expect predict-p2p.txt -i "$model" -O p2p --from 0 --to 17 -m 1000 -M 5000 -S 2000
expect predict-p2p.json -i "$model" -O p2p --from 0 --to 1 --sizes 0 --format json
expect predict-list.txt --list

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

refused 2 "-i MODEL is missing" -O bcast
refused 2 "-O OP is missing" -i "$model"
refused 2 "no operation is called 'sing'; valid: p2p, allgather, " -i "$model" -O sing
refused 2 "bcast has no algorithm 'oak'; valid: auto, double_binary" -i "$model" -O bcast/oak
refused 2 "p2p has no algorithms" -i "$model" -O p2p/flat
refused 2 "-n: 33 ranks, but $model prices 32" -i "$model" -O bcast -n 33
refused 2 "--ranks: '0' is not an integer" -i "$model" -O bcast -n 0
refused 2 "rank 8 is not in 0..7" -i "$model" -O bcast -n 8 --root 8
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
refused 1 "need more than" -i "$model" -O bcast/flat --segment 1 --sizes 1m
refused 2 "--draw: 'x.png' ends neither in .svg nor in .dot" -i "$model" -O bcast --draw x.png
refused 2 "--draw: 3 sizes; take one, such as --sizes 64k" -i "$model" -O bcast --sizes 1,2,3 --draw x.svg
refused 2 "--draw needs one algorithm" -i "$model" -O bcast/auto --sizes 1 --draw x.svg
refused 2 "--draw needs one algorithm" -i "$model" -O p2p --sizes 1 --draw x.svg
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

exit $failed
