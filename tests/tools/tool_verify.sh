#!/bin/sh
# hierarchical_model against what it has not measured: groups that hold, groups that do not, and which of all
# models the measurements support; on simulated networks.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
tool=$bin/hierarchical_model
machine=$top/testdata/simgrid/four-levels
truth=$top/testdata/models/four-levels.json
. "${srcdir:-.}/support/scratch.sh"

$bin/generate_hierarchy --hosts-file "$machine.hosts" -o "$dir/h.dot"
# The same hosts without the clusters of the sites: far and near ones in one group.
awk 'BEGIN { print "digraph G {\n root [type=1]; lyon [type=1]; ucd [type=1]; lyon->root; ucd->root;" }
     { site = /lyon/ ? "lyon" : "ucd"; h = "h" int((NR - 1) / 2)
       if (NR % 2) { print h " [type=1]; " h "->" site ";" }
       print NR - 1 " [type=0,model_data=\"" $1 "\",rank=" NR - 1 "]; " NR - 1 "->" h ";" }
     END { print "}" }' "$machine.hosts" >"$dir/wrong.dot"

measure() { # measure HIERARCHY MODEL ARGUMENT...
    hierarchy=$1 model=$2
    shift 2
    "$tool" -C "$model" -i "$dir/$hierarchy.dot" --simulate "$truth" -o "$dir/m.json" --budget 900s -e 0.02 \
        -r 6 "$@" >"$dir/out" 2>"$dir/err"
}

# All groups hold.
measure h hockney --noise 0.01 --verify 20 || fail "$(cat "$dir/err")"
test "$(grep -c ' holds$' "$dir/out")" = 7 || fail "not seven groups hold: $(cat "$dir/out")"
grep -q '^verified on 20 pairs ' "$dir/out"
$bin/model_info "$dir/m.json" >"$dir/info"
grep -qE '^verified +on 20 pairs: 7 of 7 groups hold within 20 %$' "$dir/info" || fail "$(cat "$dir/info")"
grep -qE '^measured +in .* passes; latency [0-9]+ at once' "$dir/info" || fail "$(cat "$dir/info")"

# Two do not; a pair for each two of their members mends that.
status=0
measure wrong hockney --noise 0.01 --verify 40 --strict || status=$?
test $status = 4 || fail "wrong groups: status $status"
test "$(grep -c ' does not hold$' "$dir/out")" = 2 || fail "not two groups: $(cat "$dir/out")"
grep -q '^pair .* off its group$' "$dir/out" || fail "no pair is named"
grep -q 'verified pairs are more than 20 % off' "$dir/err" || fail "$(cat "$dir/err")"
measure wrong hockney --noise 0.01 --verify 40 --refine || fail "refined: $(cat "$dir/err")"
grep -q ' does not hold$' "$dir/out" && fail "still: $(cat "$dir/out")"
$bin/model_info "$dir/m.json" --diff "$truth" --tolerance 0.05 >/dev/null || fail "not the truth"

# All models: on a network of straight lines the simplest one is the straight line.
measure h all --noise 0.02 --verify 20 || fail "$(cat "$dir/err")"
grep -q '^hockney .*<- the simplest of the best$' "$dir/out" || fail "another model: $(cat "$dir/out")"
grep -q '"model": "hockney"' "$dir/m.json" || fail "wrote another model"
test "$(awk '/^(hockney|lininterp|loggp|piecewise|plogp) / { n++ } END { print n }' "$dir/out")" = 5 ||
    fail "models are missing: $(cat "$dir/out")"

# Wrong usage.
status=0
measure h hockney --refine || status=$?
test $status = 2 && grep -q -e '--refine goes with --verify K only' "$dir/err" || fail "$(cat "$dir/err")"
