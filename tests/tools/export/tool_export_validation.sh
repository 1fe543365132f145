#!/bin/sh
# export_tuning --validation: an error that validate_model measured for an operation is what a rule for it must gain.
set -eu
. "${srcdir:-.}/support/programs.sh"
. "${srcdir:-.}/support/scratch.sh"
tool=$bin/export_tuning
model=${srcdir:-.}/../testdata/models/two-sites/hockney.json

validation() { # validation ERROR ; a file with this error of bcast, and with none of reduce
    cat <<END
{"format": "hitop-validation", "version": 1, "samples": [
 {"kind": "pairs", "name": "host", "size_B": 8, "error": 9},
 {"kind": "collective", "name": "bcast/binomial", "size_B": 1024, "error": $1},
 {"kind": "collective", "name": "reduce", "size_B": 1024, "error": null}]}
END
}
export_bcast() { # export_bcast ARGUMENT... ; $dir/bcast has the rules of bcast, $dir/others all other lines
    "$tool" -i "$model" --format openmpi-tuned --for 4.1 "$@" >"$dir/rules" || fail "$*"
    sed -n '/# bcast$/,/^$/p' "$dir/rules" >"$dir/bcast"
    sed '/# bcast$/,/^$/d; /# operations$/d' "$dir/rules" >"$dir/others"
}

export_bcast
test -s "$dir/bcast" || fail "no rule for bcast"
cp "$dir/others" "$dir/others-before"
validation 0 >"$dir/exact.json"
export_bcast --validation "$dir/exact.json"
test -s "$dir/bcast" || fail "no rule for bcast without an error"
for error in 40 -0.99; do
    validation $error >"$dir/wrong.json"
    export_bcast --validation "$dir/wrong.json"
    test ! -s "$dir/bcast" || fail "a rule for bcast with an error of $error"
    diff "$dir/others-before" "$dir/others" || fail "rules of other operations"
done

validation null >"$dir/none.json"
refuse 3 'none.json: $.samples: no collective was measured' -i "$model" --format openmpi-tuned --for 4.1 --validation "$dir/none.json"
refuse 3 "model" -i "$model" --format openmpi-tuned --for 4.1 --validation "$model"
refuse 3 "missing.json" -i "$model" --format openmpi-tuned --for 4.1 --validation "$dir/missing.json"
validation '"x"' >"$dir/text.json"
refuse 3 'error' -i "$model" --format openmpi-tuned --for 4.1 --validation "$dir/text.json"
