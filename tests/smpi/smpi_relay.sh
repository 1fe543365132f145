#!/bin/sh
# Broadcasts in segments on a simulated machine of 10 hosts x 2 ranks whose model was measured: segments leave one after
# the other, so that a chain or a tree of them is faster than scattering and a ring, and announcements of leaders
# are received while the root copies.
set -eu
. "${srcdir:-.}/support/scratch.sh"

awk 'BEGIN { for (i = 0; i < 20; i++) print "n" int(i / 2) }' >"$dir/hosts"
run() { # run PROGRAM...
    SMPI_SEND=mpi sh "${srcdir:-.}/support/smpi-run.sh" "${srcdir:-.}/../bench/paper/infiniband.xml" "$dir/hosts" 20 "$@" ||
        fail "$*"
}
time_of() { # time_of STYLE SIZE: largest mean time of a rank
    awk -v style="$1" -v size="$2" '$1 == style && $2 == size { print $3 }' "$dir/times"
}

run ../tools/generate_hierarchy -o "$dir/h.dot"
run ../tools/hierarchical_model -q -C loggp -M 64KiB -i "$dir/h.dot" -o "$dir/m.json"
HITOP_MODEL=$dir/m.json
export HITOP_MODEL
run ../bench/paper/competition 0 2 p-ringaas,cp-ringaas,fixed,dyn 60750 91000 308000 >"$dir/times"
cat "$dir/times"
for bytes in 60750 91000 308000; do
    for pair in fixed:p-ringaas dyn:cp-ringaas; do
        awk -v ours="$(time_of "${pair%:*}" $bytes)" -v ring="$(time_of "${pair#*:}" $bytes)" \
            'BEGIN { exit !(ours > 0 && ours < 0.8 * ring) }' || fail "$bytes B: $pair is not below 0.8"
    done
done
awk -v dyn="$(time_of dyn 308000)" -v fixed="$(time_of fixed 308000)" 'BEGIN { exit !(dyn < fixed + 40) }' ||
    fail "308000 B: leaders that announce themselves cost more than 40 us"

# Twice what the bytes take on a link, for scattering and for the exchange; sends that share links take twice that.
run ../bench/paper/competition 0 1 p-ringaas,cp-ringaas 1048576 >"$dir/times"
cat "$dir/times"
for algorithm in p-ringaas cp-ringaas; do
    awk -v time="$(time_of $algorithm 1048576)" 'BEGIN { exit !(time > 0 && time < 2.5 * 1048576 / 1500) }' ||
        fail "1 MiB: $algorithm takes more than 2.5 times what the bytes take on a link"
done
