#!/bin/sh
# Run a test of make check when it is its turn: several at once where each needs one processor, alone where ranks wait for
# each other or clocks are watched. A line of turns.times: its seconds without the wait, those of processors, its name.
# usage: turns.sh TEST
set -eu
if [ "$1" = --now ]; then
    shift
    begin=$(date +%s.%N) status=0
    "$@" || status=$?
    end=$(date +%s.%N)
    times >turns.$$ # of the test, on the second line
    echo "$begin $end ${1##*/}" >>turns.$$
    awk 'NR == 2 { split($1 "m" $2, t, /[ms]+/); used = 60 * t[1] + t[2] + 60 * t[3] + t[4] }
        NR == 3 { printf "%.1f %.1f %s\n", $2 - $1, used, $3 }' turns.$$ >>turns.times
    rm -f turns.$$
    exit $status
fi
# Settings of the library in the environment of the caller are not those of the test.
for name in $(env | sed -n 's/^\(HITOP_[A-Za-z0-9_]*\)=.*/\1/p'); do
    case $name in
    HITOP_TEST_* | HITOP_UPDATE_GOLDEN) ;;
    *) unset "$name" ;;
    esac
done
case ${1##*/} in
mpi_faults.sh | mpi_mixed.sh | mpi_resume.sh) how=-s ;; # they wait for seconds to pass
mpi_* | vcluster_*) how=-x ;;
*) how=-s ;;
esac
flock --version 2>/dev/null | grep -q util-linux || exec sh "$0" --now "$@" # no turns with another one
exec flock -o $how turns.lock sh "$0" --now "$@"
