#!/bin/sh
# A root whose message MPI takes without its receiver does not wait for nodes that come later, whatever is the limit of MPI:
# 64 KiB, 20000 bytes, which is less than a segment, or 5000, less than a page and a list of ranks.
set -eu
. "${srcdir:-.}/support/scratch.sh"

# An answer takes 80 us. What was there before a leader asked is none: where all come together the root hears of them first.
cat >"$dir/platform" <<'PLATFORM'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="cluster" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="20us" sharing_policy="SPLITDUPLEX" loopback_bw="4GBps" loopback_lat="300ns"/>
</platform>
PLATFORM
awk 'BEGIN { for (i = 0; i < 8; i++) print "n" int(i / 2) }' >"$dir/hosts"
HITOP_BCAST=dyn HITOP_LAZY=0 SMPI_SEND=mpi
export HITOP_BCAST HITOP_LAZY SMPI_SEND

expect() { # expect LIMIT BYTES:HOW...
    limit=$1
    shift
    lengths=
    : >"$dir/wanted"
    for each; do
        lengths="$lengths ${each%:*}"
        echo "${each%:*} ${each#*:}" >>"$dir/wanted"
    done
    # shellcheck disable=SC2086 # words
    SMPI_FLAGS="--cfg=smpi/async-small-thresh:$limit --cfg=smpi/send-is-detached-thresh:$limit" \
        sh "${srcdir:-.}/support/smpi-run.sh" "$dir/platform" "$dir/hosts" 8 ./smpi_push $lengths \
        >"$dir/all" || fail "limit $limit: status $?"
    cut -d ' ' -f 1,2 "$dir/all" >"$dir/got"
    awk '$3 < 40 { exit 1 }' "$dir/all" || fail "limit $limit: a root takes for an answer what was sent unasked: $(cat "$dir/all")"
    diff "$dir/wanted" "$dir/got" >&2 || fail "limit $limit: wanted is to the left"
}

expect 65536 8:leaves 4096:leaves 8192:leaves 10000:leaves 65536:leaves 65537:stays
expect 20000 8:leaves 4096:leaves 8192:stays 65536:stays
expect 5000 8:leaves 3900:leaves 4096:stays 8192:stays
