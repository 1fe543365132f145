#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Figures 12 to 17 of the paper (Liu, Song et al., Journal of Software 22, 2011) on a simulated cluster like its own: P
# against CP, with dyn. Prints a table in Markdown, and draws bt.svg, rdaas.svg and ringaas.svg.
# usage: figures.sh BUILD_FOLDER [FOLDER]   simulate with an smpicc build; numbers and pictures go to FOLDER (.)
#        figures.sh --draw FOLDER           print and draw the numbers of an earlier run
#
# REPEATS SEEDS  operations for each number, and the seeds of arrivals that are averaged (40, "1 2")
# WITH           a command that runs each simulation, e.g. nice
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${REPEATS:=40}" "${SEEDS:=1 2}" "${WITH:=}"

simulate() { # simulate NODES RANKS_PER_NODE PROGRAM...
    awk -v nodes="$1" -v each="$2" 'BEGIN { for (i = 0; i < nodes * each; i++) print "n" int(i / each) }' >"$work/hosts"
    np=$(($1 * $2))
    shift 2
    # shellcheck disable=SC2086 # words
    SMPI_SEND=mpi SMPI_WALL=3600 $WITH sh "$here/../../tests/support/smpi-run.sh" "$here/infiniband.xml" "$work/hosts" $np "$@"
}

measure() { # measure FIGURES NODES STYLES SIZE... ; seeds do not matter where all come together
    figures=$1 nodes=$2 styles=$3
    shift 3
    for each in 4 8; do
        for seed in 0 $SEEDS; do
            interval=500 repeats=$REPEATS
            [ "$seed" -ne 0 ] || interval=0 repeats=3
            echo "$figures: $nodes nodes of $each ranks, interval $interval us, seed $seed" >&2
            HITOP_TEST_SEED=$seed simulate "$nodes" $each "$build/bench/paper/competition" $interval "$repeats" "$styles" "$@" |
                awk -v head="$figures,$nodes,$each,$interval,$seed" \
                    '{ printf "%s", head; for (i = 1; i <= NF; i++) printf ",%s", $i; print "" }' >>"$out/figures.csv"
        done
    done
}

if [ "${1-}" = --draw ]; then
    [ $# -eq 2 ] || { sed -n '5,6s/^# //p' "$0" >&2; exit 2; }
    out=$2
else
    [ $# -ge 1 ] || { sed -n '5,6s/^# //p' "$0" >&2; exit 2; }
    build=$(cd "$1" && pwd)
    out=${2:-.}
    mkdir -p "$out" || exit 2
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    # the model is measured as a user would
    simulate 16 4 "$build/tools/generate_hierarchy" -o "$work/h.dot"
    simulate 16 4 "$build/tools/hierarchical_model" -q -C loggp --exact-thresholds -M 128KiB -i "$work/h.dot" -o "$work/m.json"
    HITOP_MODEL=$work/m.json
    export HITOP_MODEL
    echo "figures,nodes,ranks_per_node,interval_us,seed,style,size_B,paper_us,mean_us,root_us,paper_least_us,mean_least_us" \
        >"$out/figures.csv"
    measure bt 16 p-bt,cp-bt,dyn,auto 8 512 4000 8000
    measure rdaas 16 p-rdaas,cp-rdaas,dyn 12000 18000 27000 40500 60750 92000
    measure ringaas 10 p-ringaas,cp-ringaas,dyn 12000 18000 27000 40500 60750 91000 137000 205000 308000
fi
awk -F, -f "$here/figures.awk" "$out/figures.csv"
for figures in bt rdaas ringaas; do
    gnuplot -e "figures='$figures'; csv='$out/figures.csv'; svg='$out/$figures.svg'" "$here/figures.gp"
done
