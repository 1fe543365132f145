#!/bin/sh
# generate_hierarchy on several hosts: hardware, identity and variables of SLURM of each host
# decide the groups.
set -eu
here=$(cd "${srcdir:-.}" && pwd)
. "$here/support/cluster.sh"
. "$here/support/mpi-facts.sh"
command -v lstopo-no-graphics >/dev/null || { echo "SKIP: lstopo is not installed"; exit 77; }
out=$(mktemp) err=$(mktemp)
trap 'rm -f "$out" "$err"' EXIT

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

# What each rank runs: on other hosts it gets a clean environment, see vcluster_bcast.sh. $0 are the switches
# of the hosts n1, n2, ..., as SLURM would set them.
# shellcheck disable=SC2016 # expanded by the rank
rank='export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0
    host=$(uname -n)
    test -z "$0" || export SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.node \
        SLURM_TOPOLOGY_ADDR="top.$(echo "$0" | cut -d " " -f "${host#n}").$host"
    exec ../tools/generate_hierarchy --format text "$@"'

run() { # run CONFIG RANKS ARGUMENT...
    config=$1 ranks=$2
    shift 2
    timeout -k 5 60 "$vcluster" run "$here/vcluster/$config" -- \
        "$MPIRUN" -n "$ranks" sh -c "$rank" "${leaves-}" "$@" >"$out" 2>"$err"
    sed -i 's/ on [0-9]* hosts*.*//' "$out" # only the placement
}

run mixed.conf 5
test "$(cat "$out")" = "$(printf '%s\n' 'cluster n: ranks 0-4' \
    '  hardware 8 cores: ranks 0,2' '    host n1: rank 0' '    host n3: rank 2' \
    '  hardware 16 cores: ranks 1,3' '    host n2: rank 1' '    host n4: rank 3' \
    '  host n5: rank 4')" || fail "unlike hosts: $(cat "$out")"
run mixed.conf 5 --no-hardware
test "$(cat "$out")" = "$(printf '%s\n' 'cluster n: ranks 0-4' '  host n1: rank 0' '  host n2: rank 1' \
    '  host n3: rank 2' '  host n4: rank 3' '  host n5: rank 4')" || fail "--no-hardware: $(cat "$out")"

# Every host has the switches of SLURM in its own environment.
leaves='leaf1 leaf2 leaf2 leaf1 leaf1'
run mixed.conf 5 --no-hardware
unset leaves
test "$(cat "$out")" = "$(printf '%s\n' 'switch2 top: ranks 0-4' '  switch leaf1: ranks 0,3-4' \
    '    host n1: rank 0' '    host n4: rank 3' '    host n5: rank 4' '  switch leaf2: ranks 1-2' \
    '    host n2: rank 1' '    host n3: rank 2')" || fail "switches of SLURM: $(cat "$out")"

# Containers of one host, and containers that are hosts.
if [ "$mpi_domains" = no ]; then
    echo "no hosts with related names here"
    exit
fi
run aliases.conf 5 --no-hardware
test "$(grep -o 'host .*' "$out")" = "$(printf '%s\n' 'host n1.alpha.org: ranks 0-2' \
    'host n2.alpha.org: rank 3' 'host n2.beta.net: rank 4')" || fail "aliases: $(cat "$out" "$err")"
grep -q "warning: 'n1' and 'n1.alpha.org' do not share memory, but have one identity" "$err" ||
    fail "aliases: $(cat "$err")"
