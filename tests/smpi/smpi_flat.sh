#!/bin/sh
# Every pair of a simulated machine: as the few links of its hierarchy say; and at once only as far as
# the pairs do not share a wire.
set -eu
top=${srcdir:-.}/..
. "${srcdir:-.}/support/scratch.sh"

run() { # run MACHINE RANKS TOOL ARGUMENT...
    machine=$1 ranks=$2 tool=$3
    shift 3
    SMPI_WALL=300 sh "${srcdir:-.}/support/smpi-run.sh" "$machine.xml" "$machine.hosts" "$ranks" "../tools/$tool" "$@"
}

# 64 hosts in three levels. Few samples will do where there is no noise.
python3 "$top/testdata/simgrid/make-four-levels.py" "$dir" 16 1
fast="-M 32768 -S 32768 -r 6"
run "$dir/four-levels" 64 generate_hierarchy -o "$dir/h.dot"
# shellcheck disable=SC2086 # a list
run "$dir/four-levels" 64 hierarchical_model -C hockney -i "$dir/h.dot" -o "$dir/h.json" $fast >"$dir/h.out"
# shellcheck disable=SC2086
run "$dir/four-levels" 64 flat_model -C hockney -o "$dir/f.json" $fast --budget 900s >"$dir/f.out"
truth="$top/tests/support/compare_truth.awk $dir/four-levels.hosts $dir/four-levels.truth"
# shellcheck disable=SC2086
[ "$(awk -v limit=0.001 -f $truth "$dir/f.json" | cut -d, -f1)" = "2016 classes" ] || fail "not all pairs"
# shellcheck disable=SC2086
[ "$(awk -v limit=0.001 -f $truth "$dir/h.json" | cut -d, -f1)" = "7 classes" ] || fail "not seven groups"
grep ' links in ' "$dir/h.out" "$dir/f.out" | sed "s|$dir/||"
awk '/ links in /{ links[FILENAME] = $1; time[FILENAME] = $4 } END {
    h = ARGV[1]; f = ARGV[2]
    printf "7 links instead of 2016: %.2g %% of the pairs, %.2g %% of the simulated time\n",
        100 * links[h] / links[f], 100 * time[h] / time[f]
    exit links[h] > 0.03 * links[f] || time[h] > 0.2 * time[f] }' "$dir/h.out" "$dir/f.out" ||
    fail "many links"

# 512 ranks on 128 hosts: the truth of all 135 groups, and the same bytes each time.
python3 "$top/testdata/simgrid/make-four-levels.py" "$dir" 32 4
run "$dir/four-levels" 512 generate_hierarchy -o "$dir/h.dot" 2>/dev/null
# shellcheck disable=SC2086
for file in first second; do
    run "$dir/four-levels" 512 hierarchical_model -C hockney -i "$dir/h.dot" -o "$dir/h.json" $fast >/dev/null
    mv "$dir/h.json" "$dir/$file.json"
done
cmp "$dir/first.json" "$dir/second.json" || fail "not the same"
# shellcheck disable=SC2086
[ "$(awk -v limit=0.001 -f $truth "$dir/first.json" | cut -d, -f1)" = "135 classes" ] || fail "not 135 groups"

# A star of 16 hosts: with a cable each all eight pairs run at once and nearly eight times as fast; with a backbone
# that three of them fill no more than two, where bandwidth is measured.
pairs() { # pairs OUTPUT OPTION...: simulated seconds
    out=$1
    shift
    run "$dir/star" 16 flat_model -C hockney -o "$dir/s.json" -m 0 -M 1MiB -S 1MiB -e 0.01 -r 200 \
        --budget 900s "$@" >"$out"
    awk '/ links in /{ print $4 }' "$out"
}
python3 "$top/testdata/simgrid/make-star.py" "$dir" 16
together=$(pairs "$dir/out" -p 1)
grep -q 'bandwidth 8 at once' "$dir/out" || fail "$(grep ' links in ' "$dir/out")"
alone=$(pairs "$dir/alone" -p 0)
echo "star: $together s, one by one $alone s"
awk "BEGIN { exit $alone / $together < 0.9 * 8 }" || fail "no faster"
python3 "$top/testdata/simgrid/make-star.py" "$dir" 16 3000000000
pairs "$dir/out" -p 1 >/dev/null
grep ' links in ' "$dir/out"
awk '/bandwidth [12] at once/ { match($0, /bandwidth.*/); split(substr($0, RSTART), w, /[ (]+/)
    good = w[2] == 1 || w[5] <= 2 } END { exit !good }' "$dir/out" || fail "$(grep ' links in ' "$dir/out")"

# Two hosts of four ranks each and one wire of 1 GB/s, which one pair fills as well as four do.
awk '{ for (i = 0; i < 4; i++) print $1 }' "$top/testdata/simgrid/one-link.hosts" >"$dir/four.hosts"
cp "$top/testdata/simgrid/one-link.xml" "$dir/four.xml"
run "$dir/four" 8 generate_hierarchy -o "$dir/h.dot"
run "$dir/four" 8 hierarchical_model -q -C max_rate -i "$dir/h.dot" -o "$dir/r.json"
awk '/"pair": *\[0, *4\]/ { match($0, /"core_rate": *[0-9.]+, *"node_rate": *[0-9.]+/)
    split(substr($0, RSTART, RLENGTH), w, /[:,]/); core = w[2] / 1e9; node = w[4] / 1e9
    printf "one pair %g GB/s, hosts %g GB/s\n", core, node
    good = core > 0.999 && core < 1.001 && node > 0.999 && node < 1.001 } END { exit !good }' "$dir/r.json" ||
    fail "another rate"
