#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How far apart are the medians of launches, on a machine where another program uses a processor?
# usage: launches.sh BUILD_FOLDER
#
# Launches benchmark_collective beside a load on one processor, until for each operation as many launches as are wanted found
# processors equally far apart, by the times of cache lines alone; medians are looked at afterwards. With POOL, each of the medians
# is that of a guide which benchmark_report makes of so many launches, all of one state. Prints, for each operation and size, these
# medians, how far apart they are, and how many of their intervals hold the middle one.
# Each size is measured for all of its budget, since it is what the machine does over seconds that a launch should know.
#
# Environment: MPIRUN, WANTED medians of one state (3), POOL launches behind each (1), MOST launches (12), LOAD in % of a processor
# (20), BUSY processor (the last one), RANKS (2), SIZES, BUDGET of a size (1s), OPERATIONS, KEEP a folder for the results of all
# launches, which may hold some.
set -eu
build=${1:?usage: launches.sh BUILD_FOLDER}
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$build" && pwd)
dir=${KEEP:-$(mktemp -d)}
wanted=${WANTED:-3} pool=${POOL:-1}
load=''
. "$here/launch.sh"
trap 'end_launch; test -z "$load" || kill "$load" 2>/dev/null; test -n "${KEEP:-}" || rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
mkdir -p "$dir"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# so much of every 10 ms
last=$(($(nproc) - 1))
taskset -c "${BUSY:-$last}" python3 -c 'import sys, time
busy = float(sys.argv[1]) / 100 * 0.01
while True:
    end = time.perf_counter() + busy
    while time.perf_counter() < end:
        pass
    time.sleep(0.01 - busy)' "${LOAD:-20}" &
load=$!

look() { # look [VARIABLE=VALUE]... FILE.csv...
    awk -F, -f "$here/launches.awk" "$@"
}

guides() { # guides FILE.csv...: of so many launches each, beside which are their results as JSON
    rm -rf guides
    mkdir guides
    for guide in $(seq "$wanted"); do
        results=''
        for _ in $(seq "$pool"); do
            results="$results ${1%.csv}.json"
            shift
        done
        # shellcheck disable=SC2086 # names without blanks but for the folder's, which is the current one
        "$build/tools/benchmark_report" $results -o "guides/$guide.csv"
    done
}

cd "$dir"
together='' launch=0
while [ -z "$together" ] && [ $launch -lt "${MOST:-12}" ]; do
    launch=$((launch + 1))
    file=$(printf '%02d' $launch)
    # shellcheck disable=SC2086 # lists
    test -f "$file.json" ||
        run_launch timeout 600 ${MPIRUN:-mpirun} --bind-to core -n "${RANKS:-2}" "$build/tools/benchmark_collective" -q -f json -n "${RANKS:-2}" \
            --seed $launch --sizes "${SIZES:-8,1KiB,16KiB,256KiB}" -e 1e-4 -R 1000000 --budget "${BUDGET:-1s}" -o "$file.json" \
            ${OPERATIONS:-pingpong sendreceive broadcast scatter gather alltoall reduce barrier}
    "$build/tools/benchmark_report" "$file.json" -o "$file.csv"
    together=$(look wanted=$((wanted * pool)) list=$pool ./*.csv)
done
echo "$launch launches beside a load of ${LOAD:-20} % of one processor"
set -- ./*.csv
if [ "$pool" -gt 1 ] && [ "$together" ]; then
    # shellcheck disable=SC2086 # names without blanks
    guides $together
    echo "medians of guides of $pool launches each:"
    set -- guides/*.csv
fi
look wanted="$wanted" "$@"
