#!/bin/sh
# predict_collective and the calls of a program name the same algorithms, on the same model.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/mpi-facts.sh"
. "${srcdir:-.}/support/programs.sh"

case $mpi_yields in
no) ranks=3 ;;
*) ranks=6 ;;
esac
sizes='8 16384 1048576'
list=$(echo "$sizes" | tr ' ' ,)
model=$dir/model.json

# The ranks of two sites, all on this host.
sed -E "s/(alpha|betas)0[12]\.site[12]\.org/$(uname -n)/" "${srcdir:-.}/../testdata/models/two-sites/lmo.json" >"$model"

program() { # program now|later|known VARIABLE=VALUE...: operation, size and algorithm in lines
    when=$1
    shift
    # shellcheck disable=SC2086 # words
    env "$@" sh "${srcdir:-.}/support/mpi-run.sh" $ranks ./mpi_choice "$when" $sizes >"$dir/program" 2>"$dir/err" ||
        fail "mpi_choice: $(cat "$dir/err")"
    test ! -s "$dir/err" || fail "$(cat "$dir/err")"
}

program now HITOP_MODEL="$model"
cut -d, -f1 "$dir/program" | uniq | while read -r operation; do
    $bin/predict_collective -i "$model" -n $ranks -O "$operation/auto" \
        --sizes "$list" --format csv | sed 1d | cut -d, -f1,5,6
done >"$dir/tool"
diff "$dir/tool" "$dir/program" || fail 'the tool (<) and the program (>) take different algorithms'
test "$(cut -d, -f3 "$dir/tool" | sort -u | wc -l)" -ge 5 || fail "all the same: $(cat "$dir/tool")"

# They are the same where rank 0 searches during the first calls.
program later HITOP_MODEL="$model"
diff "$dir/tool" "$dir/program" || fail 'the tool (<) and the program that chooses later (>) take different algorithms'

# A later run knows them from a file; a damaged one is reported and replaced, and a file of another model is not used.
known() { # known now|later|known LINES_OF_STDERR
    # shellcheck disable=SC2086 # words
    HITOP_RULES_CACHE=$dir/cache HITOP_MODEL=$model sh "${srcdir:-.}/support/mpi-run.sh" $ranks ./mpi_choice "$1" $sizes \
        >"$dir/program" 2>"$dir/err" || fail "mpi_choice $1: $(cat "$dir/err")"
    diff "$dir/tool" "$dir/program" || fail "other choices (>) with the file of an earlier run, $1"
    test "$(wc -l <"$dir/err")" -eq "$2" || fail "$1: not $2 lines: $(cat "$dir/err")"
}
mkdir "$dir/cache"
known later 0
known known 0
file=$(echo "$dir"/cache/*.choices)
cp "$file" "$dir/complete"
sed -i 's/^end.*/bcast root=x/' "$file"
known later 1
grep -q 'HITOP_RULES_CACHE: .*choices:[0-9]*: .* its choices are made again$' "$dir/err" || fail "$(cat "$dir/err")"
known known 0
sort "$file" >"$dir/sorted"
sort "$dir/complete" | diff - "$dir/sorted" || fail 'other choices after a damaged file'
echo >>"$model"
known later 0
mv "$dir/cache" "$dir/moved"
known now 1
grep -q '; choices are not kept$' "$dir/err" || fail "$(cat "$dir/err")"
mv "$dir/moved" "$dir/cache"
test "$(ls "$dir/cache" | wc -l)" -eq 2 || fail "one file for two models: $(ls "$dir/cache")"

# Rules that the tool writes are followed where there is no model.
$bin/predict_collective -i "$model" -n $ranks --sizes "$list" --write-rules "$dir/rules"
program now HITOP_RULES="$dir/rules"
diff "$dir/tool" "$dir/program" || fail 'the program (>) does not follow the rules of the tool (<)'
