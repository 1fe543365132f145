#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds the hosts of a plan and their network; runs a command on the first.
#
#   vc-world.bash COMMAND [ARG...]
#
# Process 1 of the cluster's namespaces, started by vcluster, which provides VC_PLAN, VC_LIB, VC_BIN,
# VC_SHARE and, as descriptor 9, the pipe whose end is the cluster's end.
set -eu

hosts=() sites=() addresses=() slots=()
links=0
declare -A topology=()

die() {
    echo "vcluster: $1" >&2
    exit 1
}

# Ends everything once nobody holds the other end of the pipe. Process 1 itself is immune, so the
# killing goes on until it has given up, too.
watch_lifeline() {
    (
        read -r -u 9 _ || true
        while :; do
            kill -KILL -1
            sleep 0.02
        done
    ) 2>/dev/null &
    exec 9<&-
}

read_plan() {
    local word a b c d
    while read -r word a b c d; do
        case $word in
        host) hosts+=("$a") sites+=("$b") addresses+=("$c") slots+=("$d") ;;
        link) links=$((links + 1)) ;;
        topology) topology[$a]="$c${d:+ $d}" ;;
        esac
    done <<<"$VC_PLAN"
}

# Everything the cluster writes is below /run/vc, in memory; files of the machine stay as they are.
make_files() {
    local n total=0
    mount -t tmpfs -o mode=755 tmpfs /run
    mkdir -p /run/vc/self /run/vc/bin
    echo "$VC_PLAN" >/run/vc/plan
    echo "127.0.0.1 localhost" >/run/vc/etc-hosts
    for n in "${!hosts[@]}"; do
        mkdir -p "/run/vc/hosts/${hosts[n]}"
        echo "${addresses[n]} ${hosts[n]}" >>/run/vc/etc-hosts
        echo "${hosts[n]} slots=${slots[n]}" >>/run/vc/hostfile
        echo "${hosts[n]}:${slots[n]}" >>/run/vc/hostfile.mpich
        total=$((total + slots[n]))
    done
    VC_NP=$total
    VC_HOSTS=$(IFS=,; echo "${hosts[*]}")
    if [ -e /etc/hosts ]; then
        mount --bind /run/vc/etc-hosts /etc/hosts
    else # a minimal system: nothing to mount it on but a copy of the whole folder
        mkdir /run/vc/etc
        cp -a /etc/. /run/vc/etc 2>/dev/null || true # what may not be read is not needed
        mv /run/vc/etc-hosts /run/vc/etc/hosts
        mount --bind /run/vc/etc /etc
    fi
    if [ -e /etc/resolv.conf ]; then # no name is looked up anywhere else
        : >/run/vc/resolv.conf
        mount --bind /run/vc/resolv.conf /etc/resolv.conf
    fi
}

# A host without a description shows the machine as it is: one variable must fit all ranks.
make_topologies() {
    local host
    xml=
    [ ${#topology[@]} -gt 0 ] || return 0
    if ! command -v lstopo-no-graphics >/dev/null; then
        echo "vcluster: topology is ignored: lstopo-no-graphics is not installed" >&2
        return 0
    fi
    xml=/run/vc/self/topology.xml
    for host in "${hosts[@]}"; do
        env -u HWLOC_SYNTHETIC -u HWLOC_XMLFILE lstopo-no-graphics \
            ${topology[$host]:+-i "${topology[$host]}"} --of xml \
            -f "/run/vc/hosts/$host/topology.xml" 2>/dev/null ||
            die "topology of $host: hwloc refuses '${topology[$host]-}'"
    done
}

start_hosts() {
    local host pid
    mkfifo /run/vc/started
    exec 6<>/run/vc/started
    for host in "${hosts[@]}"; do
        unshare --net --uts --ipc --mount --pid --fork bash "$VC_LIB/vc-host.bash" "$host" 6>&- &
    done
    for host in "${hosts[@]}"; do # they answer in any order
        read -r -t 60 -u 6 host pid || die "a host does not start within 60 s"
        [ "$pid" != failed ] || die "host $host does not start"
        echo "$pid" >"/run/vc/hosts/$host/pid"
    done
    exec 6<&-
}

card_address() { # MAC of host number N, which is what the delay line goes by
    printf '02:56:43:00:%02x:%02x' $(($1 / 256)) $(($1 % 256))
}

# Segments under way on one connection: twice what the longest link holds, where an unlimited one
# counts as 10 Gbit/s, and something for late acknowledgements.
window() {
    awk '$1 == "link" { held = 2e-9 * $4 * ($5 > 0 ? $5 : 1.25e9); if (held > most) most = held }
         END { n = int(2 * most / 1448) + 64; print n < 4000 ? n : 4000 }' /run/vc/plan
}

# Commands for ip(8) within host number N. Neighbours are given, so that no first message waits for
# ARP. TCP starts with its whole window, so that times are those of the link and not of slow start.
host_commands() {
    local n
    echo "link set lo up"
    [ "$links" -eq 0 ] || echo "link set eth0 gso_max_size 16384"
    echo "link set eth0 up"
    echo "addr add ${addresses[$1]}/16 brd + dev eth0"
    echo "route change 10.77.0.0/16 dev eth0 proto kernel scope link src ${addresses[$1]}" \
        "initcwnd $window"
    for n in "${!hosts[@]}"; do
        [ "$n" -eq "$1" ] ||
            echo "neigh add ${addresses[n]} lladdr $(card_address "$n") dev eth0 nud permanent"
    done
}

# Each host's card is one end of a pair; the other end, v<n>, is a port of the switch: the delay
# line if anything is injected, else the kernel's bridge.
make_network() {
    local n pid window
    window=$(window)
    hostname vcluster
    ip link set lo up
    for switch in /proc/sys/net/ipv6/conf/*/disable_ipv6; do
        [ ! -e "$switch" ] || echo 1 >"$switch"
    done
    if [ "$links" -eq 0 ]; then
        ip link add br0 type bridge || die "the kernel has no bridge"
        ip link set br0 up
    fi
    for n in "${!hosts[@]}"; do
        pid=$(<"/run/vc/hosts/${hosts[n]}/pid")
        ip link add "v$n" type veth peer name eth0 address "$(card_address "$n")" netns "$pid"
        host_commands "$n" | nsenter -t "$pid" --net ip -batch -
        [ "$links" -gt 0 ] || ip link set "v$n" master br0
        ip link set "v$n" up
    done
}

# start_server VARIABLE COMMAND...: starts it, waits for its "ready", leaves its number in VARIABLE.
start_server() {
    local name=$1 word=
    shift
    mkfifo "/run/vc/ready.$name" # one for each: an end that another closes late must not count
    "$@" >"/run/vc/ready.$name" </dev/null &
    printf -v "$name" %d $!
    read -r word <"/run/vc/ready.$name" || true
    [ "$word" = ready ] || die "the $name does not start"
}

# All share one session (see nosetsid.c), the delay line too: ranks that yield while they wait are
# then behind it, whereas in a scheduling group of its own it was seen to starve for seconds.
start_servers() {
    delayline=
    if [ "$links" -gt 0 ]; then
        # shellcheck disable=SC2086 # options are a list
        start_server delayline "$VC_BIN/delayline" ${VC_DELAYLINE_OPTIONS:-} /run/vc/plan
    fi
    cp "$VC_BIN/vc-rsh" "$VC_BIN/vc-rshd" "$VC_BIN/owngroup" /run/vc/bin
    start_server rshd env -i HOME="${HOME:-/}" USER="${USER:-root}" LOGNAME="${USER:-root}" \
        SHELL=/bin/sh PATH="$PATH" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
        "$VC_BIN/nosetsid" /run/vc/bin/vc-rshd
}

# Launchers of MPICH, with what its ranks alone shall get: the shim and the topology.
wrap_mpich() {
    local name real
    for name in mpirun.mpich mpiexec.mpich mpiexec.hydra; do
        real=$(command -v "$name") || continue
        {
            echo '#!/bin/sh'
            echo 'preload=${VC_MPICH_SHIM:+$VC_MPICH_SHIM${LD_PRELOAD:+:}}${LD_PRELOAD-}'
            echo "exec $real \${preload:+-genv LD_PRELOAD \"\$preload\"}" \
                "${xml:+-genv HWLOC_XMLFILE $xml} \"\$@\""
        } >"/run/vc/bin/$name"
        chmod 755 "/run/vc/bin/$name"
    done
    [ ! -e "$VC_BIN/mpich_shim.so" ] || export VC_MPICH_SHIM=$VC_BIN/mpich_shim.so
}

# Settings by environment, which the command line of mpirun may override. Only TCP is allowed
# between hosts: hardware of the machine would bypass the cluster.
mpi_environment() {
    export VC_NP VC_HOSTS VC_HOSTFILE=/run/vc/hostfile VC_HOSTFILE_MPICH=/run/vc/hostfile.mpich
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_plm_rsh_agent=/run/vc/bin/vc-rsh OMPI_MCA_orte_keep_fqdn_hostnames=1
    export OMPI_MCA_orte_default_hostfile=$VC_HOSTFILE
    export OMPI_MCA_rmaps_base_mapping_policy=slot OMPI_MCA_rmaps_base_oversubscribe=1
    export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
    export OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader,tcp
    # the same for Open MPI 5, whose launcher is PRRTE
    export PRTE_MCA_plm_ssh_agent=/run/vc/bin/vc-rsh PRTE_MCA_prte_keep_fqdn_hostnames=1
    export PRTE_MCA_prte_default_hostfile=$VC_HOSTFILE
    export PRTE_MCA_rmaps_default_mapping_policy=slot:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
    [ -z "$xml" ] || export OMPI_MCA_mca_base_env_list="HWLOC_XMLFILE=$xml"
    export HYDRA_LAUNCHER=ssh HYDRA_LAUNCHER_EXEC=/run/vc/bin/vc-rsh
    export HYDRA_HOST_FILE=$VC_HOSTFILE_MPICH HYDRA_IFACE=eth0 UCX_TLS=self,sm,tcp
    PATH=/run/vc/bin:$PATH
    unset TMPDIR VC_PLAN VC_SHARE
}

# A command at a terminal stays in the terminal's process group. Any other gets its own: a launcher
# that cleans up with kill(0) would else hit the callers, whose group has no number in here.
run_command() {
    local pid status=0 group=/run/vc/bin/owngroup
    pid=$(<"/run/vc/hosts/${hosts[0]}/pid")
    [ ! -t 0 ] || group=
    "$VC_BIN/nosetsid" nsenter -t "$pid" --net --uts --ipc --mount --pid --wd="$PWD" -- \
        $group "$@" || status=$?
    if [ -n "$delayline" ]; then # it tells what it lost
        kill -TERM "$delayline"
        wait "$delayline" || true
    fi
    exit "$status"
}

watch_lifeline
read_plan
case $1 in
*/*) VC_SHARE+=:$(dirname "$1") ;;
esac
make_files
make_topologies
start_hosts
make_network
start_servers
wrap_mpich
mpi_environment
run_command "$@"
