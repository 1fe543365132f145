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

program() { # program now|later VARIABLE=VALUE...: operation, size and algorithm in lines
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

# Rules that the tool writes are followed where there is no model.
$bin/predict_collective -i "$model" -n $ranks --sizes "$list" --write-rules "$dir/rules"
program now HITOP_RULES="$dir/rules"
diff "$dir/tool" "$dir/program" || fail 'the program (>) does not follow the rules of the tool (<)'
