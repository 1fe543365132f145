#!/bin/sh
# A model from within a program: the same on all ranks, and that of the tool with the same seed.
set -eu
top=${srcdir:-.}/..
. "${srcdir:-.}/support/scratch.sh"

run() { # run RANKS PROGRAM ARGUMENT...
    ranks=$1
    shift
    sh "${srcdir:-.}/support/smpi-run.sh" "$dir/four-levels.xml" "$dir/four-levels.hosts" "$ranks" "$@"
}

# The origin, and the seconds that the whole measurement took, may differ.
numbers() { # numbers FILE
    sed 's/"seconds": [^,]*,//; /"provenance"/d' "$1"
}

compare() { # compare RANKS FILE TOOL_FILE
    numbers "$3" >"$dir/tool"
    for rank in $(seq 0 $(($1 - 1))); do
        cmp "$2.0" "$2.$rank" || fail "rank $rank has another model than rank 0"
    done
    numbers "$2.0" >"$dir/within"
    diff "$dir/tool" "$dir/within" || fail "$2: the model of the tool (<) differs"
    grep -q '"tool": "hitop_estimate ' "$2.0" && grep -q '"seed": 3' "$2.0" || fail "$2: provenance"
}

python3 "$top/testdata/simgrid/make-four-levels.py" "$dir" 8 2
options="-M 32768 -S 32768 -r 6 --seed 3 --budget 900s -q"
run 16 ../tools/generate_hierarchy -o "$dir/h.dot"
for type in hockney plogp lmo; do
    # shellcheck disable=SC2086 # a list
    run 16 ../tools/hierarchical_model -C $type -i "$dir/h.dot" -o "$dir/h.json" $options
    run 16 ./smpi_estimate $type hosts "$dir/h"
    compare 16 "$dir/h" "$dir/h.json"
    # shellcheck disable=SC2086
    run 6 ../tools/flat_model -C $type -o "$dir/f.json" $options
    run 6 ./smpi_estimate $type flat "$dir/f"
    compare 6 "$dir/f" "$dir/f.json"
done
# what the machine has
truth="$top/tests/support/compare_truth.awk $dir/four-levels.hosts $dir/four-levels.truth"
run 16 ./smpi_estimate hockney hosts "$dir/h"
# shellcheck disable=SC2086
awk -v limit=0.001 -f $truth "$dir/h.0" || fail "not the truth"
