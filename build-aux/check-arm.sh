#!/usr/bin/env bash
# Build these sources for 64-bit ARM with a cross compiler, and run their tests under qemu's emulation of programs.
# usage: build-aux/check-arm.sh [OPTION...] [TEST...]
#
#   --folder DIR   make libraries and build trees in DIR and keep them; those that are there are used again (default: a new
#                  folder below $TMPDIR, which is removed in the end)
#   TEST           as in make check TESTS=...; default: all unit tests and, with Open MPI of the same release on this
#                  machine, tests of the collectives: its launcher starts qemu for each rank
#
# Debian's libraries for arm64 are unpacked in the folder; nothing is installed. The sources are those of the working tree.
# Qemu keeps the memory order of the machine that it runs on: this finds what does not compile, and wrong sizes, signs and
# instructions, but on x86-64 it finds no missing barrier. HITOP_JOBS sets the number of parallel jobs.
#
# Needs qemu-user, gcc-aarch64-linux-gnu and the mirror of Debian that apt of this system uses; without one of them the
# status is 77. 0: all went well, 1: something failed, 2: usage. The last line is "N passed, N failed".
set -euo pipefail
top=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
jobs=${HITOP_JOBS:-$(nproc)}
unset "${!HITOP_@}" # they are not for the tests
folder='' remove='' qemu='' tests=()
packages=(libc6-dev libgsl-dev libjansson-dev libcsv-dev libyaml-dev zlib1g-dev libexpat1-dev libhwloc-dev check
    libopenmpi-dev)
host=aarch64-linux-gnu
# Those that start all programs by the launcher. Not mpi_comms.sh, which watches the memory of processes: qemu's own grows
# with each mapping.
mpi_tests=(mpi/mpi_stress.sh coll/runtime/mpi_exec.sh coll/intercept/mpi_intercept.sh)

say() { printf '%s %s\n' "$(date +%T)" "$*"; }

usage() {
    printf 'check-arm.sh: %s; the first lines of the script describe its use\n' "$1" >&2
    exit 2
}

left_out() {
    printf 'check-arm.sh: left out: %s\n' "$1"
    exit 77
}

read_arguments() {
    while [ $# -gt 0 ]; do
        case $1 in
        --folder)
            [ $# -ge 2 ] && [ -n "$2" ] || usage "$1 needs a value"
            folder=$(readlink -m "$2")
            shift
            ;;
        -*) usage "'$1': allowed: --folder DIR, tests" ;;
        *) tests+=("$1") ;;
        esac
        shift
    done
    case $folder/ in
    "$top"/*) usage "--folder $folder is inside the sources" ;;
    esac
}

needs() {
    qemu=$(command -v qemu-aarch64 || command -v qemu-aarch64-static) ||
        left_out "needs qemu-aarch64 of the package qemu-user"
    command -v $host-gcc >/dev/null || left_out "needs $host-gcc of the package gcc-$host"
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || left_out "needs apt and dpkg"
}

# Runs apt with lists and packages of its own, for another architecture: the system's own state is untouched.
foreign_apt() {
    APT_CONFIG=$folder/apt/apt.conf apt-get -y -qq "$@" >>"$folder/apt/log" 2>&1
}

download() {
    mkdir -p "$folder/apt/state/lists/partial" "$folder/apt/cache/archives/partial"
    : >"$folder/apt/status"
    cat >"$folder/apt/apt.conf" <<CONF
APT::Architecture "arm64";
APT::Architectures "arm64";
APT::Install-Recommends "false";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "2";
Dir::State "$folder/apt/state";
Dir::State::status "$folder/apt/status";
Dir::Cache "$folder/apt/cache";
CONF
    say "download packages for arm64"
    foreign_apt update || true # a source without arm64 does not matter
    foreign_apt --download-only install "${packages[@]}" || {
        tail -n 5 "$folder/apt/log"
        left_out "the mirrors that apt uses here have no packages for arm64, or cannot be reached"
    }
}

# The order of packages does not matter: no script of theirs runs.
make_root() {
    local directory package
    rm -rf "$folder/new"
    for directory in bin lib sbin; do
        mkdir -p "$folder/new/usr/$directory"
        ln -s "usr/$directory" "$folder/new/$directory"
    done
    for package in "$folder"/apt/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x --no-same-owner --keep-directory-symlink -C "$folder/new"
    done
    mv "$folder/new" "$folder/root"
}

# What replaces MPI's compiler wrapper and its launcher, and a program before each test.
make_helpers() {
    local openmpi=$folder/root/usr/lib/$host/openmpi
    cat >"$folder/mpicc" <<WRAPPER
#!/bin/sh
echo "$host-gcc -I$openmpi/include -I$openmpi/include/openmpi -L$openmpi/lib -lmpi -pthread"
WRAPPER
    cat >"$folder/emulate" <<EMULATE
#!/bin/bash
# Run a program of arm64, or a script by its shell. usage: emulate [env VARIABLE=VALUE...] COMMAND...
options=()
[ "\$1" != env ] || shift
while [[ \$1 == *=* ]]; do
    case \$1 in
    LD_PRELOAD=*) options=(-E "\$1") ;; # not for qemu itself
    *) export "\${1?}" ;;
    esac
    shift
done
case \$1 in
*.sh) exec sh "\$@" ;;
esac
exec timeout -k 5 600 $qemu -L $folder/root "\${options[@]}" "\$@"
EMULATE
    # The launcher's own shared memory has locks whose size depends on the processor.
    cat >"$folder/mpirun" <<LAUNCH
#!/bin/sh
export PMIX_MCA_gds=hash
[ "\${1-}" = -n ] || exec mpirun.openmpi "\$@"
np=\$2
shift 2
exec mpirun.openmpi -n "\$np" $folder/emulate "\$@"
LAUNCH
    chmod +x "$folder/mpicc" "$folder/emulate" "$folder/mpirun"
}

build() {
    [ -e "$top/configure" ] || (cd "$top" && ./autogen.sh) || return
    mkdir -p "$folder/build"
    cd "$folder/build"
    if [ ! -e config.status ]; then
        PKG_CONFIG_LIBDIR=$folder/root/usr/lib/$host/pkgconfig PKG_CONFIG_SYSROOT_DIR=$folder/root CONFIG_SHELL=/bin/sh \
            /bin/sh "$top/configure" --quiet --enable-werror --host=$host CC="$host-gcc --sysroot=$folder/root" \
            MPICC="$folder/mpicc" MPIRUN="$folder/mpirun" MPIFORT=no MPICH_CC=no || return
    fi
    make -s -j"$jobs" && make -s -j"$jobs" -C tests check SUBDIRS=. TESTS=
}

# The launcher and the libraries of the ranks must be of one release.
has_launcher() {
    local theirs
    theirs=$(sed -n 's/^Version: //p' "$folder/root/usr/lib/$host/pkgconfig/ompi.pc")
    mpirun.openmpi --version 2>/dev/null | grep -qF " $theirs" && return
    say "left out: tests over MPI, which need openmpi-bin $theirs on this machine"
    return 1
}

choose_tests() {
    # shellcheck disable=SC2016 # for make
    read -ra tests < <(make -s -C "$folder/build/tests" --eval 'list: ; @echo $(UNIT_TESTS) fuzz_replay thread_node' list)
    ! has_launcher || tests+=("${mpi_tests[@]}")
}

# Programs run side by side, scripts that start several ranks one after another.
run_tests() {
    local programs=() scripts=() name
    [ ${#tests[@]} -gt 0 ] || choose_tests
    for name in "${tests[@]}"; do
        case $name in
        *.sh) scripts+=("$name") ;;
        *) programs+=("$name") ;;
        esac
    done
    : >"$folder/check.log"
    [ ${#programs[@]} -eq 0 ] || check "$jobs" "${programs[@]}"
    [ ${#scripts[@]} -eq 0 ] || check 1 "${scripts[@]}"
    for name in $(sed -n 's/^\(FAIL\|ERROR\|XPASS\): //p' "$folder/check.log"); do
        say "the log of $name ends with"
        tail -n 20 "$folder/build/tests/$name.log" || true
    done
}

check() { # check JOBS TEST...
    CK_TIMEOUT_MULTIPLIER=8 MPI_WALL=300 make -k -j"$1" -C "$folder/build/tests" check SUBDIRS=. \
        LOG_COMPILER="$folder/emulate" TESTS="${*:2}" 2>&1 | tee -a "$folder/check.log" |
        grep --line-buffered -E '^(PASS|FAIL|SKIP|ERROR|XPASS|XFAIL): |failed to create .*\.log$' || true
}

clean() {
    trap '' HUP INT TERM
    [ -z "$remove" ] || rm -rf "$remove"
}

main() {
    local passed failed
    read_arguments "$@"
    needs
    trap clean EXIT
    trap 'exit 130' HUP INT TERM
    if [ -z "$folder" ]; then
        folder=$(mktemp -d "${TMPDIR:-/tmp}/hitop-arm64-XXXXXX")
        remove=$folder
    fi
    if [ ! -e "$folder/root" ]; then
        download
        make_root
    fi
    make_helpers
    say "build"
    build >"$folder/build.log" 2>&1 || {
        tail -n 30 "$folder/build.log"
        echo "0 passed, 1 failed"
        exit 1
    }
    say "test"
    run_tests
    "$qemu" --version | head -n 1
    $host-gcc --version | head -n 1
    passed=$(grep -c '^PASS: ' "$folder/check.log") || true
    failed=$(grep -cE '^(FAIL|ERROR|XPASS): ' "$folder/check.log") || true
    failed=$((failed + $(grep -c 'failed to create .*\.log$' "$folder/check.log" || true))) # tests that do not exist
    echo "$passed passed, $failed failed"
    [ "$passed" -gt 0 ] && [ "$failed" -eq 0 ]
}

main "$@"
