#!/bin/bash
# Failures around the preloaded library: wrong or different environments, bad model files, no shared
# memory, no memory, a killed rank. The program is right and the reason is reported, or it ends; it never hangs.
set -u
here=$(cd "${srcdir:-.}" && pwd)
preload=$PWD/../coll/.libs/libhitop_coll.so
scratch=$PWD/mpi_faults.dir
failures=0
export MPI_WALL=30
mkdir -p "$scratch"
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "FAIL: $*" >&2
    sed 's/^/    /' "$scratch/out" "$scratch/err" >&2
    failures=$((failures + 1))
}

# run RANKS COMMAND...; leaves status, out, err
run() {
    status=0
    SECONDS=0
    bash "$here/support/mpi-run.sh" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
}

work=(env LD_PRELOAD="$preload" ./mpi_faults)

# As run(), with variables that the ranks below FIRST have, and others for the rest. (The ':' of mpirun would do, but crashes
# Open MPI 5.0 where it is built with a PMIx of its own, as Debian 13 has it: open-mpi/ompi issue 13303.)
# shellcheck disable=SC2016 # expanded in the ranks
run_apart() { # run_apart RANKS FIRST 'VARIABLE=VALUE...' 'VARIABLE=VALUE...' COMMAND...
    run "$1" bash -c 'mine=$2; [ "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" -lt "$1" ] || mine=$3; shift 3; exec env $mine "$@"' \
        bash "${@:2}"
}

# expect WHAT SERVED LINES [REGEX]: the program was right; SERVED is 'none' or 'some'; so many lines of the
# library, each matching REGEX
expect() {
    local lines
    lines=$(grep -c '^hitop' "$scratch/err")
    [ $status -eq 0 ] || fail "$1: exit status $status"
    case $2 in
    none) grep -qx 'right, served 0' "$scratch/out" ;;
    some) grep -qx 'right, served [1-9][0-9]*' "$scratch/out" ;;
    esac || fail "$1: not served as expected ($2)"
    [ "$lines" -eq "$3" ] || fail "$1: $lines lines instead of $3"
    [ $# -lt 4 ] || ! grep '^hitop' "$scratch/err" | grep -qvE "$4" || fail "$1: not like '$4'"
    echo "$1: $(cat "$scratch/out") $(grep '^hitop' "$scratch/err")"
}

wrong_values() {
    local pair
    for pair in HITOP_LAZY=abc HITOP_RING=2GiB; do # check_settings has all others
        run 3 env "$pair" "${work[@]}"
        expect "$pair" none 1 "^hitop: $pair: .*; collectives are left to MPI\$"
    done
    pair=HITOP_DISABLE=reduce,brodcast
    run 3 env "$pair" "${work[@]}"
    expect "$pair" none 1 "^hitop: HITOP_DISABLE: neither 0 nor 1, and no operation is called 'brodcast' [(]did you mean bcast[?][)]; valid: allgather,.*; collectives are left to MPI\$"
    for pair in HITOP_DISABLE=1 HITOP_DISABLE=reduce,bcast HITOP_DISABLE=Reduce,MPI_Bcast; do
        run 2 env "$pair" HITOP_LAZY=0 "${work[@]}"
        expect "$pair" none 0
    done
    run 2 env HITOP_DISABLE=reduce,gather HITOP_LAZY=0 "${work[@]}"
    expect "other operations disabled" some 0
    run 2 env HITOP_BCATS=dyn HITOP_HOME=/ HITOP_LAZY=0 "${work[@]}"
    expect "HITOP_BCATS" some 1 '^hitop: HITOP_BCATS is not read; HITOP_BCAST is$'
    run 2 env HITOP_VERBOSE=0 HITOP_WATCHDOG=1 HITOP_LAZY=0 "${work[@]}"
    expect "HITOP_VERBOSE=0 HITOP_WATCHDOG=1" some 0
}

# Ranks with different environments, as when a launcher passes them on to some hosts only.
different_values() {
    run_apart 2 1 "HITOP_LAZY=0" "HITOP_LAZY=9" "${work[@]}"
    expect "different HITOP_LAZY" some 0
    run_apart 2 1 "HITOP_LAZY=0 HITOP_VNODE=1" "HITOP_LAZY=0" "${work[@]}"
    expect "different HITOP_VNODE" some 0
    run_apart 2 1 "HITOP_RING=4KiB" "HITOP_RING=1MiB" "${work[@]}"
    expect "different HITOP_RING" some 0
    run_apart 2 1 "" "HITOP_DISABLE=1 HITOP_LAZY=0" "${work[@]}"
    expect "different HITOP_DISABLE" none 0
    run_apart 2 1 "" "HITOP_DISABLE=bcast HITOP_LAZY=0" "${work[@]}"
    expect "an operation disabled on one rank" none 0
    run_apart 2 1 "" "HITOP_LAZY=x" "${work[@]}"
    expect "wrong on one rank" none 1 "^hitop: HITOP_LAZY=x: "
}

# What is no regular file is left out, in one line, by each variable that names a file to read; without reading it.
special_files() {
    local variable file
    mkfifo "$scratch/fifo"
    for variable in HITOP_MODEL HITOP_RULES HITOP_THRESHOLDS; do
        for file in "$scratch/fifo" /dev/zero /dev/stdin - "$scratch"; do
            run 3 env HITOP_LAZY=0 HITOP_VNODE=2 HITOP_ALGORITHM=reduce=auto $variable="$file" "${work[@]}"
            expect "$variable=$file" some 1 "^hitop: $variable[:=] ?$file: not a regular file; going "
        done
    done
    run 2 env HITOP_LAZY=0 HITOP_STATS="$scratch/fifo" "${work[@]}"
    expect "statistics to a FIFO that has no reader" some 1 "^hitop: HITOP_STATS=$scratch/fifo: No such device or address\$"
}

bad_models() {
    local model
    : >"$scratch/empty.json"
    echo '{"format":"hitop-model",' >"$scratch/broken.json"
    for model in "$scratch/missing.json" "$scratch/empty.json" "$scratch/broken.json" "$scratch" \
        "$here/../testdata/models/four-levels.json"; do
        run 3 env HITOP_LAZY=0 HITOP_VNODE=1 HITOP_MODEL="$model" "${work[@]}"
        expect "${model##*/}" some 1 "^hitop: HITOP_MODEL=$model:.*; going by host names\$"
    done
}

# Names of files are meant from where the program was started, wherever it goes then.
other_folder() {
    echo '{"format":"hitop-model",' >"$scratch/broken.json"
    run 3 env HITOP_LAZY=0 HITOP_VNODE=1 HITOP_MODEL="${scratch##*/}/broken.json" "${work[@]}" elsewhere
    expect "model from another folder" some 1 "^hitop: HITOP_MODEL=$scratch/broken.json:2:0: .*end of file"
    run 3 env HITOP_LAZY=0 HITOP_STATS="${scratch##*/}/stats.json" "${work[@]}" elsewhere
    expect "statistics from another folder" some 0
    grep -q '"calls"' "$scratch/stats.json" || fail "statistics from another folder: there are none"
    run_apart 2 1 "HITOP_LAZY=0 HITOP_STATS=0" "HITOP_LAZY=0 HITOP_STATS=1" "${work[@]}"
    [ ! -e 0 ] || fail "statistics in a file called 0"
}

# As expect(), with a separate /dev/shm of this many bytes; MPI is configured to use other memory.
small_shared_memory() {
    local size=$1
    shift
    unshare -m true 2>/dev/null || { echo "no mount namespaces: /dev/shm is not filled"; return; }
    export OMPI_MCA_btl_vader_backing_directory=$scratch UCX_TLS=self,sysv,tcp
    # shellcheck disable=SC2016 # expanded in the namespace
    status=0
    unshare -m sh -c 'mount -t tmpfs -o size="$1" none /dev/shm || exit 77
        shift
        HITOP_VERBOSE=1 HITOP_LAZY=0 sh "$0" 2 "$@" || exit # MPICH itself hangs with 3 there
        ls /dev/shm | grep hitop && exit 3
        exit 0' "$here/support/mpi-run.sh" "$size" "${work[@]}" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    if [ $status -eq 77 ]; then
        echo "tmpfs cannot be mounted: /dev/shm is not filled"
    else
        expect "/dev/shm of $size" "$@"
    fi
    unset OMPI_MCA_btl_vader_backing_directory UCX_TLS
}

# The program keeps half of what is free there, and the library makes do with less.
full_shared_memory() {
    small_shared_memory 64k none 1 'left to MPI: 65536 bytes are more than half of what is free in /dev/shm$'
    small_shared_memory 4m some 1 ': ready$'
}

# Files may not be as long as the shared memory, on all ranks or on one: what is longer is a signal.
short_files() {
    # shellcheck disable=SC2016 # expanded in the ranks
    local limit='[ "$1" = all ] || [ "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" = "$1" ] && ulimit -f 16384; shift; exec "$@"'

    HITOP_VERBOSE=1 HITOP_LAZY=0 run 2 bash -c "$limit" bash all "${work[@]}"
    expect "short files" none 1 'left to MPI: [0-9]* bytes .* \(ulimit -f\)$'
    HITOP_LAZY=0 run 2 bash -c "$limit" bash 1 "${work[@]}"
    expect "short files on the second rank" some 0
}

# Processes that share /dev/shm without seeing each other in /proc, as in some containers.
unseen_processes() {
    unshare --pid --fork --mount-proc true 2>/dev/null || return 0
    # Open MPI's own shared memory crashes there
    OMPI_MCA_btl=self,tcp HITOP_LAZY=0 run 2 unshare --pid --fork --kill-child --mount-proc "${work[@]}"
    expect "processes unseen by each other" some 0
}

# The job ends by itself before the limit of time, and says so.
ends() { # ends WHAT
    [ $status -ne 0 ] || fail "$1: the job went on"
    [ $SECONDS -lt $MPI_WALL ] || fail "$1: the job hung"
    echo "$1: exit status $status $(grep '^hitop' "$scratch/err")"
}

# One line for each group that waits, of the rank that leads where they wait for another node, of each where they contradict
# each other. The barrier before is left to MPI over nodes of a machine with fewer processors than ranks.
watchdog() {
    local has='on [^ ]* has waited [123] s in operation 2, bcast with root' line
    HITOP_LAZY=0 HITOP_WATCHDOG=1 HITOP_VNODE=2 run 7 env LD_PRELOAD="$preload" ./mpi_faults watched
    ends "ranks that do not meet"
    for line in "0 of late $has 1, 4 bytes: rank 1 is not there" \
        "0 of crossed $has 1, 4 bytes: rank 1 waits in barrier" \
        "1 of crossed ${has%bcast*}barrier: rank 0 waits in bcast with root 1" \
        "[01] of far ${has%2, bcast*}[12], bcast with root 2, 4 bytes: nothing has come from the node of rank 2"; do
        [ "$(grep -cx "hitop: rank $line" "$scratch/err")" -eq 1 ] || fail "not reported once: $line"
    done
    [ "$(grep -c '^hitop' "$scratch/err")" -eq 4 ] || fail "more reports than ranks that wait"
    [ "$(grep -cxE "(far|late): right" "$scratch/out")" -eq 2 ] || fail "late ranks"
}

# Of the ranks of a node that wait inside MPI in the same call one reports it.
inside() {
    local has='on [^ ]* has waited [123] s in' line
    HITOP_LAZY=0 HITOP_WATCHDOG=1 run_apart 6 4 HITOP_VNODE=2 HITOP_VNODE=1 "${work[@]}" inside
    ends "ranks that wait inside MPI"
    for line in "0 of left $has a call left to MPI, number 1, alltoall: inside MPI" \
        "2 of left $has a call left to MPI, number 1, alltoall: inside MPI" \
        "0 of far $has operation [12], gather with root 0: inside MPI"; do
        [ "$(grep -cx "hitop: rank $line" "$scratch/err")" -eq 1 ] || fail "not reported once: $line"
    done
    [ "$(grep -c '^hitop' "$scratch/err")" -eq 3 ] || fail "more reports than ranks that wait inside MPI"
}

# A GPU runtime in the process, or what only looks like one: libraries of these names are loaded before the program.
gpu_runtimes() {
    local name left='left to MPI: a GPU runtime is loaded; HITOP_COLL=on overrides$' device
    device=$(compgen -G '/dev/dri/renderD*'; compgen -G '/dev/accel/*'; compgen -G /dev/dxg)
    for name in libze_loader.so.1 libze_intel_gpu.so.1 libcuda.so.1 libamdhip64.so.6; do
        case $name in libze*) echo 'int zeInit;' ;; *) echo 'int imitation;' ;; esac >"$scratch/gpu.c"
        cc -shared -fPIC -Wl,-soname,$name -o "$scratch/$name" "$scratch/gpu.c"
        run 2 env HITOP_VERBOSE=1 HITOP_LAZY=0 LD_PRELOAD="$preload $scratch/$name" ./mpi_faults
        case ${device:+device:}$name in
        *libze_loader.so.1 | libze_intel_gpu.so.1) expect $name some 1 ': ready$' ;;
        *) expect "$name" none 1 "$left" ;;
        esac
    done
}

no_datatype() {
    HITOP_LAZY=0 run 3 "${work[@]}" mistaken
    expect "no datatype" some 0
}

before=$(find /dev/shm -name 'hitop-*')
wrong_values
different_values
special_files
bad_models
other_folder
no_datatype
gpu_runtimes
full_shared_memory
short_files
unseen_processes
watchdog
inside
HITOP_LAZY=0 run 3 "${work[@]}" die
ends "killed rank"
for ms in 100 203 307 411; do
    HITOP_LAZY=0 run 2 "${work[@]}" doomed $ms
    ends "killed while preparing"
done
HITOP_LAZY=0 run 2 "${work[@]}" poor
if [ $status -ne 77 ]; then
    ends "no memory"
    grep -q '^hitop: out of memory' "$scratch/err" || fail "no memory: not reported"
fi
# shellcheck disable=SC2086 # words
sh "$here/support/shm-left.sh" 3 $before || failures=$((failures + 1))
[ $failures -eq 0 ]
