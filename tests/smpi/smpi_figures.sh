#!/bin/sh
# bench/paper/figure.sh simulates a figure, draws it and compares it with its paper; wrong arguments are refused. Few
# operations of few ranks: what the numbers are does not matter here.
set -eu
. "${srcdir:-.}/support/scratch.sh"
command -v gnuplot >/dev/null || { echo "SKIP: gnuplot is not installed"; exit 77; }

figures=${srcdir:-.}/../bench/paper
tool=figure
figure() { # not a program: refuse calls it, too
    env FOLDER="$dir/figures" REPEATS=2 STEPS=4 SEEDS=1 NODES=2 RANKS=2 JOBS=1 sh "$figures/figure.sh" "$@"
}

figure .. 3 12 6 22 >"$dir/said" 2>"$dir/err" || fail "figures 3, 12, 6 and 22: $(cat "$dir/err")"
cat "$dir/said"
for number in 3 6 12 22; do
    grep -q "^figure $number: " "$dir/said" || fail "figure $number is compared with nothing"
    grep -q '^</svg>' "$dir/figures/results/figure-$number.svg" || fail "figure $number is no picture"
done
# 2 intervals, 3 algorithms, 5 sizes; 3 cases of 20 bins; 3 algorithms with 4 times and 40 bins
test "$(wc -l <"$dir/figures/results/figure-12.csv")" = 31 || fail "figure 12 has other rows"
test "$(wc -l <"$dir/figures/results/figure-6.csv")" = 61 || fail "figure 6 has other rows"
test "$(wc -l <"$dir/figures/results/figure-22.csv")" = 133 || fail "figure 22 has other rows"
awk -F, 'NR > 1 && !($7 > 0 && $7 < 1e6 && $11 <= $7) { exit 1 }' "$dir/figures/results/figure-12.csv" || fail "times are impossible"
awk -F, 'NR > 1 { sum[$1 $2] += $4 / 20 } END { for (c in sum) if (sum[c] < 0.999 || sum[c] > 1.001) exit 1 }' \
    "$dir/figures/results/figure-6.csv" || fail "a density is not 1 in all"

env FOLDER="$dir/other" REPEATS=2 SEEDS=1 sh "$figures/figure.sh" .. 3 >"$dir/alone" 2>"$dir/err" || fail "figure 3 alone: $(cat "$dir/err")"
cmp "$dir/figures/results/figure-3.csv" "$dir/other/results/figure-3.csv" || fail "figure 3 alone has other numbers than beside others"

figure --draw "$dir/figures" 12 >"$dir/again" || fail "--draw"
grep '^figure 12' "$dir/said" | cmp - "$dir/again" || fail "--draw compares other numbers"
figure --page "$dir/figures" || fail "--page"
test "$(grep -c '^## Figure' "$dir/figures/README.md")" = 4 || fail "the page has not all figures"

refuse 2 "no build folder"
refuse 2 "no figure 99" .. 99
refuse 2 "no figure; there are" ..
refuse 2 "no bench/paper/competition" "$dir" 12
refuse 2 "--page takes one folder" --page
refuse 3 "no numbers in" --draw "$dir/figures" 13
refuse 3 "no results/ of a simulation" --draw "$dir/empty" 12
