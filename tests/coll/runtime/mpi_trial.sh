#!/bin/sh
# Hitop and the MPI library serve the first calls in turns: the faster one serves the rest, contents are right with both, and
# the statistics contain the result.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/mpi-facts.sh"
preload=$PWD/../coll/.libs/libhitop_coll.so
slow=$PWD/.libs/slow_collectives.so
stats=$dir/stats.json
HITOP_LAZY=0
export HITOP_LAZY

run() { # run TRIAL RANKS_PER_NODE RANKS PART [VARIABLE=VALUE...]
    trial=$1 per_node=$2 np=$3 part=$4
    shift 4
    rm -f "$stats"
    MPI_WALL=60 HITOP_TRIAL=$trial HITOP_VNODE=$per_node HITOP_STATS=$stats sh "${srcdir:-.}/support/mpi-run.sh" "$np" \
        env "$@" ./mpi_trial "$part" >"$dir/out" 2>&1 ||
        fail "trial $trial, $per_node a node, $np ranks, $part $*: status $?: $(cat "$dir/out")"
}

result() { # result OPERATION ; number of comparisons, and the library that serves it
    python3 - "$stats" "$1" <<'END'
import json, sys
rows = [row for line in open(sys.argv[1]) for row in json.loads(line)["compared"] if row["operation"] == sys.argv[2]]
print(len(rows), *sorted({row["served_by"] + ("?" if row["lengths_differed"] else "") for row in rows}))
END
}

calls() { # calls OPERATION ; of Hitop, of MPI
    python3 - "$stats" "$1" <<'END'
import json, sys
calls = json.loads(open(sys.argv[1]).readline())["calls"][sys.argv[2]]
print(calls["hitop"], calls["mpi"])
END
}

expect() { # expect WHAT COMMAND...
    what=$1
    shift
    test "$("$@")" = "$what" || fail "$*: '$("$@")' instead of '$what': $(cat "$stats")"
}

at_most() { # at_most FIELD NUMBER OPERATION ; of what calls prints
    number=$(calls "$3" | cut -d' ' -f"$1")
    test "$number" -ge 2 && test "$number" -le "$2" || fail "$3: $number calls, not 2 to $2: $(cat "$stats")"
}

# An MPI that is slow at broadcasts has 4 calls of 60, more where the machine is busy; slow reductions of Hitop have as many,
# and 7 more until a result is followed.
run 12 1 2 decide LD_PRELOAD="$preload:$slow" TEST_SLOW_MS=250
expect '1 hitop' result bcast
at_most 2 24 bcast
expect '1 mpi' result reduce
at_most 1 45 reduce

# What ranks wait for late ones does not count where all wait for all.
run 12 1 2 late LD_PRELOAD="$preload:$slow" TEST_SLOW_MS=5
expect '1 hitop' result allreduce
python3 -c 'import json, sys
sys.exit(json.loads(open(sys.argv[1]).readline())["compared"][0]["hitop_us"] > 8000)' "$stats" ||
    fail "30 ms of waiting count: $(cat "$stats")"

# On one node, and where it is switched off, nothing is compared; nor is what a person names.
run 12 2 2 decide LD_PRELOAD="$preload:$slow"
expect '60 0' calls reduce
run 0 1 2 decide LD_PRELOAD="$preload:$slow"
expect '60 0' calls reduce
expect '0' result bcast
run 2 1 2 decide LD_PRELOAD="$preload:$slow" HITOP_BCAST=fixed
expect '60 0' calls bcast
expect '0' result bcast
test "$(result reduce | cut -d' ' -f1)" -eq 1 || fail "no result: $(cat "$stats")"
run 12 1 2 decide LD_PRELOAD="$preload:$slow" HITOP_ALGORITHM=reduce=chain,bcast=auto
expect '0' result reduce
expect '0' result bcast

# Contents are right with both libraries.
case $mpi_yields in
no) more=3 ;;
*) more=5 ;;
esac
for trial in 1 3; do
    run $trial 1 2 mixed LD_PRELOAD="$preload"
    run $trial 2 $more mixed LD_PRELOAD="$preload"
    run $trial 1 2 freed LD_PRELOAD="$preload"
    run $trial 2 3 ahead LD_PRELOAD="$preload"
    case $mpi_family in
    mpich) ;; # its own scans let no rank leave early
    *) run $trial 1 2 scans ;;
    esac
    run $trial 2 $more plans
    for operation in scan exscan reduce_scatter alltoallv; do
        test "$(result $operation | cut -d' ' -f1)" -ge 1 || fail "$operation: no result: $(cat "$stats")"
    done
done

# A program that relies on more than MPI promises, as far as the MPI library itself goes on with it: MPICH does not.
case $mpi_family in
mpich) ;;
*)
    MPI_WALL=30 HITOP_TRIAL=1 HITOP_VNODE=1 sh "${srcdir:-.}/support/mpi-run.sh" 2 env LD_PRELOAD="$preload" ./mpi_sloppy ||
        fail "mpi_sloppy: $?"
    ;;
esac
