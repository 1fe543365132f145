#!/bin/sh
# tune_node: a short run writes a file; mistakes give their exit status and one line, and no file.
set -eu
tool=../tools/tune_node
. "${srcdir:-.}/scratch.sh"

timeout 60 "$tool" --rows 2:shared,3:shared --settings pull-from,share-from,barrier-lines-to --most 4KiB --quads 8 \
    --verbose -o "$dir/thresholds" 2>"$dir/err"
grep -q '^ranks 2 shared$' "$dir/thresholds" || fail "no section for two: $(cat "$dir/thresholds")"
grep -q '^ranks any shared$' "$dir/thresholds" || fail "no section for all: $(cat "$dir/thresholds")"
for setting in pull-from share-from barrier-lines-to; do
    test "$(grep -cE "^(# stays: )?$setting " "$dir/thresholds")" = 2 || fail "no $setting for each"
done
grep -qE '^share-from +allreduce +4096 B .* us, other way: x [0-9.]+ \(' "$dir/err" || fail "no comparisons told"
refuse 2 "'8cores'" --rows 8cores
refuse 2 "'busy': neither 'alone' nor 'shared'" --rows 2:busy
refuse 2 "not an integer in 2..1024" --rows 1
refuse 2 "have not a processor each" --rows 1024:alone
refuse 2 "'patience' is none; valid: fragment, chunk" --settings patience
refuse 2 "not a multiple of 4KiB" --most 5000
refuse 2 "8..96" --quads 7
refuse 2 "unexpected argument 'x'" x
refuse 1 "nowhere" -o /nowhere/x
