#!/bin/sh
# hierarchical_model --update on simulated networks: what has drifted is measured again and nothing else, whatever the
# formula; what does not fit is refused.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
tool=$bin/hierarchical_model
machine=$top/testdata/simgrid/four-levels
truth=$top/testdata/models/four-levels.json
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

classes_of() { # classes_of MODEL ; all but the run: command and quality
    sed '/^  "quality"/d; /^  "provenance"/d' "$1"
}

measure() { # measure MODEL NETWORK OUT ARGUMENT...
    type=$1 network=$2 out=$3
    shift 3
    "$tool" -C "$type" -i "$dir/h.dot" --simulate "$network" -o "$dir/$out.json" --budget 600s -r 6 -M 64k \
        "$@" >"$dir/table" 2>"$dir/err" || fail "$type $out: status $?: $(cat "$dir/err")"
}

expect_drift() { # expect_drift HELD DRIFTED
    test "$(grep -c ' holds$' "$dir/table")" = "$1" || fail "not $1 classes hold: $(cat "$dir/table")"
    test "$(grep -c ' drifted$' "$dir/table")" = "$2" || fail "not $2 have drifted: $(cat "$dir/table")"
}

refuse() { # refuse STATUS TEXT ARGUMENT... ; one line on standard error that contains TEXT, no file
    want=$1 text=$2 status=0
    shift 2
    "$tool" -C hockney -i "$dir/h.dot" --simulate "$truth" -o "$dir/model.json" "$@" >"$dir/out" 2>"$dir/err" \
        </dev/null || status=$?
    test "$status" = "$want" || fail "$*: status $status, not $want: $(cat "$dir/err")"
    test "$(wc -l <"$dir/err")" = 1 || fail "$*: not one line: $(cat "$dir/err")"
    grep -qF -e "$text" "$dir/err" || fail "$*: no '$text' in $(cat "$dir/err")"
    test -e "$dir/model.json" && fail "$*: left a file"
    return 0
}

$bin/generate_hierarchy --hosts-file "$machine.hosts" -o "$dir/h.dot"
# The site lyon.fr is twice as slow now.
awk '/"node"/ { site = 0 } /"name": "lyon.fr"/ { site = 1 }
     { for (i = 1; i < NF; i++) if (site && ($i == "\"alpha\":" || $i == "\"beta\":")) {
           value = $(i + 1); sub(/,/, "", value); sub(value, sprintf("%.17g", 2 * value)) } print }' \
    "$truth" >"$dir/slow.json"
test "$(diff "$truth" "$dir/slow.json" | grep -c '^>')" -gt 0 || fail "nothing has changed in the truth"

# Of each formula: nothing has changed, and nothing is measured; then one class is, and is the truth.
for type in hockney lininterp loggp max_rate piecewise plogp; do
    measure $type "$truth" then
    measure $type "$truth" same --update "$dir/then.json"
    expect_drift 23 0
    grep -q '^23 classes checked on 23 links in .* s: 23 hold, 0 measured anew$' "$dir/table" || fail "$type: summary"
    classes_of "$dir/then.json" >"$dir/before"
    classes_of "$dir/same.json" | cmp "$dir/before" - || fail "$type: held numbers have changed"
    measure $type "$dir/slow.json" now --update "$dir/then.json"
    expect_drift 22 1
    grep -q '^domain  *lyon.fr .* drifted$' "$dir/table" || fail "$type: another class: $(cat "$dir/table")"
    test "$(classes_of "$dir/now.json" | diff "$dir/before" - | grep -c '^>')" = 1 || fail "$type: not one class is new"
    $bin/model_info "$dir/now.json" --diff "$dir/slow.json" --tolerance 0.001 >/dev/null || fail "$type: not the truth"
done

# A class without times is judged by its formula; noise is no drift, nor is a fifth less than the tolerance.
measure hockney "$truth" then --noise 0.05 --seed 3
sed 's/, "times": {[^}]*}//' "$dir/then.json" >"$dir/bare.json"
for model in then bare; do
    measure hockney "$truth" same --update "$dir/$model.json" --noise 0.05 --seed 4
    expect_drift 23 0
    measure hockney "$dir/slow.json" now --update "$dir/$model.json" --noise 0.05 --seed 4
    expect_drift 22 1
    measure hockney "$dir/slow.json" wide --update "$dir/$model.json" --noise 0.05 --seed 4 --tolerance 1.5
    expect_drift 23 0
done

# What was verified of groups that hold stays. What had not settled is measured again.
measure hockney "$truth" then --verify 40
measure hockney "$dir/slow.json" now --update "$dir/then.json"
$bin/model_info "$dir/then.json" --format csv | grep ',verified_q90,' | grep -v '^domain,lyon' >"$dir/verified"
test -s "$dir/verified" || fail "nothing was verified"
$bin/model_info "$dir/now.json" --format csv | grep ',verified_q90,' | cmp "$dir/verified" - || fail "verification"
sed '/"name": "mik", "pair"/s/"converged": true/"converged": false/' "$dir/then.json" >"$dir/open.json"
measure hockney "$truth" now --update "$dir/open.json"
grep -q '^cluster  *mik .* was unsettled$' "$dir/table" || fail "unsettled: $(cat "$dir/table")"
expect_drift 22 0

# A class for each two members.
measure hockney "$truth" pairs --links pairs
measure hockney "$dir/slow.json" now --update "$dir/pairs.json"
test "$(grep -c ' drifted$' "$dir/table")" = 1 || fail "pairs: $(cat "$dir/table")"
$bin/model_info "$dir/now.json" --diff "$dir/slow.json" --tolerance 0.001 >/dev/null || fail "pairs: not the truth"
flat() { # flat NETWORK OUT ARGUMENT...
    network=$1 out=$2
    shift 2
    $bin/flat_model -C hockney --simulate "$network" -o "$dir/$out.json" -M 64k -r 6 --budget 600s "$@" >"$dir/table"
}
flat "$truth" all
flat "$dir/slow.json" now --update "$dir/all.json"
test "$(grep -c ' drifted$' "$dir/table")" = 64 || fail "flat: $(cat "$dir/table")"
grep -q '^496 classes checked on 496 links in .* s: 432 hold, 64 measured anew$' "$dir/table" || fail "flat: summary"
$bin/model_info "$dir/now.json" --diff "$dir/slow.json" --tolerance 0.001 >/dev/null || fail "flat: not the truth"

# Processors: a link is blamed where it must be it; else all is measured again.
lmo() { # lmo L OF RACK a, C OF RANK 2 ; a network of two racks
    awk -v l="$1" -v c="$2" 'BEGIN {
        print "{\"format\": \"hitop-model\", \"version\": 1, \"model\": \"lmo\", \"convention\": \"one-way\","
        print "\"units\": {\"time\": \"s\", \"size\": \"B\"}, \"ranks\": 6, \"tree\": {"
        print "\"hosts\": [\"h0\", \"h1\", \"h2\", \"h3\", \"h4\", \"h5\"], \"parents\": [6, 6, 6, 7, 7, 7], \"groups\": ["
        print "{\"node\": 6, \"level\": \"rack\", \"name\": \"a\", \"parent\": 8},"
        print "{\"node\": 7, \"level\": \"rack\", \"name\": \"b\", \"parent\": 8},"
        print "{\"node\": 8, \"level\": \"root\", \"name\": \"\", \"parent\": null}]}, \"classes\": ["
        for (i = 0; i < 3; i++) printf "%s{\"node\": %d, \"level\": \"%s\", \"name\": \"%s\", \"pair\": null, \"L\": %g,\
 \"beta\": 1e-9, \"nsizes\": 0, \"nsamples\": 0, \"converged\": true, \"residual\": 0}", i ? ",\n" : "", 6 + i,
            i < 2 ? "rack" : "root", i == 0 ? "a" : i == 1 ? "b" : "", i == 0 ? l : i == 1 ? 25e-6 : 50e-6
        printf "],\n\"processors\": ["
        for (i = 0; i < 6; i++) printf "%s{\"ranks\": \"%d\", \"rank\": %d, \"C\": %g, \"t\": 1e-10, \"nsamples\": 0,\
 \"converged\": true}", i ? ",\n" : "", i, i, i == 2 ? c : (5 + i) * 1e-6
        print "]}" }'
}
{
    echo 'digraph { top [type=1, level="root"]; a [type=1, level="rack", name="a"]; b [type=1, level="rack", name="b"];'
    echo 'a->top; b->top;'
    for i in 0 1 2 3 4 5; do
        echo "$i [type=0, model_data=\"h$i\", rank=$i]; $i->$(test $i -lt 3 && echo a || echo b);"
    done
    echo '}'
} >"$dir/racks.dot"
lmo 20e-6 7e-6 >"$dir/lmo.json"
lmo 40e-6 7e-6 >"$dir/link.json"
lmo 20e-6 30e-6 >"$dir/processor.json"
mv "$dir/racks.dot" "$dir/h.dot"
measure lmo "$dir/lmo.json" then
measure lmo "$dir/lmo.json" same --update "$dir/then.json"
expect_drift 3 0
classes_of "$dir/then.json" >"$dir/before"
classes_of "$dir/same.json" | cmp "$dir/before" - || fail "lmo: held numbers have changed"
measure lmo "$dir/link.json" now --update "$dir/then.json"
expect_drift 2 1
$bin/model_info "$dir/now.json" --diff "$dir/link.json" --tolerance 0.001 >/dev/null || fail "lmo: not the link"
measure lmo "$dir/processor.json" now --update "$dir/then.json"
expect_drift 0 0
grep -q ': 0 hold, 3 measured anew, with all processors' "$dir/table" || fail "lmo: $(cat "$dir/table")"
$bin/model_info "$dir/now.json" --diff "$dir/processor.json" --tolerance 0.001 >/dev/null || fail "lmo: not the processor"

$bin/generate_hierarchy --hosts-file "$machine.hosts" -o "$dir/h.dot"
measure hockney "$truth" then
then=$dir/then.json

# Capacities of the earlier model stay, but for those that the hierarchy names.
sed -E 's/level="?cluster"?/& capacity="2.385"/' "$dir/h.dot" >"$dir/wide.dot"
sed -E '0,/level="?cluster"?/s//& capacity="3"/' "$dir/h.dot" >"$dir/one.dot"
measure hockney "$truth" wide -i "$dir/wide.dot"
measure hockney "$truth" kept -i "$dir/one.dot" --update "$dir/wide.json"
test "$(grep -c '"capacity": "2.385"' "$dir/kept.json") $(grep -c '"capacity": "3"' "$dir/kept.json")" = "3 1" ||
    fail "capacities: $(grep capacity "$dir/kept.json")"

# What does not fit.
refuse 3 "$dir/none.json: cannot open" --update "$dir/none.json"
head -c 900 "$then" >"$dir/broken.json"
refuse 3 "$dir/broken.json:" --update "$dir/broken.json"
sed 's/"lo": \[9/"lo": [-9/' "$then" >"$dir/broken.json"
refuse 3 ".times.lo[" --update "$dir/broken.json"
refuse 3 "the model has 6 ranks, the hierarchy $dir/h.dot has 32" --update "$dir/lmo.json" -C lmo
refuse 3 "a model lmo, which -C hockney cannot update" --update "$dir/lmo.json"
sed 's/"csi01.lyon.fr", "csi01.lyon.fr"/"other", "csi01.lyon.fr"/' "$then" >"$dir/other.json"
refuse 3 "rank 0 was measured on 'other', but the hierarchy $dir/h.dot has it on 'csi01.lyon.fr'" --update "$dir/other.json"
awk 'BEGIN { print "digraph { top [type=1];" }
     { print NR - 1 " [type=0, model_data=\"" $1 "\", rank=" NR - 1 "]; " NR - 1 "->top;" } END { print "}" }' \
    "$machine.hosts" >"$dir/flat.dot"
refuse 3 "$then: the model is of another tree than the hierarchy $dir/flat.dot: node 2 (rank on 'csi02.lyon.fr')" \
    --update "$then" -i "$dir/flat.dot"
refuse 3 "intervals of confidence 0.95, but -c asks for 0.99; they must agree" --update "$then" -c 0.99
refuse 2 "--update does not go with -C all" --update "$then" -C all
refuse 2 "--update does not go with --verify" --update "$then" --verify 5
refuse 2 "--update does not go with --journal" --update "$then" --journal "$dir/j"
refuse 2 "standard input cannot be both" --update - -i -
refuse 1 "the time limit of 0.1 s ended the measurement before every size had samples: no model" --update "$then" \
    --time-limit 100ms
"$tool" -C hockney -i "$dir/h.dot" --update "$then" --dry-run >"$dir/out"
grep -qE '^checks +23 in 4 rounds, up to 16 at once$' "$dir/out" || fail "no plan: $(cat "$dir/out")"
grep -qF "$then: of the others only what the checks do not confirm" "$dir/out" || fail "no plan: $(cat "$dir/out")"
