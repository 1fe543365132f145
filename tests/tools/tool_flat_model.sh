#!/bin/sh
# flat_model on simulated networks: all pairs, a sample of them, and refusals.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
tool=$bin/flat_model
truth=$top/testdata/models/four-levels.json
. "${srcdir:-.}/support/scratch.sh"

refuse() { # refuse STATUS WORDS ARGUMENT...
    wanted=$1 words=$2 status=0
    shift 2
    "$tool" "$@" >"$dir/out" 2>"$dir/err" || status=$?
    test $status = "$wanted" || fail "$*: status $status, not $wanted: $(cat "$dir/err")"
    grep -qF -- "$words" "$dir/err" || fail "$*: no '$words' in: $(cat "$dir/err")"
    test "$(find "$dir" -name 'm.json*' | wc -l)" = 0 || fail "$*: left a file"
}

set -- -C hockney --simulate "$truth" -r 6 -m 0 -M 1MiB -S 1MiB --budget 900s
"$tool" "$@" -o "$dir/flat.json" >"$dir/out"
grep -q '^496 links in ' "$dir/out" || fail "not 496 links: $(tail -1 "$dir/out")"
grep -q '^... and 432 more links$' "$dir/out" || fail "the table is long"
$bin/model_info "$dir/flat.json" --diff "$truth" --tolerance 0.0001 >/dev/null || fail "not the truth"

# Random pairs: one class for all, the median; a journal; what would be done.
"$tool" "$@" --sample 20 -o "$dir/s.json" --journal "$dir/s.journal" >"$dir/out"
grep -q '^20 links in ' "$dir/out" || fail "not 20 links: $(tail -1 "$dir/out")"
test "$(grep -c '"pair"' "$dir/s.json")" = 1 || fail "not one class"
"$tool" "$@" --sample 20 -o "$dir/again.json" --journal "$dir/s.journal" --resume >/dev/null
grep -v -e '"command"' -e '"quality"' "$dir/s.json" >"$dir/s.same"
grep -v -e '"command"' -e '"quality"' "$dir/again.json" | cmp - "$dir/s.same" || fail "resumed differs"

# Pairs of four levels differ: the state, the status and both summaries say so. On a network of equal pairs all are settled.
status=0
"$tool" "$@" --sample 20 --strict -o "$dir/again.json" >"$dir/out" 2>"$dir/err" || status=$?
test $status = 4 || fail "pairs that differ: status $status"
grep -q ' of 20 pairs differ from the others of their group by more than their intervals, ' "$dir/err" || fail "$(cat "$dir/err")"
grep -q ' unlike$' "$dir/out" || fail "no state: $(cat "$dir/out")"
# with few samples of scattered times they are unsettled, too: the table and the line have both
"$tool" "$@" -R 12 --eps 0.01 --sample 20 --noise 0.2 -o "$dir/again.json" >"$dir/out" 2>"$dir/err"
grep -q '^root .* 12-13 .* unsettled, unlike$' "$dir/out" || fail "not both states: $(cat "$dir/out")"
grep -q '^root .* unsettled$' "$dir/out" || fail "no pair is unsettled alone: $(cat "$dir/out")"
grep -q ' pairs differ .*did not reach 1 %' "$dir/err" || fail "not both: $(cat "$dir/err")"
$bin/model_info "$dir/s.json" >"$dir/out"
grep -q '^[0-9]* of 20 pairs differ from the others' "$dir/out" || fail "model_info: $(cat "$dir/out")"
grep -q '^not settled, +-_% (1 of 1 classes)$' "$dir/out" || fail "model_info: all settled: $(cat "$dir/out")"
for format in csv json; do
    $bin/model_info "$dir/s.json" --format $format >"$dir/out"
    test "$(grep -c '0-\|-[0-9]* [0-9]*-' "$dir/out")" -ge 2 || fail "model_info --format $format names no pairs: $(cat "$dir/out")"
done
for option in '--sample 20' --homogeneous; do
    # shellcheck disable=SC2086 # words
    "$tool" -C hockney --simulate "$dir/s.json" -r 6 -m 0 -M 1MiB -S 1MiB --budget 900s $option --noise 0.03 --strict \
        -o "$dir/again.json" >"$dir/out" 2>"$dir/err" || fail "$option, equal pairs: status $?: $(cat "$dir/err")"
    grep -Eq ' (unlike|unsettled)$' "$dir/out" && fail "$option, equal pairs: $(cat "$dir/out")"
    $bin/model_info "$dir/again.json" | grep -q '^all classes of links are settled$' || fail "$option, equal pairs: not settled"
    grep -q '"unlike": 0, ' "$dir/again.json" || fail "$option, equal pairs: $(cat "$dir/again.json")"
done
test "$(grep -c '"pair"' "$dir/again.json")" = 1 || fail "--homogeneous: not one class"

# Singular where there is one.
"$tool" "$@" --sample 1 -o "$dir/one.json" >"$dir/out" 2>"$dir/err"
grep -q '^1 link in ' "$dir/out" || fail "one link: $(tail -1 "$dir/out")"
$bin/predict_collective -i "$truth" -O bcast -n 1 --sizes 8 >"$dir/out"
grep -q '^# bcast on 1 rank from root 0; model hockney of 32 ranks$' "$dir/out" || fail "one rank: $(cat "$dir/out")"

# Each pair is a line, though not that of the mean; a sample of all pairs, and of more
"$tool" "$@" --homogeneous -o "$dir/mean.json" >"$dir/out" 2>"$dir/err"
test "$(grep -c ' unlike$' "$dir/out")" = 64 || fail "pairs off the mean: $(cat "$dir/out")"
"$tool" "$@" --sample 496 -o "$dir/all.json" >"$dir/out" 2>"$dir/err"
grep -q '^496 links in ' "$dir/out" || fail "a sample of all: $(tail -1 "$dir/out")"
grep -q 'more than there are' "$dir/err" && fail "496 pairs: $(cat "$dir/err")"
"$tool" "$@" --sample 999 -o "$dir/all.json" >"$dir/out" 2>"$dir/err"
grep -qx 'flat_model: --sample 999 is more than there are: measuring 496 pairs' "$dir/err" || fail "999 pairs: $(cat "$dir/err")"
"$tool" "$@" --dry-run | grep -q '^links *496 in ' || fail "no plan"

refuse 2 "-o FILE (the model file to write) is needed" "$@"
refuse 2 "--homogeneous does not go with -C lmo" -C lmo --simulate "$truth" -o "$dir/m.json" --homogeneous
refuse 2 "--tolerance goes with --update only" "$@" -C hockney -o "$dir/m.json" --tolerance 0.3
refuse 2 "unknown or ambiguous option '--input'" "$@" -o "$dir/m.json" --input x
refuse 2 "--sample: '0' is not an integer" "$@" -o "$dir/m.json" --sample 0
refuse 2 "--dry-run needs mpirun, or --simulate FILE" -C hockney --dry-run
refuse 3 "none.json" -C hockney -o "$dir/m.json" --simulate "$dir/none.json"
