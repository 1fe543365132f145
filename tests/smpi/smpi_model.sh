#!/bin/sh
# The way from a simulated machine to its model: 32 ranks find their hierarchy, measure one link per group,
# and get back the latency and bandwidth that the machine was given, the same bytes each time.
set -eu
top=${srcdir:-.}/..
machine=$top/testdata/simgrid/four-levels
. "${srcdir:-.}/support/scratch.sh"

run() { # run TOOL ARGUMENT...
    tool=$1
    shift
    sh "${srcdir:-.}/support/smpi-run.sh" "$machine.xml" "$machine.hosts" 32 "../tools/$tool" "$@"
}

run generate_hierarchy -o "$dir/h.dot"
run hierarchical_model -C hockney -i "$dir/h.dot" -o "$dir/m.json" >"$dir/table"
awk -v limit=0.001 -f "${srcdir:-.}/support/compare_truth.awk" "$machine.hosts" "$machine.truth" "$dir/m.json"

# One link per group with two or more children, which all groups of this machine have.
groups=$(grep -c 'type=1' "$dir/h.dot")
test "$(grep -c '"pair"' "$dir/m.json")" = "$groups"
test "$(($(grep -vc "^capacity of " "$dir/table") - 2))" = "$groups"

mv "$dir/m.json" "$dir/first.json"
run hierarchical_model -C hockney -i "$dir/h.dot" -o "$dir/m.json" >/dev/null
cmp "$dir/first.json" "$dir/m.json"

# Simulated time is limited, too; what was measured by then is not measured again.
status=0
run hierarchical_model -C hockney -i "$dir/h.dot" -o "$dir/late.json" --journal "$dir/j" --time-limit 300ms \
    2>"$dir/err" || status=$?
test $status = 1
grep -q 'the time limit of 0.3 s ended the measurement before every size had samples: no model' "$dir/err"
test ! -e "$dir/late.json"
cp "$dir/j" "$dir/before"
run hierarchical_model -C hockney -i "$dir/h.dot" -o "$dir/late.json" --journal "$dir/j" --resume >/dev/null 2>"$dir/err"
grep -q ": $(($(wc -l <"$dir/before") - 1)) batches of samples are known" "$dir/err"
head -n "$(wc -l <"$dir/before")" "$dir/j" | cmp - "$dir/before"
awk -v limit=0.001 -f "${srcdir:-.}/support/compare_truth.awk" "$machine.hosts" "$machine.truth" "$dir/late.json"

# Fewer ranks than the hierarchy has: all stop, nothing is written.
status=0
sh "${srcdir:-.}/support/smpi-run.sh" "$machine.xml" "$machine.hosts" 8 ../tools/hierarchical_model \
    -C hockney -i "$dir/h.dot" -o "$dir/none.json" 2>"$dir/err" || status=$?
test $status = 3
grep -q 'the hierarchy has 32 ranks, the job has 8; run with mpirun -n 32' "$dir/err"
test ! -e "$dir/none.json"
