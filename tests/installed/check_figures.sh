#!/bin/sh
# The page bench/paper/README.md says what bench/paper/figure.sh finds in the committed numbers of figures, and each figure of the page has
# its picture, with the same comparisons.
set -eu
. "${srcdir:-.}/support/scratch.sh"

paper=${srcdir:-.}/../bench/paper
mkdir "$dir/page"
cp -r "$paper/results" "$dir/page/results"
sh "$paper/figure.sh" --page "$dir/page" || fail "figure.sh --page"
diff "$paper/README.md" "$dir/page/README.md" || fail "the page is not that of the numbers: sh bench/paper/figure.sh --page bench/paper"
for file in "$paper"/figures/[0-9]*.sh; do
    number=$(basename "$file" .sh)
    grep -q "^## Figure $number: " "$paper/README.md" || fail "the page has no figure $number"
    grep -q ">Figure $number: " "$paper/results/figure-$number.svg" || fail "there is no picture of figure $number"
done
