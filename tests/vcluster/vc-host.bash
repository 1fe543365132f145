#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Makes its namespaces one host of the cluster; stays as the host's first process.
#
#   vc-host.bash NAME
#
# Started by vc-world.bash, which learns from the pipe /run/vc/started how it went: the line is
# "NAME NUMBER", the number of this process outside the host, or "NAME failed".
set -eu

# Own /tmp, in which the directories of VC_SHARE appear as a file server's would.
private_tmp() {
    local list dir n=0
    IFS=: read -r -a list <<<"$VC_SHARE:$PWD:${HOME:-}:$VC_BIN:$VC_LIB"
    local shared=()
    for dir in "${list[@]}"; do
        dir=$(cd "$dir" 2>/dev/null && pwd -P) || continue
        case $dir in
        /tmp/?*) shared+=("$dir") ;;
        esac
    done
    for dir in "${shared[@]}"; do
        mkdir -p "/run/vc/self/shared/$n"
        mount --bind "$dir" "/run/vc/self/shared/$n"
        n=$((n + 1))
    done
    mount -t tmpfs -o mode=1777 tmpfs /tmp
    n=0
    for dir in "${shared[@]}"; do
        mkdir -p "$dir"
        mount --bind "/run/vc/self/shared/$n" "$dir"
        n=$((n + 1))
    done
}

# Reno without memory of earlier connections: a model-based control (bbr) paces short messages by
# its estimate of the link, and a restart after idle time would make them slow. Nothing is lost
# here, so that a late answer is no reason to probe for a loss.
tune_tcp() {
    local net=/proc/sys/net
    for switch in "$net"/ipv6/conf/*/disable_ipv6; do
        [ ! -e "$switch" ] || echo 1 >"$switch"
    done
    echo reno >$net/ipv4/tcp_congestion_control
    echo 0 >$net/ipv4/tcp_slow_start_after_idle
    echo 1 >$net/ipv4/tcp_no_metrics_save
    echo 0 >$net/ipv4/tcp_early_retrans
}

trap 'echo "$1 failed" >/run/vc/started' EXIT
read -r pid _ </proc/self/stat # the number outside, while /proc is still that of the outside
hostname "$1"
mount --bind "/run/vc/hosts/$1" /run/vc/self
mount -t proc proc /proc
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
tune_tcp
private_tmp
trap - EXIT
echo "$1 $pid" >/run/vc/started
exec >/dev/null </dev/null
sleep infinity &
while :; do
    wait -n || true # bash reaps what its host's processes leave
done
