#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Figures of a paper on broadcasts among processes that arrive late (Liu, Song et al., Journal of Software 22, 2011), on a
# simulated cluster like its own. Prints beside each statement of the paper what the numbers show.
# usage: figure.sh BUILD_FOLDER FIGURE...   simulate (a build with MPICC=smpicc, after `make -C bench`), draw, compare
#        figure.sh --draw FOLDER FIGURE...  draw and compare the numbers of an earlier run
#        figure.sh --page FOLDER            write README.md of the folder from the numbers that are there
# FIGURE is a number, or all: every figure, and the page.
#
# FOLDER         folder of results/ and README.md that a simulation writes (bench/paper of the build folder)
# REPEATS SEEDS  operations for each number, and the seeds of arrivals that are averaged (16, "1 2")
# NODES RANKS    other nodes, and ranks on each, than the paper's
# JOBS           figures that are simulated at the same time (2)
# shellcheck disable=SC2086 # $known is a list
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${REPEATS:=16}" "${SEEDS:=1 2}" "${NODES:=}" "${RANKS:=}" "${JOBS:=2}"
known=$(cd "$here/figures" && for file in [0-9]*.sh; do echo "${file%.sh}"; done | sort -n)

usage() { # usage WORDS...
    echo "figure.sh: $*; usage: figure.sh BUILD_FOLDER FIGURE..., --draw FOLDER FIGURE... or --page FOLDER" >&2
    exit 2
}

# One figure: simulate unless it is only drawn, then draw and compare. figures/N.sh defines caption, run, plot and compare.
figure() { # figure NUMBER
    number=$1
    csv=$out/results/figure-$number.csv
    . "$here/figures/$number.sh"
    if [ -n "$build" ]; then
        echo "figure $number: $caption" >&2
        : >"$work/csv"
        model
        run
        mv "$work/csv" "$csv"
    fi
    [ -s "$csv" ] || { echo "figure.sh: no numbers in $csv: simulate the figure first" >&2; exit 3; }
    : >"$work/comparisons"
    compare
    {
        echo "Figure $number: $caption"
        cut -f 3 "$work/comparisons" | paste -s -d ';' - | sed 's/;/; /g' | fold -s -w 100
    } >"$work/caption"
    [ -n "$page" ] || plot
}

# What the comparisons of the figure say, as a part of the page.
section() {
    echo
    echo "## Figure $number: $caption"
    echo
    echo "![Figure $number](results/figure-$number.svg)"
    echo
    echo "| the paper | here | |"
    echo "|---|---|---|"
    awk -F '\t' '{ printf "| %s | %s | %s%s |\n", $2, $3, $1, $1 !~ /^(agrees|holds)$/ && $4 != "" ? ": " $4 : "" }' "$work/comparisons"
}

[ $# -ge 1 ] || usage "no build folder"
build='' page=''
case $1 in
--page)
    [ $# -eq 2 ] || usage "--page takes one folder"
    page=1 out=$2
    set -- $known
    ;;
--draw)
    [ $# -ge 3 ] || usage "--draw takes a folder and figures"
    out=$2
    shift 2
    ;;
*)
    [ $# -ge 2 ] || usage "no figure; there are" $known
    [ -x "$1/bench/paper/competition" ] || usage "$1 has no bench/paper/competition of a build with MPICC=smpicc"
    build=$(cd "$1" && pwd)
    out=${FOLDER:-$build/bench/paper}
    shift
    ;;
esac
whole=''
[ "$*" != all ] || { whole=1; set -- $known; }
for number; do
    [ -f "$here/figures/$number.sh" ] || usage "no figure $number; there are" $known
done
[ -n "$page" ] || command -v gnuplot >/dev/null || { echo "figure.sh: gnuplot is not installed" >&2; exit 2; }
if [ -n "$build" ]; then
    mkdir -p "$out/results" || exit 2
else
    [ -d "$out/results" ] || { echo "figure.sh: $out has no results/ of a simulation" >&2; exit 3; }
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$here/simulate.sh"
. "$here/compare.sh"

if [ -n "$page" ]; then
    {
        cat "$here/page.md"
        for number in $known; do
            [ ! -s "$out/results/figure-$number.csv" ] || (figure "$number" && section)
        done
    } >"$work/README.md"
    mv "$work/README.md" "$out/README.md"
elif [ $# -gt 1 ]; then # one process for each figure
    [ -z "$build" ] || model
    if [ -n "$build" ]; then
        printf '%s\n' "$@" | FOLDER=$out xargs -n 1 -P "$JOBS" sh "$0" "$build"
    else
        printf '%s\n' "$@" | xargs -n 1 sh "$0" --draw "$out"
    fi
    [ -z "$whole" ] || sh "$0" --page "$out"
else
    figure "$1"
    awk -F '\t' -v number="$number" '{ printf "figure %s: %s: %s; %s\n", number, $1, $2, $3 }' "$work/comparisons"
fi
