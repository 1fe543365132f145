#!/bin/sh
# hierarchical_model without MPI: a simulated network comes back from its measurement, and mistakes give
# their exit status, one line, and no file.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
tool=$bin/hierarchical_model
machine=$top/testdata/simgrid/four-levels
truth=$top/testdata/models/four-levels.json
. "${srcdir:-.}/support/scratch.sh"

refuse_model() { # refuse_model STATUS TEXT ARGUMENT... ; as refuse, and no file is left
    refuse "$@"
    test "$(find "$dir" -name 'model.json*' | wc -l)" = 0 || fail "$*: left a file"
}

$bin/generate_hierarchy --hosts-file "$machine.hosts" -o "$dir/h.dot"
measure() { # measure ARGUMENT... ; simulated, of the four levels
    "$tool" -C hockney -i "$dir/h.dot" --simulate "$truth" "$@"
}

# Recovered is what was injected; one seed gives one file.
measure -o "$dir/m.json" --annotate "$dir/a.dot" --points "$dir/p.csv" >"$dir/table" 2>"$dir/err"
test -s "$dir/err" && fail "$(cat "$dir/err")"
awk -v limit=1e-6 -f "${srcdir:-.}/support/compare_truth.awk" "$machine.hosts" "$machine.truth" "$dir/m.json"
mv "$dir/m.json" "$dir/first.json"
measure -o "$dir/m.json" --annotate "$dir/a.dot" --points "$dir/p.csv" --quiet >"$dir/out"
test -s "$dir/out" && fail "--quiet wrote a table"
sed 's/ --quiet//' "$dir/m.json" | cmp - "$dir/first.json"
measure -o - >"$dir/out"
grep -q '"format": "hitop-model"' "$dir/out"
grep -q 'latency_us' "$dir/out" && fail "a table in the model file"

# No output replaces what is read, but an annotated hierarchy and a newer model may.
cp "$dir/h.dot" "$dir/same.dot"
cp "$truth" "$dir/same.json"
refuse 2 "-o: '$dir/same.dot' would replace what -i reads" -C hockney -i "$dir/same.dot" --simulate "$truth" -o "$dir/same.dot"
refuse 2 "-o: '$dir/same.json' would replace what --simulate reads" -C hockney -i "$dir/h.dot" --simulate "$dir/same.json" \
    -o "$dir/same.json"
refuse 2 "--points: '$dir/same.dot' would replace what -i reads" -C hockney -i "$dir/same.dot" --simulate "$truth" \
    -o "$dir/new.json" --points "$dir/same.dot"
cmp "$dir/h.dot" "$dir/same.dot" && cmp "$truth" "$dir/same.json" || fail "an input was replaced"
"$tool" -C hockney -i "$dir/same.dot" --simulate "$truth" -o "$dir/same.json" --annotate "$dir/same.dot" --quiet
"$tool" -C hockney -i "$dir/same.dot" --simulate "$truth" -o "$dir/same.json" --update "$dir/same.json" --quiet

# Eager limits equal those of the simulated network; the plan has the time they take.
awk '/"alpha"/ { print "   \"eager_B\": " 1111 * n++ "," } { print }' "$truth" >"$dir/eager.json"
"$tool" -C hockney -i "$dir/h.dot" --simulate "$dir/eager.json" --exact-thresholds -o "$dir/e.json" >"$dir/eager"
grep -o '"eager_B": [0-9]*' "$dir/eager.json" >"$dir/wanted"
grep -o '"eager_B": [0-9]*' "$dir/e.json" | diff "$dir/wanted" - || fail "eager limits"
grep -q ' eager_B  state$' "$dir/eager" || fail "no eager limits in the table: $(cat "$dir/eager")"
measure --exact-thresholds -o "$dir/e.json" | grep -q ' all      fits$' || fail "no limits where there are none"
test "$(grep -c '"eager_B": null' "$dir/e.json")" = 23 || fail "some limit where there are none"
grep -q eager "$dir/first.json" && fail "eager limits without --exact-thresholds"
measure --exact-thresholds --dry-run | grep -q '^eager limits on the same links, at most ' || fail "no plan of eager limits"

# Sends that wait for their receivers, all or those of 1000 B and more: times are right, and the first measured size is named.
for bytes in 0 1000; do
    awk -v bytes=$bytes '/"alpha"/ { print "   \"synchronous_B\": " bytes "," } { print }' "$truth" >"$dir/waits.json"
    for model in loggp plogp lmo; do
        "$tool" -C $model -i "$dir/h.dot" --simulate "$dir/waits.json" --no-capacities -o "$dir/w.json" >"$dir/waiting" 2>"$dir/err"
        sizes=$(grep -o '"synchronous_B": [0-9]*' "$dir/w.json" | sort -u)
        test "$sizes" = "\"synchronous_B\": $((bytes > 0 ? 1024 : 0))" || fail "$model, from $bytes B on: $sizes"
        grep -q ' synchronous$' "$dir/waiting" || fail "$model, from $bytes B on: $(cat "$dir/waiting")"
        test $model$bytes != lmo0 || grep -q 'sends wait for their receivers, so that links and processors' "$dir/err" ||
            fail "lmo: $(cat "$dir/err")"
        test $model$bytes = lmo1000 || $bin/model_info "$truth" --diff "$dir/w.json" --sizes 0,1k,1m --tolerance 0.01 >"$dir/diff" ||
            fail "$model, from $bytes B on: $(cat "$dir/diff")"
    done
done
"$tool" -q -C plogp -i "$dir/h.dot" --simulate "$truth" --no-capacities -o "$dir/w.json"
grep -q synchronous "$dir/w.json" && fail "sends wait where none does"

# Simulated links are not shared; a journal keeps what was measured of them.
# Then nothing is measured again, not in an update, and predictions assume nothing.
measure -R 40 --budget 10min -o "$dir/w.json" --journal "$dir/w.journal" >"$dir/ways"
grep -q '^capacity of 16 host of 2 ranks: 2 messages at once have room' "$dir/ways" || fail "no ways: $(cat "$dir/ways")"
test "$(grep -c '"capacity": "unlimited", "capacity_tried": "2"' "$dir/w.json")" = 16 || fail "hosts: $(grep capacity "$dir/w.json")"
test "$(grep -c '"capacity": "unlimited"' "$dir/w.json")" = 22 || fail "groups: $(grep capacity "$dir/w.json")"
lines=$(wc -l <"$dir/w.journal")
measure -R 40 --budget 10min -o "$dir/w.json" --journal "$dir/w.journal" --resume -q
test "$(wc -l <"$dir/w.journal")" = "$lines" || fail "ways are measured again"
measure --update "$dir/w.json" -o "$dir/u.json" | grep '^capacity of ' >"$dir/ways"
test "$(grep -c 'unlimited, as the hierarchy says$' "$dir/ways")" = 3 || fail "an update measures ways: $(cat "$dir/ways")"
$bin/predict_collective -i "$dir/w.json" -O bcast | grep 'not known' && fail "nothing is known"

# --no-capacities leaves them out; predictions report that.
measure --no-capacities -o "$dir/n.json" | grep '^capacity' && fail "ways are measured"
grep '"capacity' "$dir/n.json" && fail "capacities that were not measured"
$bin/predict_collective -i "$dir/n.json" -O bcast >"$dir/out"
test "$(grep -c '^# capacities of 22 groups are not known: ' "$dir/out")" = 1 || fail "$(head -3 "$dir/out")"
$bin/predict_collective -i "$dir/n.json" -O bcast --format json | grep -q '"unknown_capacities": 22' || fail "json"
$bin/model_info "$dir/n.json" | grep -q '^capacities of 22 groups are not known: ' || fail "model_info"
$bin/model_info "$dir/w.json" | grep -q '^capacity on level host: unlimited, 16 of 16 groups; messages at once that were tried: 2$' ||
    fail "$($bin/model_info "$dir/w.json")"
measure --dry-run | grep -q '^capacities   of 3 kinds of groups, with up to 16 ' || fail "no plan of ways"

# Noise is averaged away.
measure -o "$dir/noisy.json" --noise 0.05 -e 0.01 --seed 4 --budget 10min >/dev/null
awk -v limit=0.03 -f "${srcdir:-.}/support/compare_truth.awk" "$machine.hosts" "$machine.truth" "$dir/noisy.json"

# The table, the points and the annotated hierarchy say what was measured.
test "$(wc -l <"$dir/table")" = 28 || fail "not 23 links and 3 kinds of ways in the table"
grep -qE '^root +0-16 +4830 +93\.7 ' "$dir/table" || fail "no root in the table: $(cat "$dir/table")"
test "$(grep -c ' fits$' "$dir/table")" = 23 || fail "some link does not fit: $(cat "$dir/table")"
test "$(wc -l <"$dir/p.csv")" = $((23 * 14 + 1)) || fail "not 23 x 14 points"
test "$(grep -c 'hockney="' "$dir/a.dot")" = 23 || fail "not 23 annotated groups"
grep -q 'cluster csi\\n21.7 us, 1.19 GB/s' "$dir/a.dot" || fail "no label of the cluster csi"
"$tool" -C hockney -i "$dir/a.dot" --simulate "$truth" -o "$dir/again.json" --quiet
if command -v dot >/dev/null; then
    dot -Tsvg "$dir/a.dot" | grep -q '4.83 ms, 93.7 MB/s' || fail "the picture lacks the root"
fi

# A hierarchy without ranks, as CPM wrote them: leaves are numbered as they appear, chains are kept.
cat >"$dir/cpm.dot" <<'DOT'
digraph G {
12 [type=0,model_data="csicluster01"]; 2 [type=0,model_data="csicluster02"];
5 [type=0,model_data="csicluster03"]; 6 [type=0,model_data="csicluster04"];
13 [type=1,model_data=""]; 3 [type=1,model_data=""]; 7 [type=1,model_data=""];
8 [type=1,model_data=""]; 4 [type=1,model_data=""]; 9 [type=1,model_data=""];
10 [type=1,model_data=""];
5->7; 6->8; 4->10; 9->10; 7->9; 8->9; 12->13; 2->3; 13->4; 3->4;
}
DOT
cat >"$dir/cpm.json" <<'JSON'
{"format": "hitop-model", "version": 1, "model": "hockney", "convention": "one-way",
 "units": {"time": "s", "size": "B"}, "ranks": 4,
 "tree": {"hosts": ["a", "b", "c", "d"], "parents": [4, 4, 5, 5], "groups": [
  {"node": 4, "level": "", "name": "", "parent": 6}, {"node": 5, "level": "", "name": "", "parent": 6},
  {"node": 6, "level": "", "name": "", "parent": null}]},
 "classes": [
  {"node": 4, "level": "", "name": "", "pair": null, "alpha": 2.5e-6, "beta": 3e-10, "nsizes": 0,
   "nsamples": 0, "converged": true, "residual": 0},
  {"node": 5, "level": "", "name": "", "pair": null, "alpha": 3.5e-6, "beta": 4e-10, "nsizes": 0,
   "nsamples": 0, "converged": true, "residual": 0},
  {"node": 6, "level": "", "name": "", "pair": null, "alpha": 60e-6, "beta": 1.2e-9, "nsizes": 0,
   "nsamples": 0, "converged": true, "residual": 0}]}
JSON
"$tool" -C hockney -i "$dir/cpm.dot" --simulate "$dir/cpm.json" -o "$dir/c.json" >"$dir/out"
test "$(awk 'NR > 1 && !/ links in |^capacity of / { print $1, $2, $3 }' "$dir/out")" = "$(printf '0-2 60 833.3\n2-3 3.5 2500\n0-1 2.5 3333')" ||
    fail "CPM's example: $(cat "$dir/out")"

# Formulas that are tables have no interval; one that leaves times by more than they are known is bent.
two=$top/testdata/models/two-sites
for i in 1 2; do
    printf '%s\n' alpha01.site1.org alpha02.site1.org betas01.site2.org betas02.site2.org
done >"$dir/two.hosts"
$bin/generate_hierarchy --hosts-file "$dir/two.hosts" -o "$dir/two.dot"
for formula in hockney piecewise plogp; do
    for law in hockney piecewise; do
        "$tool" -C $formula -i "$dir/two.dot" --simulate "$two/$law.json" --no-capacities -o "$dir/t.json" >"$dir/table"
        state=fits
        test $formula-$law = hockney-piecewise && state=bent
        test "$(grep -c " $state\$" "$dir/table")" = 7 || fail "$formula of $law: not 7 links $state: $(cat "$dir/table")"
        dashes=$(awk '$NF == "'$state'" && $(NF - 4) == "-"' "$dir/table" | wc -l)
        test "$dashes" = "$(test $formula = hockney && echo 0 || echo 7)" || fail "$formula: intervals: $(cat "$dir/table")"
    done
done

# Of several links that stand for a group each row names its own pair.
measure --links ring --no-capacities -o "$dir/t.json" >"$dir/table"
test "$(awk '/ fits$/ { print $(NF - 7) }' "$dir/table" | sort -u | grep -c '^[0-9]*-[0-9]*$')" = 35 || fail "ring: $(cat "$dir/table")"
test "$(awk '$1 == "cluster" && $2 == "csi" { print $3 }' "$dir/table" | sort | tr '\n' ' ')" = '0-2 0-6 2-4 4-6 ' || fail "ring: csi"

# Every way to draw a line gives what was put in.
for line in two-ends robust bisquare least-squares ordinary two-point; do
    measure -q -o "$dir/$line.json" -R 40 --fit $line
    awk -v limit=1e-6 -f "${srcdir:-.}/support/compare_truth.awk" "$machine.hosts" "$machine.truth" "$dir/$line.json"
done

# What is not settled is written, and said in one line; it becomes the status only where the user asks for that.
for strict in '' --strict; do
    status=0
    # shellcheck disable=SC2086 # none, or one word
    measure -o "$dir/rough.json" --noise 0.5 -R 30 $strict >"$dir/out" 2>"$dir/err" || status=$?
    test $status = "$(test -z "$strict" && echo 0 || echo 4)" || fail "unsettled $strict: status $status"
    test "$(wc -l <"$dir/err")" = 1 || fail "not one line: $(cat "$dir/err")"
    grep -q 'links did not reach 5 %, which changes predicted times of collectives by up to ' "$dir/err"
done
grep -q 'unsettled$' "$dir/out"
grep -q '"converged": false' "$dir/rough.json"

# Wrong usage.
set -- -C hockney -i "$dir/h.dot" -o "$dir/model.json" --simulate "$truth"
refuse_model 2 "-i FILE (a hierarchy) is needed" -C hockney -o "$dir/model.json"
refuse_model 2 "-o FILE (the model file to write) is needed" -C hockney -i "$dir/h.dot"
refuse_model 2 "--model: no model is called 'hokney'; valid: hockney" "$@" -C hokney
refuse_model 2 "plogp, all or auto" "$@" -C hokney
refuse_model 2 "--fit: no line is called 'rubust'; valid: two-ends, robust" "$@" --fit rubust
refuse_model 2 "-n goes with -S 0 only" "$@" -n 5
refuse_model 2 "-s goes with -S 0 only" "$@" -S 64k -s 1k
refuse_model 2 "-d goes with -S 0 only" "$@" -d 0.1
refuse_model 2 "--tolerance goes with --verify or --update only" "$@" --tolerance 0.3
refuse_model 2 "--tolerance goes with --verify or --update only" "$@" --tolerance 0.3 --verify 0
refuse_model 2 "--links: 'rings' is none of one, ring, pairs or a number from 1 to 1000000" "$@" --links rings
refuse_model 2 "-o and --points name the same file, '$dir/model.json'" "$@" --points "$dir/model.json"
refuse_model 2 "--annotate and --journal name the same file, 'x'" "$@" --annotate x --journal x
refuse_model 1 "$dir: cannot create: it is a folder" "$@" --points "$dir"
refuse_model 2 "--max-size: '-1' is not a size" "$@" -M -1
refuse_model 2 "--max-size: '1e9999' has no known unit" "$@" -M 1e9999
refuse_model 2 "--max-size: '64Q' has no known unit" "$@" -M 64Q
refuse_model 2 "--max-size: '99999999999g' is larger than any message can be" "$@" -M 99999999999g
refuse_model 2 "the smallest message (1048576 bytes) must be smaller" "$@" -m 1m
refuse_model 2 "gives more than 1000 sizes" "$@" -S 1
refuse_model 2 "--eps: '0' is outside" "$@" -e 0
refuse_model 2 "--eps: 'nan' is not a number" "$@" -e nan
refuse_model 2 "--confidence: '1' is outside" "$@" -c 1
refuse_model 2 "--min-samples: '0' is not an integer" "$@" -r 0
refuse_model 2 "-r: 50 samples are more than the 40 that -R allows" "$@" -r 50 -R 40
refuse_model 2 "--parallel: '2' is not an integer in 0..1" "$@" -p 2
refuse_model 2 "--budget: '5' is not a time" "$@" --budget 5
refuse_model 2 "--budget: '0s' must be more than 0" "$@" --budget 0s
refuse_model 2 "--seed: '-3' is not" "$@" --seed -3
refuse_model 2 "--noise goes with --simulate only" -C hockney -i "$dir/h.dot" -o "$dir/model.json" --noise 0.1
refuse_model 2 "--triples: model hockney knows nothing of processors; lmo does" "$@" --triples all
refuse_model 2 "--triples: '0' is neither all nor a number from 1 to 1000" "$@" -C lmo --triples 0
refuse_model 2 "--scatter-gather: model hockney knows nothing of scatter and gather; lmo does" "$@" --scatter-gather
refuse_model 2 "--scatter-gather needs a job" "$@" -C lmo --scatter-gather
refuse_model 2 "--scatter-gather: messages of 32 KiB or more are needed" -C lmo -i "$dir/h.dot" -o "$dir/model.json" -M 20k --scatter-gather
refuse_model 2 "unexpected argument 'more'" "$@" more
refuse_model 2 "unknown or ambiguous option '--bogus'" "$@" --bogus

# A link for each two members: all 496 pairs of ranks where they are directly below the root, with the prices
# that the groups have.
{
    echo 'digraph {'
    sed -n 's/^ *\([0-9]* \[type=0.*\)/\1/p' "$dir/h.dot"
    echo 'top [type=1, level="root"];'
    sed -n 's/^ *\([0-9]*\) \[type=0.*/\1->top;/p' "$dir/h.dot"
    echo '}'
} >"$dir/flat.dot"
"$tool" -q -C hockney -i "$dir/flat.dot" --simulate "$truth" --links pairs --budget 120min -o "$dir/flat.json"
test "$(grep -c '"between"' "$dir/flat.json")" = 496 || fail "--links pairs: not 496 pairs"
for pair in '0 1' '0 31' '3 17' '30 2' '15 16'; do
    for model in "$truth" "$dir/flat.json"; do
        $bin/predict_collective -i "$model" -O p2p --from "${pair% *}" --to "${pair#* }" --sizes 0,64k,1m \
            --format csv
    done >"$dir/prices"
    test "$(sort -u "$dir/prices" | wc -l)" = 4 || fail "--links pairs, $pair: $(cat "$dir/prices")"
done
"$tool" -q -C hockney -i "$dir/h.dot" --simulate "$truth" --links pairs --budget 120min -o "$dir/pairs.json"
test "$(grep -c '"pair"' "$dir/pairs.json")" = 43 || fail "--links pairs: not 16 + 4 x 6 + 2 + 1 links"

# Bad files.
: >"$dir/empty"
printf 'digraph G { 0 [type=0' >"$dir/broken.dot"
refuse_model 3 "$dir/none.dot: cannot open" "$@" -i "$dir/none.dot"
refuse_model 3 "$dir/empty" "$@" -i "$dir/empty"
refuse_model 3 "$dir/broken.dot" "$@" -i "$dir/broken.dot"
refuse_model 3 "$dir/none.json: cannot open: No such file" "$@" --simulate "$dir/none.json"
refuse_model 3 "$dir/empty: empty" "$@" --simulate "$dir/empty"
refuse_model 3 "$dir/cpm.json: the model has 4 ranks, the hierarchy $dir/h.dot has 32" "$@" --simulate "$dir/cpm.json"
refuse_model 1 "$dir/no/model.json: cannot create" "$@" -o "$dir/no/model.json"
refuse_model 1 "$dir/no/a.dot: cannot create" "$@" --annotate "$dir/no/a.dot"
if test -w /dev/full; then
    refuse_model 1 "/dev/full: cannot write" "$@" -o /dev/full
fi

"$tool" --version | grep -q '^hierarchical_model (hitop '
"$tool" -h | grep -q '^Usage: hierarchical_model '
