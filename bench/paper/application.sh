#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The broadcasts of ASP (all pairs' shortest paths) by the MPI library and by Hitop (application.c), on a simulated cluster like
# that of the paper (Liu, Song et al., Journal of Software 22, 2011). Prints a table in Markdown; ratios are over "plain".
# usage: application.sh BUILD_FOLDER      simulate with an smpicc build
#
# STEPS EACH SEEDS  steps of a program, ranks of each of the 16 nodes, and the seeds of its computation (240, 8, "1 2")
# EAGER             bytes from which a send waits for its receiver (12288, as with MVAPICH2 1.2)
# ALGORITHMS        plain: the MPI library, in the version SELECTOR of SimGrid (mvapich2); and values of HITOP_BCAST
# HITOP_TRIAL       calls by which auto compares Hitop with the MPI library (12, the default of programs that are not simulated)
# WITH              a command that runs each simulation, e.g. nice
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
: "${STEPS:=240}" "${EACH:=8}" "${SEEDS:=1 2}" "${EAGER:=12288}" "${SELECTOR:=mvapich2}" "${WITH:=}"
: "${ALGORITHMS:=plain,fixed,cp-bt,dyn,auto}"
eager="--cfg=smpi/async-small-thresh:$EAGER --cfg=smpi/send-is-detached-thresh:$EAGER"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

simulate() { # simulate PROGRAM...
    # shellcheck disable=SC2086 # words
    SMPI_SEND=mpi SMPI_WALL=3600 SMPI_FLAGS="--cfg=smpi/coll-selector:$SELECTOR $eager" $WITH \
        sh "$here/../../tests/support/smpi-run.sh" "$here/infiniband.xml" "$work/hosts" $((16 * EACH)) "$@"
}

awk -v each="$EACH" 'BEGIN { for (i = 0; i < 16 * each; i++) print "n" int(i / each) }' >"$work/hosts"
# the model is measured as a user would
simulate "$build/tools/generate_hierarchy" -o "$work/h.dot"
simulate "$build/tools/hierarchical_model" -q -C loggp --exact-thresholds -M 128KiB -i "$work/h.dot" -o "$work/m.json"
HITOP_MODEL=$work/m.json HITOP_TRIAL=${HITOP_TRIAL-12}
export HITOP_MODEL HITOP_TRIAL
for block in 80 1; do
    for noise in 0 300; do
        for seed in $SEEDS; do
            echo "application.sh: $block rows of a root, 500 us and up to $noise us, seed $seed" >&2
            HITOP_TEST_SEED=$seed simulate "$build/bench/paper/application" "$STEPS" 40960 500 $noise $block "$ALGORITHMS" |
                sed "s/^/$block $noise $seed /" >>"$work/rows"
        done
    done
done
# Rows: block, noise, seed, algorithm, seconds, us in broadcasts, spread, lateness of the root.
awk '
    { key = $1 " " $2; if (!(key in has)) { has[key]; keys[++nkeys] = key }
      if (!($4 in known)) { known[$4]; names[++nnames] = $4 }
      if ($4 == "plain") plain[key, $3] = $5
      ratio = plain[key, $3] > 0 ? $5 / plain[key, $3] : 0
      at = key SUBSEP $4
      n[at]++; s[at] += $5; b[at] += $6; spread[at] += $7; r[at] += ratio
      if (!(at in least) || ratio < least[at]) least[at] = ratio
      if (ratio > most[at]) most[at] = ratio }
    END {
      print "| rows of a root, noise_us | algorithm | time_ms | ratio (seeds) | bcast_us | arrivals_us |"
      print "|---|---|---|---|---|---|"
      for (k = 1; k <= nkeys; k++) for (a = 1; a <= nnames; a++) {
          at = keys[k] SUBSEP names[a]
          if (n[at]) printf "| %s | %s | %.1f | %.3f (%.3f to %.3f) | %.0f | %.0f |\n", keys[k], names[a], 1e3 * s[at] / n[at],
              r[at] / n[at], least[at], most[at], b[at] / n[at], spread[at] / n[at]
      } }' "$work/rows"
