#!/bin/sh
# Broadcasts of processes that come at different times, on a simulated machine of 8 hosts x 4 ranks, where times
# are exact: leaders that announce themselves cost little when all come together and gain much when they do not.
set -eu
. "${srcdir:-.}/support/scratch.sh"

python3 "${srcdir:-.}/../testdata/simgrid/make-sites.py" "$dir" 1 8 4

run() { # run INTERVAL_US REPEATS STYLES SIZE...
    SMPI_SEND=mpi sh "${srcdir:-.}/support/smpi-run.sh" "$dir/sites.xml" "$dir/block.hosts" 32 ../bench/paper/competition "$@" ||
        fail "competition $*"
}
beyond() { # beyond STYLE SIZE FILE: the largest mean time, less what ranks wait for the root at least
    awk -v style="$1" -v size="$2" '$1 == style && $2 == size { print $3 - $6 }' "$3"
}
is_below() { # is_below WHAT VALUE FACTOR OTHER
    awk -v value="$2" -v factor="$3" -v other="$4" 'BEGIN { exit !(value > 0 && value < factor * other) }' ||
        fail "$1: $2 us is not below $3 of $4 us"
}

run 500 20 fixed,dyn,auto 8 64k >"$dir/late"
run 0 10 fixed,auto 8 >"$dir/together"
cat "$dir/late" "$dir/together"
for style in dyn auto; do
    is_below "8 B, $style, late" "$(beyond $style 8 "$dir/late")" 0.6 "$(beyond fixed 8 "$dir/late")"
    is_below "64 KiB, $style, late" "$(beyond $style 65536 "$dir/late")" 1 "$(beyond fixed 65536 "$dir/late")"
done
is_below "8 B, together" "$(beyond auto 8 "$dir/together")" 1.15 "$(beyond fixed 8 "$dir/together")"
