#!/bin/sh
# A guide to what communication in MPI costs here, from one command.
# usage: guide.sh [--on CLUSTER.conf] [-o NAME] [BUILD_FOLDER]
#
# Times the eight operations of the guide among 2, 4 and 8 ranks and writes NAME.html, NAME.md and NAME.json (guide).
# With a build folder its tools are taken, else those that are installed; with --on they run on a virtual cluster of
# that configuration. Environment: MPIRUN, RANKS (2,4,8), BUDGET of a size (50ms), MAX_SIZE (1MiB), LAUNCHES (1).
# Each launch draws anew where ranks and their memory come to lie; of several the guide tells what that changes, and their
# results are NAME-1.json, NAME-2.json and so on.
set -eu

usage() {
    echo "usage: guide.sh [--on CLUSTER.conf] [-o NAME] [BUILD_FOLDER]" >&2
    exit 2
}

cluster= name=guide tools=
while [ $# -gt 0 ]; do
    case $1 in
    --on) [ $# -gt 1 ] || usage; cluster=$2; shift 2 ;;
    -o) [ $# -gt 1 ] || usage; name=$2; shift 2 ;;
    -*) usage ;;
    *) tools=$1/tools/ build=$1; shift ;;
    esac
done
mpirun=${MPIRUN:-mpirun}
ranks=${RANKS:-2,4,8}

# ranks may share processors, and root may be the only user of a container
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

on_cluster() { # a command on the first host of the cluster; here if there is none
    if [ -n "$cluster" ]; then
        "${build:?--on needs the build folder}/tests/vcluster/vcluster" run "$cluster" -- "$@"
    else
        "$@"
    fi
}

launches=${LAUNCHES:-1}
case $launches in
'' | 0* | *[!0-9]*) echo "guide.sh: LAUNCHES is '$launches', must be 1 or more" >&2; exit 2 ;;
esac
case ,$ranks, in
*[!0-9,]* | *,,* | *,0*) echo "guide.sh: RANKS is '$ranks', must be numbers of ranks with commas, such as 2,4,8" >&2; exit 2 ;;
esac

# what cannot be written is told before minutes are spent on it
for file in "$name.html" "$name.md" "$name.json"; do
    if [ -d "$file" ]; then
        echo "guide.sh: $file: cannot create: it is a folder" >&2
        exit 1
    fi
done
if ! reason=$({ : >"$name.try.$$"; } 2>&1); then
    echo "guide.sh: $name.html: cannot create: ${reason##*: }" >&2
    exit 1
fi
rm -f "$name.try.$$"

most=$(echo "$ranks" | tr ',' '\n' | sort -n | tail -1)
measure() { # measure SEED RESULTS
    # shellcheck disable=SC2086 # MPIRUN may hold options
    on_cluster $mpirun -n "$most" "${tools}benchmark_collective" -n "$ranks" -M "${MAX_SIZE:-1MiB}" \
        --budget "${BUDGET:-50ms}" --check --seed "$1" -f json -o "$2" \
        pingpong sendreceive broadcast scatter gather alltoall reduce barrier
}

set --
if [ "$launches" = 1 ]; then
    measure 1 "$name.json"
    set -- "$name.json"
else
    for launch in $(seq "$launches"); do
        measure "$launch" "$name-$launch.json"
        set -- "$@" "$name-$launch.json"
    done
fi
"${tools}benchmark_report" "$@" -o "$name.html"
"${tools}benchmark_report" "$@" -o "$name.md"
echo "$name.html $name.md $*"
