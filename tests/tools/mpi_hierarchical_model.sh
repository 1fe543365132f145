#!/bin/sh
# hierarchical_model under mpirun: any number of ranks, one message and no hang on mistakes. How precise
# the numbers are is checked on quiet and on simulated machines.
set -eu
. "${srcdir:-.}/support/programs.sh"
tool=$bin/hierarchical_model
. "${srcdir:-.}/support/scratch.sh"
export MPI_GRACE=0 # ranks agree before they fail
command -v "${MPIRUN:-mpirun}" >/dev/null 2>&1 || exit 77

run() { # run RANKS TOOL ARGUMENT...
    ranks=$1
    shift
    sh "${srcdir:-.}/support/mpi-run.sh" "$ranks" "$@"
}

# Ranks below one host each, hosts in pairs: a hierarchy with as many levels as ranks allow.
write_hierarchy() { # write_hierarchy RANKS
    awk -v n="$1" 'BEGIN {
        print "digraph G { top [type=1, level=\"root\"];"
        for (rank = 0; rank < n; rank++) {
            group = "g" int(rank / 2)
            if (rank % 2 == 0) {
                printf "%s [type=1, level=\"host\", name=\"%s\"]; %s->top;\n", group, group, group
            }
            printf "%d [type=0, model_data=\"h%d\", rank=%d]; %d->%s;\n", rank, rank / 2, rank, rank, group
        }
        print "}"
    }'
}

for n in 1 2 3 5 8; do
    write_hierarchy $n >"$dir/$n.dot"
    status=0
    run $n "$tool" -C hockney -i "$dir/$n.dot" -o "$dir/$n.json" --annotate "$dir/a.dot" \
        --ignore-hosts --budget 1s -M 64k -R 40 >"$dir/out" 2>"$dir/err" || status=$?
    # a busy machine may keep a link from settling, which is said and written
    test $status = 0 || fail "$n ranks: $(cat "$dir/err")"
    links=$((n / 2 + (n > 2)))
    test "$(grep -c '"pair"' "$dir/$n.json")" = $links || fail "$n ranks: not $links links"
    grep -q '"transport": "mpi"' "$dir/$n.json" || fail "$n ranks: no transport"
done

# What a measurement would take, by a few messages; of one rank, and without mpirun, by assumed ones. Nothing is written.
plan() { # plan RANKS TOOL ARGUMENT... ; its lines in $dir/plan
    ranks=$1
    shift
    run "$ranks" "$@" -M 64k --budget 5s --dry-run -o "$dir/plan.json" >"$dir/plan" 2>"$dir/err" ||
        fail "plan of $ranks ranks: $(cat "$dir/err")"
    test "$(find "$dir" -name 'plan.*' | wc -l)" = 0 || fail "a plan was written"
    awk '$1 == "takes" && $2 == "about" { n++; bad += !($3 > 0) || ($4 == "s" && $3 > 5.5) || $4 == "min" }
         END { exit n != 1 || bad }' "$dir/plan" || fail "plan of $ranks ranks: $(cat "$dir/plan")"
}
for n in 2 3 8; do
    plan $n "$tool" -C hockney -i "$dir/$n.dot" --ignore-hosts --journal "$dir/plan.journal"
    grep -q '^assumed' "$dir/plan" && fail "$n ranks: $(cat "$dir/plan")"
    # every link below one host, and the top: each a second at most, long messages no faster than memory
    awk '$1 == "timed" { n++; for (i = 6; i < NF; i += 4) {
             s = $i * ($(i + 1) == "us" ? 1e-6 : $(i + 1) == "ms" ? 1e-3 : $(i + 1) == "ns" ? 1e-9 : 1)
             bad += !(s > 1e-8 && s < 1) } }
         END { exit n < 1 || bad }' "$dir/plan" || fail "$n ranks: $(cat "$dir/plan")"
    test "$(grep -c '^timed' "$dir/plan")" = $((n / 2 + (n > 2))) || fail "$n ranks: $(cat "$dir/plan")"
done
plan 1 "$tool" -C hockney -i "$dir/8.dot"
grep -q '^assumed' "$dir/plan" || fail "one rank: $(cat "$dir/plan")"
grep -q '^timed' "$dir/plan" && fail "one rank times nothing: $(cat "$dir/plan")"
plan 4 $bin/flat_model
grep -q '^timed  *0 - [123] (in a host): ' "$dir/plan" || fail "flat: $(cat "$dir/plan")"

# The hierarchy of this very job needs no --ignore-hosts.
run 3 $bin/generate_hierarchy --no-hwloc -o "$dir/own.dot"
run 3 "$tool" -C hockney -i "$dir/own.dot" -o "$dir/own.json" --budget 1s -M 64k -R 20 >"$dir/out" \
    2>"$dir/err" || fail "own hierarchy: $(cat "$dir/err")"
test -s "$dir/own.json" || fail "own hierarchy: no model"

# A person may write its hosts in another case, with ranks and without.
host=$(uname -n | tr '[:lower:]' '[:upper:]')
sed "s/model_data=\"$(uname -n)\"/model_data=\"$host\"/" "$dir/own.dot" >"$dir/upper.dot"
printf 'digraph { a [type=0, model_data="%s"]; b [type=0, model_data="%s"]; s [type=1]; a->s; b->s; }' \
    "$host" "$(uname -n)" >"$dir/no-ranks.dot"
for job in '3 upper' '2 no-ranks'; do
    run "${job% *}" "$tool" -C hockney -i "$dir/${job#* }.dot" -o "$dir/upper.json" --budget 1s -M 64k -R 20 >"$dir/out" \
        2>"$dir/err" || fail "${job#* }: $(cat "$dir/err")"
done

# One group has changed since: it is measured again, the others keep their numbers and get a date.
write_hierarchy 4 >"$dir/4.dot"
later() { # later DATE ARGUMENT...
    SOURCE_DATE_EPOCH=$1
    export SOURCE_DATE_EPOCH
    shift
    status=0
    run 4 "$tool" -C hockney -i "$dir/4.dot" --ignore-hosts --budget 1s -M 64k -e 1 -R 40 "$@" >"$dir/out" \
        2>"$dir/err" || status=$?
    test $status = 0 || fail "$*: $(cat "$dir/err")"
}
later 0 -o "$dir/then.json"
# Whatever ranks that share processors take, two groups hold, and the third one took a second.
sed 's/"converged": false/"converged": true/
     /"node": [45], .*"pair"/s/"lo": .* "hi": \[[^]]*\]/"lo": [0.0, 0.0, 0.0, 0.0], "hi": [9.0, 9.0, 9.0, 9.0]/
     /"node": 6, .*"pair"/s/"time": .* "hi": \[[^]]*\]/"time": [1, 1, 1, 1], "lo": [1, 1, 1, 1], "hi": [1, 1, 1, 1]/' \
    "$dir/then.json" >"$dir/changed.json"
later 86400 -o "$dir/now.json" --update "$dir/changed.json"
grep -q ': 2 hold, 1 measured anew$' "$dir/out" || fail "update: $(cat "$dir/out" "$dir/err")"
for node in 4 5; do
    grep "\"node\": $node, .*\"pair\"" "$dir/changed.json" | sed 's/},*$/, "date": "1970-01-01T00:00:00Z"}/' >"$dir/was"
    grep "\"node\": $node, .*\"pair\"" "$dir/now.json" | sed 's/,$//' | cmp "$dir/was" - || fail "update: group $node"
done
grep '"node": 6, .*"pair"' "$dir/now.json" | grep -q '"date"' && fail "update: the date of what is new"
grep -q '"date": "1970-01-02T00:00:00Z"' "$dir/now.json" || fail "update: no date"
$bin/model_info "$dir/now.json" | grep -q '^older  *2 classes of links, from 1970-01-01T00:00:00Z$' ||
    fail "update: model_info prints no dates"
unset SOURCE_DATE_EPOCH

refuse() { # refuse RANKS TEXT ARGUMENT... ; said once, nothing written; mpirun may add its own words
    ranks=$1 text=$2
    shift 2
    if run "$ranks" "$tool" -C hockney -o "$dir/model.json" "$@" >"$dir/out" 2>"$dir/err"; then
        fail "$*: accepted"
    else
        status=$?
    fi
    test $status != 124 || fail "$*: hangs"
    test "$(grep -c '^hierarchical_model: ' "$dir/err")" = 1 || fail "$*: $(cat "$dir/err")"
    grep -qF -e "$text" "$dir/err" || fail "$*: no '$text' in $(cat "$dir/err")"
    test "$(find "$dir" -name 'model.json*' | wc -l)" = 0 || fail "$*: left a file"
}

refuse 4 "the hierarchy has 3 ranks, the job has 4; run with mpirun -n 3" -i "$dir/3.dot" --ignore-hosts
refuse 2 "the hierarchy has 3 ranks, the job has 2; run with mpirun -n 3" -i "$dir/3.dot" --ignore-hosts
refuse 2 "but the hierarchy has it on 'h0'" -i "$dir/2.dot"
refuse 4 "measured with --cache hot, which --cache cold cannot update" -i "$dir/4.dot" --ignore-hosts -M 64k \
    --cache cold --update "$dir/now.json"
refuse 2 "the model has 4 ranks, the hierarchy $dir/2.dot has 2" -i "$dir/2.dot" --ignore-hosts --update "$dir/now.json"
refuse 3 "$dir/none.dot: cannot open" -i "$dir/none.dot"
refuse 2 "are too large; at most 2147483647 are possible" -i "$dir/2.dot" --ignore-hosts -M 3g
refuse 2 "are too large; at most 2147483647 are possible" -i "$dir/2.dot" --ignore-hosts -M 3g --dry-run
refuse 2 "the hierarchy has 3 ranks, the job has 2; run with mpirun -n 3" -i "$dir/3.dot" --ignore-hosts --dry-run
refuse 2 "--max-size: '-1' is not a size" -i "$dir/2.dot" -M -1
