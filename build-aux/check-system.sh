#!/usr/bin/env bash
# Check these sources in a minimal system of another Debian release: ./quickstart, then ./quickstart check.
# usage: build-aux/check-system.sh [OPTION...] SUITE [-- COMMAND...]   SUITE: bookworm trixie
#
#   --folder DIR   make the system in DIR and keep it; a system that is there is used again (default: a new folder below
#                  $TMPDIR, which is removed in the end)
#   --mirror URL   the mirror of Debian (default: the one that apt of this system uses)
#   --changes      copy the working tree, with changes and new files, over the sources of the last run; builds go on
#                  (default: HEAD, from nothing)
#   --quick        ./quickstart, then the tests with Open MPI only
#   COMMAND        is run in the sources instead of ./quickstart and ./quickstart check
#
# Prints versions, times and the result of each command. HITOP_JOBS is passed on. Needs root, debootstrap and the mirror;
# without one of them the status is 77. 0: all went well, 1: something failed, 2: usage.
set -euo pipefail
top=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
folder='' mirror='' changes=no quick=no suite='' command=()
remove='' pid='' status=0

say() { printf '%s %s\n' "$(date +%T)" "$*"; }

usage() {
    printf 'check-system.sh: %s; the first lines of the script describe its use\n' "$1" >&2
    exit 2
}

left_out() {
    printf 'check-system.sh: left out: %s\n' "$1"
    exit 77
}

read_arguments() {
    while [ $# -gt 0 ]; do
        case $1 in
        --folder | --mirror)
            [ $# -ge 2 ] && [ -n "$2" ] || usage "$1 needs a value"
            declare -g "${1#--}=$2"
            shift
            ;;
        --changes) changes=yes ;;
        --quick) quick=yes ;;
        --) command=("${@:2}") && break ;;
        bookworm | trixie) suite=$1 ;;
        *) usage "'$1': allowed: options, bookworm, trixie" ;;
        esac
        shift
    done
    [ -n "$suite" ] || usage "which release: bookworm or trixie"
    [ -z "$folder" ] || folder=$(readlink -m "$folder")
    case $folder/ in
    "$top"/*) usage "--folder $folder is inside the sources" ;;
    esac
}

# As apt knows it, from either form of its lists of sources.
find_mirror() {
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -m 1 '/debian/$' || true
}

has_suite() { # the mirror answers and has the release
    local scratch status=0
    scratch=$(mktemp -d)
    /usr/lib/apt/apt-helper download-file "${mirror%/}/dists/$suite/InRelease" "$scratch/InRelease" >/dev/null 2>&1 ||
        status=$?
    rm -rf "$scratch"
    return $status
}

needs() {
    [ "$(id -u)" = 0 ] || left_out "needs root"
    unshare --mount --pid --ipc --uts --fork true 2>/dev/null || left_out "this machine allows no namespaces"
    if [ -n "$folder" ] && [ -e "$folder/etc/debian_version" ]; then
        return
    fi
    command -v debootstrap >/dev/null || left_out "needs debootstrap"
    [ -n "$mirror" ] || mirror=$(find_mirror)
    [ -n "$mirror" ] || left_out "apt uses no mirror of Debian here; --mirror names one"
    has_suite || left_out "$mirror cannot be reached or has no $suite"
}

make_system() {
    if [ -z "$folder" ]; then
        folder=$(mktemp -d "${TMPDIR:-/tmp}/hitop-$suite-XXXXXX")
        remove=$folder
    fi
    if [ ! -e "$folder/etc/debian_version" ]; then
        mkdir -p "$folder"
        say "debootstrap $suite in $folder"
        debootstrap --variant=minbase "$suite" "$folder" "$mirror" >"$folder/debootstrap.log" 2>&1 || {
            tail -n 20 "$folder/debootstrap.log"
            rm -f "$folder/etc/debian_version" # begin again next time
            exit 1
        }
    fi
    grep -q "^VERSION_CODENAME=$suite$" "$folder/etc/os-release" || usage "--folder $folder has another system than $suite"
    cp -L /etc/resolv.conf "$folder/etc/resolv.conf"
    echo force-unsafe-io >"$folder/etc/dpkg/dpkg.cfg.d/hitop" # it need not survive a crash
    printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$suite" >"$folder/etc/hosts"
}

copy_sources() {
    local sources=$folder/root/hitop
    if [ $changes = yes ]; then
        mkdir -p "$sources"
        (cd "$top" && git ls-files -z -co --exclude-standard | tar -c --null --ignore-failed-read -T - 2>/dev/null) |
            tar -x --no-same-owner -C "$sources"
    else
        rm -rf "$sources"
        mkdir -p "$sources"
        git -C "$top" archive HEAD | tar -x --no-same-owner -C "$sources"
    fi
}

# Process 1 of the namespaces, whose mounts and processes end with it. Not just in a chroot, where the kernel allows no
# namespaces of users, which the virtual cluster takes.
enter() { # enter FOLDER NAME COMMAND...
    local folder=$1 name=$2
    shift 2
    mount --bind "$folder" "$folder"
    cd "$folder"
    mount -t proc proc proc
    mount --rbind /sys sys
    mount --rbind /dev dev
    mount -t tmpfs tmpfs dev/shm
    hostname "$name"
    pivot_root . mnt
    umount -l /mnt
    cd /root/hitop
    "$@"
}

# In the background, so that a signal to this script ends the namespaces at once; if the script is killed, they end, too.
inside() { # inside COMMAND...
    setpriv --pdeathsig KILL unshare --mount --pid --ipc --uts --fork --kill-child \
        bash -c "set -e; $(declare -f enter); enter \"\$@\"" enter "$folder" "$suite" \
        env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        TERM="${TERM:-dumb}" ${HITOP_JOBS:+HITOP_JOBS="$HITOP_JOBS"} ${http_proxy:+http_proxy="$http_proxy"} "$@" <&0 &
    pid=$!
    wait $pid || return
}

# One that fails does not keep the next from its turn.
timed() { # timed COMMAND...
    local begin=$SECONDS result=0
    say "$*"
    inside "$@" || result=$?
    say "  status $result after $((SECONDS - begin)) s: $*"
    [ $result -eq 0 ] || status=1
}

print_versions() {
    local package version
    printf 'Debian %s' "$(cat "$folder/etc/debian_version")"
    for package in gcc openmpi-bin mpich libhwloc-dev libsimgrid-dev libc6; do
        version=$(dpkg-query --admindir="$folder/var/lib/dpkg" -W -f '${Version}' "$package" 2>/dev/null) || true
        [ -z "$version" ] || printf ', %s %s' "$package" "$version"
    done
    echo
}

clean() {
    trap '' HUP INT TERM
    [ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true # unshare ignores other signals
    [ -z "$pid" ] || wait "$pid" 2>/dev/null || true
    [ -z "$remove" ] || rm -rf --one-file-system "$remove"
}

main() {
    read_arguments "$@"
    needs
    trap clean EXIT
    trap 'exit 130' HUP INT TERM
    make_system
    copy_sources
    if [ ${#command[@]} -gt 0 ]; then
        timed "${command[@]}"
    else
        timed ./quickstart
        if [ $quick = yes ]; then
            timed ./quickstart check openmpi
        else
            timed ./quickstart check
        fi
    fi
    print_versions
    exit $status
}

main "$@"
