#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Applications on the virtual cluster: the MPI library alone and the preloaded library with several HITOP_BCAST, in turns.
# usage: application.sh BUILD_FOLDER [LAUNCHES [APPLICATION...]]
#
# Applications: block, cyclic, uneven: ASP (examples/asp.c) with rows dealt out so, a broadcast of 4 VERTICES bytes a step; silicon: pw.x of
# Quantum ESPRESSO (Debian's quantum-espresso and quantum-espresso-data), thousands of broadcasts, reductions and alltoalls a second.
# CONFIGS ALGORITHMS VERTICES  descriptions of clusters ("four-hosts two-sites"), values of HITOP_BCAST ("fixed cp-bt auto"), 1500
# Exit status 1 when results differ, or a run fails.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '4s/^# //p' "$0" >&2; exit 2; }
build=$(cd "$1" && pwd)
launches=${2:-3}
[ $# -lt 2 ] || shift
shift
[ $# -ge 1 ] || set -- block cyclic uneven
: "${CONFIGS:=four-hosts two-sites}" "${ALGORITHMS:=fixed cp-bt auto}" "${VERTICES:=1500}" "${MPIRUN:=mpirun}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
dir=$(mktemp -d "$build/application.XXXXXX") # pw.x leaves files where it runs; hosts of the virtual cluster share no /tmp
rows=$dir/rows
trap 'rm -rf "$dir"' EXIT

# A row: cluster, application, algorithm, result, seconds.
application() { # application CONFIG APPLICATION ALGORITHM OPTION...
    key="$1 $2 $3" config=$1 name=$2
    shift 3
    case $name in
    silicon) set -- "$@" pw.x -ndiag 1 -in "$here/silicon.in" ;;
    *) set -- "$@" "$build/examples/asp" "$VERTICES" "$name" ;;
    esac
    (cd "$dir" && exec timeout -k 5 180 "$build/tests/vcluster/vcluster" run "$here/../../tests/vcluster/$config.conf" -- \
        "$MPIRUN" -n 8 "$@" </dev/null >out) || { echo "application.sh: $key failed" >&2; exit 1; }
    row=$(awk '
        / checksum /       { result = $6; sub(/,/, "", result); seconds = $7 }
        /^! *total energy/ { result = $5 }
        /^ *PWSCF .*WALL/  { seconds = $0; sub(/.*CPU */, "", seconds); sub(/s WALL.*/, "", seconds)
                             if (split(seconds, part, "m") == 2) seconds = 60 * part[1] + part[2] }
        END                { if (result == "" || seconds == "") exit 1; print result, seconds }' "$dir/out") ||
        { echo "application.sh: $key has no result" >&2; exit 1; }
    echo "$key $row" >>"$rows"
}

for config in $CONFIGS; do
    for name; do
        i=0
        while [ $i -lt "$launches" ]; do
            application "$config" "$name" plain
            for algorithm in $ALGORITHMS; do
                application "$config" "$name" "$algorithm" -x LD_PRELOAD="$build/coll/.libs/libhitop_coll.so" -x HITOP_BCAST="$algorithm"
            done
            i=$((i + 1))
        done
    done
done
# Sums of an electron density may differ in the last digit.
awk '{ name = $2 == "silicon"; value = name ? sprintf("%.6f", $4) : $4; if (name in first && first[name] != value) exit 1; first[name] = value }' "$rows" ||
    { echo "application.sh: results differ" >&2; exit 1; }
sort -k1,3 -k5,5n "$rows" | awk '
    { key = $1 " " $2 " " $3; if (key != last) { nkeys++; keys[nkeys] = last = key }
      n[key]++; t[key, n[key]] = $5 }
    function median(key) { return (t[key, int((n[key] + 1) / 2)] + t[key, int(n[key] / 2) + 1]) / 2 }
    END {
      print "| cluster, application | algorithm | time_s (range) | over plain |"
      print "|---|---|---|---|"
      for (k = 1; k <= nkeys; k++) {
          split(keys[k], part, " ")
          plain = median(part[1] " " part[2] " plain")
          printf "| %s, %s | %s | %.3f (%.3f to %.3f) | %.2f |\n", part[1], part[2], part[3], median(keys[k]),
              t[keys[k], 1], t[keys[k], n[keys[k]]], median(keys[k]) / plain
      } }'
