#!/bin/sh
# hierarchical_model --journal, --resume, --time-limit and --dry-run on a simulated network: whatever ends a run,
# the next one goes on, and a journal of something else is refused.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
tool=$bin/hierarchical_model
machine=$top/testdata/simgrid/four-levels
truth=$top/testdata/models/four-levels.json
. "${srcdir:-.}/support/scratch.sh"

measure() { # measure ARGUMENT... ; simulated, noisy
    "$tool" -C hockney -i "$dir/h.dot" --simulate "$truth" --noise 0.05 --budget 600min "$@"
}

expect() { # expect STATUS TEXT ARGUMENT... ; one line on standard error that contains TEXT, and no model
    want=$1 text=$2 status=0
    shift 2
    rm -f "$dir/model.json"
    measure -o "$dir/model.json" "$@" >"$dir/out" 2>"$dir/err" || status=$?
    test "$status" = "$want" || fail "$*: status $status, not $want: $(cat "$dir/err")"
    test "$(wc -l <"$dir/err")" = 1 || fail "$*: not one line: $(cat "$dir/err")"
    grep -qF -e "$text" "$dir/err" || fail "$*: no '$text' in $(cat "$dir/err")"
    test -e "$dir/model.json" && fail "$*: left a model"
    return 0
}

expect_same() { # expect_same MODEL MODEL ; but for the command lines, and how long it took
    for model in "$@"; do
        sed '/^  "quality"/d; s/"command": "[^"]*"//' "$model" >"$model.bare"
    done
    cmp "$1.bare" "$2.bare" || fail "$1 and $2 differ"
}

jobs_of() { # jobs_of JOURNAL ; what was measured, each once
    grep '"part":"links"' "$1" | sed -n 's/.*\("link":[0-9]*,"experiment":"[a-z]*","bytes":[0-9]*\).*/\1/p' | sort -u
}

$bin/generate_hierarchy --hosts-file "$machine.hosts" -o "$dir/h.dot"

# A journal of a finished run, resumed: nothing is measured, the model is the same.
measure -o "$dir/whole.json" -e 0.02 --journal "$dir/whole" >"$dir/table"
cp "$dir/whole" "$dir/before"
measure -o "$dir/again.json" -e 0.02 --journal "$dir/whole" --resume >"$dir/out" 2>"$dir/err"
cmp "$dir/whole" "$dir/before"
for table in table out; do
    grep -v ' links in ' "$dir/$table" >"$dir/$table.links" # that line has the time
done
cmp "$dir/table.links" "$dir/out.links"
expect_same "$dir/whole.json" "$dir/again.json"
grep -qF "$dir/whole: $(($(wc -l <"$dir/whole") - 1)) batches of samples are known" "$dir/err"
test "$(jobs_of "$dir/whole" | wc -l)" = $((23 * 14)) || fail "not 23 x 14 jobs in the journal"

# Keeping a journal changes nothing that is measured, link by link; several at once draw from one source of noise.
measure -q -p 0 -o "$dir/plain.json" -e 0.05
measure -q -p 0 -o "$dir/kept.json" -e 0.05 --journal "$dir/kept"
$bin/model_info --diff "$dir/plain.json" "$dir/kept.json" >"$dir/diff"
awk '!/^#|^level/ { n++; if (!($6 < 1e-6)) exit 1 } END { if (n < 10) exit 1 }' "$dir/diff" ||
    fail "a journal changes what is measured: $(cat "$dir/diff")"

# Killed at 20 moments, and resumed each time: every whole line is used, and in the end all is there.
kills=0
for moment in 01 09 04 13 02 07 11 03 15 05 08 01 12 06 10 02 14 04 09 05; do
    before=0
    test ! -s "$dir/killed" || before=$(($(wc -l <"$dir/killed") - 1))
    "$tool" -C hockney -i "$dir/h.dot" --simulate "$truth" --noise 0.05 --budget 600min -o "$dir/killed.json" \
        -e 0.01 --journal "$dir/killed" --resume >/dev/null 2>"$dir/err" &
    pid=$!
    sleep 0.$moment
    kill -KILL $pid 2>/dev/null || :
    status=0
    wait $pid || status=$?
    kills=$((kills + (status == 137)))
    test -s "$dir/err" || continue # killed before it had read the journal
    grep -q ": $before batches of samples are known" "$dir/err" || fail "$before batches, but $(cat "$dir/err")"
done
test $kills -ge 5 || fail "only $kills runs were killed: they are too short"
measure -o "$dir/killed.json" -e 0.01 --journal "$dir/killed" --resume >/dev/null 2>"$dir/err"
awk -v limit=0.05 -f "${srcdir:-.}/support/compare_truth.awk" "$machine.hosts" "$machine.truth" "$dir/killed.json"
jobs_of "$dir/whole" >"$dir/jobs"
jobs_of "$dir/killed" | cmp - "$dir/jobs"

# Torn within a line, which is measured again; changed within, which is not believed.
head -c 100000 "$dir/before" >"$dir/torn"
measure -o "$dir/torn.json" -e 0.02 --journal "$dir/torn" --resume >/dev/null 2>"$dir/err"
awk -v limit=0.08 -f "${srcdir:-.}/support/compare_truth.awk" "$machine.hosts" "$machine.truth" "$dir/torn.json"
sed '100s/"take":0/"take":1/' "$dir/before" >"$dir/changed"
expect 3 "$dir/changed:100: checksum" -e 0.02 --journal "$dir/changed" --resume

# A time limit: no model, an unsettled one, and in the end one that is settled.
expect 1 "the time limit of 0.1 s ended the measurement before every size had samples: no model; go on with \
--journal $dir/limited --resume" -e 0.02 --journal "$dir/limited" --time-limit 100ms
status=0
measure -q -o "$dir/limited.json" -e 0.02 --journal "$dir/limited" --resume --time-limit 12s 2>"$dir/err" || status=$?
test $status = 0 || fail "time limit: status $status"
test "$(wc -l <"$dir/err")" = 1 || fail "time limit: $(cat "$dir/err")"
grep -qE 'the time limit of 12 s ended the measurement with [0-9]+ of 322 medians not settled' "$dir/err"
grep -q '"converged": false' "$dir/limited.json"
measure -q -o "$dir/limited.json" -e 0.02 --journal "$dir/limited" --resume
grep -q '"converged": false' "$dir/limited.json" && fail "time limit: not settled in the end"
expect 1 "no model; with --journal FILE it could go on from here" --time-limit 1ms

# A model that needs triples keeps both parts; what it lacks of the second one is measured.
{
    echo 'digraph { top [type=1, level="root"];'
    seq 0 31 | sed 's/.*/&->top; & [type=0, model_data="h&", rank=&];/'
    echo '}'
} >"$dir/flat.dot"
lmo() {
    "$tool" -q -C lmo -i "$dir/flat.dot" --simulate "$truth" --noise 0.02 --budget 600min -M 64k "$@"
}
lmo -o "$dir/lmo.json" --journal "$dir/lmo"
grep -c '"part":"links"' "$dir/lmo" >"$dir/out"
grep -c '"part":"triples"' "$dir/lmo" >>"$dir/out"
sed -n '/"part":"triples".*"link":10,/q; p' "$dir/lmo" >"$dir/half"
lmo -o "$dir/half.json" --journal "$dir/half" --resume
grep -c '"part":"links"' "$dir/half" | cmp -n 3 - "$dir/out" || fail "links were measured again"
lmo -o "$dir/lmo2.json" --journal "$dir/lmo" --resume
expect_same "$dir/lmo.json" "$dir/lmo2.json"

# Several pairs of ranks of two hosts at once, and eager limits: known ones are not measured again, lost ones are.
rates() {
    "$tool" -q -C max_rate -i "$dir/h.dot" --simulate "$truth" --noise 0.02 --budget 600min -M 64k --exact-thresholds "$@"
}
rates -o "$dir/rates.json" --journal "$dir/rates"
cp "$dir/rates" "$dir/rates.before"
rates -o "$dir/rates2.json" --journal "$dir/rates" --resume
cmp "$dir/rates" "$dir/rates.before" || fail "pair sets or eager limits were measured again"
expect_same "$dir/rates.json" "$dir/rates2.json"
nsets=$(grep -c '"part":"crowds"' "$dir/rates") nlimits=$(grep -c '"found":"eager"' "$dir/rates") # old name
test "$nsets" -gt 0 || fail "no pair sets in the journal"
test "$nlimits" = 23 || fail "$nlimits eager limits in the journal, not 23"
awk '!/"found":"eager","link":(3|17),/ && !(/"part":"crowds"/ && ++n % 7 == 0)' "$dir/rates.before" >"$dir/rates" # old name
lost=$(($(wc -l <"$dir/rates.before") - $(wc -l <"$dir/rates")))
rates -o "$dir/rates3.json" --journal "$dir/rates" --resume
test "$(grep -c '"part":"crowds"' "$dir/rates")" = "$nsets" || fail "not what was lost of pair sets" # old name
test "$(sed -n 's/.*"found":"eager","link":\([0-9]*\).*/\1/p' "$dir/rates" | sort -n | uniq | wc -l)" = 23 ||
    fail "lost limits were not found again"
test "$(wc -l <"$dir/rates")" = "$(wc -l <"$dir/rates.before")" || fail "not $lost records anew"

# However many parts there are to a measurement, it may end in any of them: in the links, in the pairs that verify
# groups, in those that replace groups that do not hold.
awk 'BEGIN { print "digraph G {\n root [type=1]; lyon [type=1]; ucd [type=1]; lyon->root; ucd->root;" }
     { site = /lyon/ ? "lyon" : "ucd"; host = "h" int((NR - 1) / 2)
       if (NR % 2) { print host " [type=1]; " host "->" site ";" }
       print NR - 1 " [type=0,model_data=\"" $1 "\",rank=" NR - 1 "]; " NR - 1 "->" host ";" }
     END { print "}" }' "$machine.hosts" >"$dir/wrong.dot"
for limit in 6 18 22 30 36 45; do
    status=0
    measure -q -i "$dir/wrong.dot" -o "$dir/part.json" -e 0.02 -r 6 --noise 0.01 --verify 40 --refine \
        --time-limit ${limit}s 2>"$dir/err" || status=$?
    test $status = 0 || fail "$limit s: status $status: $(cat "$dir/err")"
    grep -q "the time limit of $limit s ended the measurement" "$dir/err" || fail "$limit s: $(cat "$dir/err")"
done

# A journal of something else.
journal=$dir/whole
expect 2 "$journal: there is a journal of $(wc -c <"$journal") bytes; continue it with --resume" -e 0.02 \
    --journal "$journal"
expect 3 "eps=0.02" -e 0.03 --journal "$journal" --resume
expect 3 "cache=hot" -e 0.02 --cache cold --journal "$journal" --resume
expect 2 "--cache: 'warm' is none of hot, stream and cold" --cache warm
expect 3 "seed=1" -e 0.02 --seed 2 --journal "$journal" --resume
expect 3 "samples=20..20000" -e 0.02 -r 30 --journal "$journal" --resume
expect 3 ",131072," -e 0.02 -M 64k --journal "$journal" --resume
expect 3 "noise 0.05" -e 0.02 --noise 0.04 --journal "$journal" --resume
expect 3 "links=23/" -e 0.02 --links pairs --journal "$journal" --resume
sed 's/"csi01\.lyon\.fr"/"other.lyon.fr"/' "$dir/h.dot" >"$dir/other.dot"
expect 3 "other.lyon.fr" -e 0.02 -i "$dir/other.dot" --journal "$journal" --resume
expect 3 "not the header of a journal" -e 0.02 --journal "$truth" --resume
expect 1 "$dir/none/j: cannot open" --journal "$dir/none/j"
expect 1 "a journal must be a regular file" --journal /dev/null
measure -q -o "$dir/anyway.json" -e 0.02 --seed 2 --journal "$journal" --resume-anyway
test -s "$dir/anyway.json"

# One line reports the progress.
measure -q -o "$dir/progress.json" --progress 2>"$dir/err"
test -s "$dir/err" && fail "--quiet, but $(cat "$dir/err")"
measure -o "$dir/progress.json" --progress >"$dir/out" 2>"$dir/err"
grep -qE '^hierarchical_model: pass 1, batch 1 of [0-9]+, [0-9]+ links? at once; [0-9]+ s gone, [0-9]+ s to go$' \
    "$dir/err" || fail "$(cat "$dir/err")"
grep ' 0 links at once' "$dir/err" && fail "links are measured, or the pass has ended"

# On paper.
measure --dry-run -e 0.02 --time-limit 1s -o "$dir/dry.json" --journal "$dir/dry" >"$dir/out"
test -e "$dir/dry.json" || test -e "$dir/dry" && fail "--dry-run wrote something"
grep -qE '^links +23 in [0-9]+ rounds, up to 16 at once$' "$dir/out" || fail "$(cat "$dir/out")"
grep -qE '^assumed +the prices of .*four-levels.json, with 5 % of noise$' "$dir/out" || fail "$(cat "$dir/out")"
grep -qE '^time +41\.6 s with all links of a round at once, 40\.3 s with one after' "$dir/out" || fail "$(cat "$dir/out")"
grep -qE '^time limit +1 s, which is too little$' "$dir/out" || fail "$(cat "$dir/out")"
grep -qE '^takes +about 1 s$' "$dir/out" || fail "$(cat "$dir/out")"

# A plan is right within 2x where the budget is large, and says no more than a small one, whatever is to be measured.
quality() { # quality MODEL ; the seconds that it took
    sed -n 's/.*"seconds": *\([0-9.]*\).*/\1/p' "$1" | head -1
}
takes() { # takes FILE ; seconds of a plan
    awk '$1 == "takes" { print $3 * ($4 == "min" ? 60 : $4 == "ms" ? 1e-3 : $4 == "us" ? 1e-6 : 1) }' "$1"
}
for options in '--no-capacities' '--no-capacities -p 0' '--verify 30 --no-capacities' '-C piecewise' \
    '-C lmo --no-capacities' '-C all -M 64k'; do
    for budget in 600min 2s; do
        # shellcheck disable=SC2086
        set -- $options -e 0.05 -r 20 --budget $budget
        measure "$@" --dry-run >"$dir/out"
        measure -q "$@" -o "$dir/real.json" 2>"$dir/err" || fail "$*: $(cat "$dir/err")"
        awk -v plan="$(takes "$dir/out")" -v real="$(quality "$dir/real.json")" -v budget=${budget%[ms]*} 'BEGIN {
            exit !(budget > 2 ? plan >= real / 2 && plan <= 2 * real : plan > 0 && plan <= 1.1 * budget) }' ||
            fail "$*: $(takes "$dir/out") s, but $(quality "$dir/real.json") s: $(cat "$dir/out")"
    done
done
measure --dry-run --budget 1s --exact-thresholds --scatter-gather --verify 30 --refine -C all >"$dir/out"
awk -v plan="$(takes "$dir/out")" 'BEGIN { exit !(plan > 0 && plan <= 1.1) }' || fail "all phases: $(cat "$dir/out")"
"$tool" -C lmo -i "$dir/flat.dot" --dry-run >"$dir/out"
grep -qE '^triples +192 in ' "$dir/out" || fail "$(cat "$dir/out")"
"$tool" -C lmo -i "$dir/flat.dot" --dry-run --triples all >"$dir/out"
grep -q '^triples *14880 in 1872 rounds, up to 10 at once; 1488 rounds are needed at least$' "$dir/out" ||
    fail "$(cat "$dir/out")"
grep -qE '^assumed +10 us and 1 GB/s for every message' "$dir/out" || fail "$(cat "$dir/out")"

expect 2 "--resume needs --journal FILE" --resume
expect 2 "--resume-anyway needs --journal FILE" --resume-anyway
expect 2 "--time-limit: '0s' must be more than 0" --time-limit 0s
expect 2 "--time-limit: '5' is not a time" --time-limit 5
expect 2 "--watchdog: '-1s' is not a time" --watchdog -1s
