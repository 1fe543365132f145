#!/bin/sh
# A guide to what communication in MPI costs here, from one command.
# The guide of the eight usual operations; see help() below.
set -eu

help() {
    cat <<END
usage: guide.sh [--on CLUSTER.conf] [-o NAME] [BUILD_FOLDER]

Times the eight operations of the guide among 2, 4, 8 and 16 ranks, with messages of up to 4 MiB, and writes NAME.html and NAME.md (guide), and the results
of each launch: NAME.json of one, NAME-1.json, NAME-2.json and so on of several. On two processors this takes about 8 minutes.
With a build folder its tools are taken, else those that are installed; with --on they run on a virtual cluster of
that configuration.

Environment: MPIRUN (mpirun), RANKS (2,4,8,16), MAX_SIZE (4MiB), LAUNCHES (6, and 1 on a virtual cluster), and BUDGET, the time
for each of some 600 sizes in each of them (20ms, and 500ms on a virtual cluster, whose messages take milliseconds: with
less time there are too few repetitions for intervals).
OPTIONS are more of benchmark_collective, such as "--full-speed --line-hop 33ns" for a virtual machine, or
"--repetitions imb --root rotating --throughput 2^20" for the conventions of the Intel MPI Benchmarks of 2015.
Each launch places ranks and their memory differently; the guide has the medians of all launches, and their
differences. Six launches are the fewest whose order gives an interval of 95 %.
END
}

die() { # die STATUS REASON
    echo "guide.sh: $2" >&2
    exit "$1"
}

cluster='' name=guide build='' tools=''
while [ $# -gt 0 ]; do
    case $1 in
    --on | -o) [ "${2-}" ] || die 2 "$1 needs an argument; see guide.sh --help" ;;
    esac
    case $1 in
    --on) cluster=$2; shift 2 ;;
    -o) name=$2; shift 2 ;;
    -h | --help) help; exit ;;
    -*) die 2 "unknown option $1; see guide.sh --help" ;;
    *) [ -z "$build" ] || die 2 "one build folder is wanted, not $build and $1"
       build=$1 tools=$1/tools/; shift ;;
    esac
done
mpirun=${MPIRUN:-mpirun}
ranks=${RANKS:-2,4,8,16}
budget=${BUDGET:-$([ "$cluster" ] && echo 500ms || echo 20ms)}
launches=${LAUNCHES:-$([ "$cluster" ] && echo 1 || echo 6)}

# one line names what is missing
[ -z "$cluster" ] || [ "$build" ] || die 2 "--on needs the build folder, too, which has the virtual cluster"
for tool in benchmark_collective benchmark_report; do
    command -v "$tools$tool" >/dev/null && continue
    [ "$build" ] || die 1 "$tool is not installed; name a build folder"
    die 1 "$build is not a build folder: there is no $tools$tool"
done
command -v "${mpirun%% *}" >/dev/null || die 1 "MPIRUN is '$mpirun': there is no such command"
[ -z "$cluster" ] || [ -r "$cluster" ] || die 3 "$cluster: not a readable file"

. "$(dirname "$(readlink -f "$0")")/../build-aux/mpi-environment.sh"

shared=''
on_cluster() { # a command on the first host of the cluster, which sees the folder "$shared"; here if there is none
    if [ -n "$cluster" ]; then
        VC_SHARE=${VC_SHARE:+$VC_SHARE:}$shared "$build/tests/vcluster/vcluster" run "$cluster" -- "$@"
    else
        "$@"
    fi
}

case $launches in
'' | 0* | *[!0-9]*) die 2 "LAUNCHES is '$launches', must be 1 or more" ;;
esac
case ,$ranks, in
*[!0-9,]* | *,,* | *,0*) die 2 "RANKS is '$ranks', must be numbers of ranks with commas, such as 2,4,8" ;;
esac

# report files that cannot be written before the measurement, which takes minutes
for file in "$name.html" "$name.md" "$name.json"; do
    [ ! -d "$file" ] || die 1 "$file: cannot create: it is a folder"
done
if ! reason=$({ : >"$name.try.$$"; } 2>&1); then
    die 1 "$name.html: cannot create: ${reason##*: }"
fi
rm -f "$name.try.$$"

each_result() { # each_result FUNCTION: calls it with the file and the seed of each launch
    if [ "$launches" = 1 ]; then
        "$1" "$name.json" 1
    else
        for launch in $(seq "$launches"); do
            "$1" "$name-$launch.json" "$launch"
        done
    fi
}

# after an interruption the earlier files are restored: partial results would not match the guide
keep() { [ ! -f "$1" ] || cp -p "$1" "$1.before.$$"; }
forget() { rm -f "$1.before.$$"; }
restore() { if [ -f "$1.before.$$" ]; then mv -f "$1.before.$$" "$1"; else rm -f "$1"; fi; }
interrupted() {
    trap '' INT TERM HUP
    each_result restore
    die 1 "interrupted: nothing is written"
}

most=$(echo "$ranks" | tr ',' '\n' | sort -n | tail -1)
quiet='' # what each launch would warn of is in the guide of all
[ "$launches" = 1 ] || quiet=-q
measure() { # measure RESULTS SEED
    results=${shared:+$shared/results.json}
    [ "$launches" = 1 ] || echo "guide.sh: launch $2 of $launches" >&2
    # shellcheck disable=SC2086 # MPIRUN and OPTIONS may be several words
    on_cluster $mpirun -n "$most" "${tools}benchmark_collective" -n "$ranks" -M "${MAX_SIZE:-4MiB}" \
        --budget "$budget" --check --seed "$2" -f json -o "${results:-$1}" $quiet ${OPTIONS-} \
        pingpong sendreceive broadcast scatter gather alltoall reduce barrier
    [ -z "$results" ] || mv "$results" "$1"
}

each_result keep
trap 'rm -rf "$shared"; each_result forget' EXIT
trap interrupted INT TERM HUP
# hosts have a /tmp of their own, where the guide may be to go
[ -z "$cluster" ] || shared=$(mktemp -d)
each_result measure
trap - INT TERM HUP

if [ "$launches" = 1 ]; then
    set -- "$name.json"
else
    set --
    for launch in $(seq "$launches"); do
        set -- "$@" "$name-$launch.json"
    done
fi
"${tools}benchmark_report" "$@" -o "$name.html"
"${tools}benchmark_report" "$@" -o "$name.md"
echo "$name.html $name.md $*"
