#!/bin/sh
# predict_collective --write-rules: rules that are read again say what auto takes, at every size that was asked for.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/programs.sh"

tool=$bin/predict_collective
models=${srcdir:-.}/../testdata/models

choices() { # choices OP [OPTION...]: sizes, algorithms, times and parameters
    op=$1
    shift
    # shellcheck disable=SC2086 # words
    "$tool" -i "$model" $ranks -O "$op/auto" --sizes "$sizes" --format csv "$@" | sed 1d >"$dir/csv"
    test "$(wc -l <"$dir/csv")" -eq 4 || fail "$op $*: $(cat "$dir/csv")"
    cut -d, -f5-7,10 "$dir/csv"
}

same() { # same OP [OPTION...]: by prediction and by the rules
    choices "$@" >"$dir/auto"
    choices "$@" --rules "$dir/rules" >"$dir/ruled"
    diff "$dir/auto" "$dir/ruled" || fail "$model, $1: rules (>) are not what auto takes (<)"
    ! grep ',$' "$dir/csv" || fail "$model, $1: no rule"
}

refused() { # refused STATUS WORDS OPTION...
    wanted=$1 words=$2
    shift 2
    status=0 && "$tool" -i "$model" "$@" >"$dir/out" 2>"$dir/err" || status=$?
    test $status -eq "$wanted" || fail "$*: status $status"
    test ! -s "$dir/out" && test "$(wc -l <"$dir/err")" -eq 1 && grep -qF -e "$words" "$dir/err" ||
        fail "$*: $(cat "$dir/err")"
}

sizes=0,4k,16k,1m # four
for model in "$models/four-levels.json" "$models/two-sites/lmo.json"; do
    case $model in *lmo*) ranks='' ;; *) ranks='-n 12' ;; esac
    # shellcheck disable=SC2086 # words
    "$tool" -i "$model" $ranks --sizes "$sizes" --write-rules "$dir/rules" >"$dir/out" 2>&1
    test ! -s "$dir/out" || fail "$(cat "$dir/out")"
    for op in $(sed -n 's/ : auto$//p' "$dir/rules"); do
        same "$op"
    done
    same reduce --ordered
    test "$(grep -c ' : auto$' "$dir/rules")" -eq 16 || fail "not all operations: $(cat "$dir/rules")"
done
grep -q '^gather .*: split piece=' "$dir/rules" || fail "nothing is split: $(cat "$dir/rules")"

# the one algorithm ends where the other one is as fast
model=$models/four-levels.json
"$tool" -i "$model" -n 12 -O reduce --sizes 1k,1m --write-rules - >"$dir/rules"
size=$(sed -n 's/^reduce .* bytes \.\.\([0-9]*\) commutative yes.*/\1/p' "$dir/rules")
test "$size" -gt 1024 && test "$size" -lt 1048576 || fail "no crossover: $(cat "$dir/rules")"

refused 2 '--write-rules writes what auto takes' -O bcast/flat --write-rules "$dir/no"
refused 2 '--write-rules writes what auto takes' -O p2p --write-rules "$dir/no"
refused 2 '--write-rules goes without --rules' -O bcast --rules "$dir/rules" --write-rules "$dir/no"
refused 2 '--write-rules goes without --rules' --explain --write-rules "$dir/no"
refused 2 'no operation is called' -O bcasts --write-rules "$dir/no"
refused 1 'cannot' -O bcast --sizes 1 --write-rules "$dir/none/no"
test ! -e "$dir/no" || fail 'a refusal left a file'
