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
"$tool" "$@" --dry-run | grep -q '^links *496 in ' || fail "no plan"

refuse 2 "-o FILE (the model file to write) is needed" "$@"
refuse 2 "--tolerance goes with --update only" "$@" -C hockney -o "$dir/m.json" --tolerance 0.3
refuse 2 "unknown or ambiguous option '--input'" "$@" -o "$dir/m.json" --input x
refuse 2 "--sample: '0' is not an integer" "$@" -o "$dir/m.json" --sample 0
refuse 2 "--dry-run needs mpirun, or --simulate FILE" -C hockney --dry-run
refuse 3 "none.json" -C hockney -o "$dir/m.json" --simulate "$dir/none.json"
