#!/bin/sh
# Collectives of a user's shared library, checked and timed.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/programs.sh"

user=$PWD/.libs/user
run() { # run STATUS RANKS PROGRAM [ARGUMENT...]
    wanted=$1 status=0
    shift
    sh "${srcdir:-.}/support/mpi-run.sh" "$@" >"$dir/out" 2>"$dir/err" || status=$?
    test $status -eq "$wanted" || fail "$*: status $status, not $wanted: $(cat "$dir/out" "$dir/err")"
}

says() { # says out|err PATTERN
    grep -q -e "$2" "$dir/$1" || fail "no '$2' in: $(cat "$dir/$1")"
}

# A file that is refused: one line, no results.
refused() { # refused STATUS PATTERN ARGUMENT...
    pattern=$2 wanted=$1
    shift 2
    run "$wanted" 2 "$@"
    says err "$pattern"
    test "$(grep -c "${1##*/}: " "$dir/err")" -eq 1 || fail "$*: $(cat "$dir/err")"
    test ! -s "$dir/out" || fail "$*: prints $(cat "$dir/out")"
}

refusals() { # refusals PROGRAM ARGUMENT...
    refused 3 'no function has the name of a collective.*twice' "$@" --library "$user"_empty.so
    refused 3 'those of Fortran .* have other arguments; exported: .*my_' "$@" --library "$user"_fortran.so
    refused 3 'small letters alone may be those of Fortran, .* need --prefix or --suffix: my_\* (bcast)' "$@" --library "$user"_small.so
    refused 2 'several forms of names.*my_\* (bcast)' "$@" --library "$user"_several.so
    says err 'MPI_\*_fast (barrier, bcast)'
    refused 3 'my_Bcast_no' "$@" --library "$user"_right.so --prefix my_ --suffix _no
    says err 'my_\* (allreduce, bcast, gatherv)'
    echo text >"$dir/none.so"
    refused 3 'none.so.*\(header\|short\)' "$@" --library "$dir/none.so"
    refused 3 'absent.so' "$@" --library "$dir/absent.so"
    cp "$user"_right.so "$dir/$other"
    refused 3 "built for $other" "$@" --library "$dir/$other"
    for wrong in '--prefix my_' '--suffix _fast' "--library x --prefix $(printf %070d 1)"; do
        # shellcheck disable=SC2086 # words
        refused 2 '--' "$@" $wrong
    done
}

case $(ldd $bin/check_collective) in
*libmpich.so*) other=libmpi.so.40 ;;
*) other=libmpich.so.12 ;;
esac

# check_collective
check="$bin/check_collective"
run 0 3 $check --library "$user"_right.so -T int,indexed -M 5000
says out 'not in .*_right.so: allgather, .*scatterv$'
test "$(awk '/ 0 wrong$/ && $2 != "calls," { print $1, $2 }' "$dir/out" | tr '\n' ' ')" = 'allreduce my_allreduce bcast my_Bcast gatherv my_Gatherv ' ||
    fail "functions: $(cat "$dir/out")"
says out '^[1-9][0-9]* calls, 0 wrong$'
run 0 3 $check --library "$user"_right.so --random 200
says out '^200 calls, 0 wrong$'
run 1 3 $check --library "$user"_wrong.so -O bcast,barrier
says out '^bcast  *MPI_Bcast_fast .*, [1-9][0-9]* wrong; first: '
says out '^barrier  *MPI_Barrier_fast .*1 calls, 0 wrong$'
run 1 3 $check --library "$user"_wrong.so --random 30 -O bcast
says err "^bcast by 'MPI_Bcast_fast', rank"
run 0 2 $check --library "$user"_several.so --prefix my_ -M 100
run 1 2 $check --library "$user"_several.so --prefix MPI_ --suffix _fast -M 100
run 0 2 $check --library "$user"_small.so --prefix my_ -M 100
says out '^bcast  *my_bcast .* 0 wrong$'
for random in '' '--random 20'; do
    # shellcheck disable=SC2086 # words
    run 1 2 $check --library "$user"_right.so -O scan $random
    says out 'not in .*_right.so: scan$'
    says err 'nothing was called: the library has none of these operations'
done
refusals $check

# a file that one rank lacks, or that is another one there
mkdir "$dir/0" "$dir/1"
apart() { # apart ARGUMENT... ; each rank in a folder of its own
    # shellcheck disable=SC2016 # for the ranks
    run 3 2 sh -c 'cd "$0/${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" && exec "$@"' "$dir" "$(cd $bin && pwd)/check_collective" "$@"
}
cp "$user"_right.so "$dir/0/my.so"
apart --library my.so
says err '^check_collective: --library on rank 1: my.so: cannot open'
cp "$user"_several.so "$dir/1/my.so"
apart --library my.so --prefix my_
says err '^check_collective: --library on rank 1: my.so has other functions here than on rank 0'
cp "$user"_wrong.so "$dir/0/my.so"
cp "$user"_other.so "$dir/1/my.so"
apart --library my.so
says err '^check_collective: --library on rank 1: my.so has functions named MPI_\*_slow here, but MPI_\*_fast on rank 0'
refused 2 'exclude each other' $check --library x.so --cpm
refused 2 'exclude each other' $check --library x.so -A ring

# benchmark_collective: beside those of MPI and of Hitop, with checked data
bench="$bin/benchmark_collective"
usual='--sizes 8 --spread 0 --budget 5s'
run 0 2 $bench --library "$user"_right.so $usual -f json -o "$dir/right.json" broadcast gatherv reduce barrier
says err 'warning: not in .*_right.so, left out: reduce, barrier$'
python3 - "$dir/right.json" <<'PY' || fail "right.json: $(cat "$dir/right.json")"
import json, sys
r = json.load(open(sys.argv[1]))
curves = [(c["operation"], c["implementation"]) for c in r["curves"]]
assert curves == [(o, i) for o in ("broadcast", "gatherv") for i in ("mpi", "hitop", "library")], curves
assert all(p["checked"] and p["wrong"] == 0 for c in r["curves"] for p in c["points"])
pairs = {(c["operation"], c["a"], c["b"], c["size_B"]) for c in r["comparisons"]}
assert len(pairs) == len(r["comparisons"]) and {p[1:3] for p in pairs} == {("mpi", "hitop"), ("mpi", "library")}, pairs
assert r["provenance"]["library"].endswith("_right.so: my_*"), r["provenance"]
PY
$bin/benchmark_report "$dir/right.json" -o "$dir/right.md" || fail 'no report'
grep -q 'by library' "$dir/right.md" || fail "report: $(cat "$dir/right.md")"
run 1 2 $bench --library "$user"_wrong.so $usual -f json -o "$dir/wrong.json" broadcast barrier
says err 'elements were wrong, first in broadcast by library, 8 B, 2 ranks$'
python3 - "$dir/wrong.json" <<'PY' || fail "wrong.json: $(cat "$dir/wrong.json")"
import json, sys
r = json.load(open(sys.argv[1]))
wrong = {(c["operation"], c["implementation"]) for c in r["curves"] for p in c["points"] if p["wrong"]}
assert wrong == {("broadcast", "library")}, wrong
PY
# one wrong byte among 1 KiB, at a place that the timed calls do not look at
for cache in same hot stream; do
    run 1 2 $bench --library "$user"_flipped.so --sizes 8,1024 --spread 0 --budget 5s --cache $cache broadcast -f csv
    says err ': 1 element was wrong, first in broadcast by library, 1024 B, 2 ranks$'
done
# also where no time is left for the library
run 1 2 $bench --library "$user"_flipped.so --sizes 1024 --spread 0 --budget 1us -q -f csv broadcast
says err ': 1 element was wrong, first in broadcast by library, 1024 B, 2 ranks$'
run 1 3 $bench --library "$user"_flipped.so --implementation library --ranks 3 --sizes 1024 --spread 0 --budget 5s broadcast
says err ': 2 elements were wrong, first in broadcast by library, 1024 B, 3 ranks$'
run 0 2 $bench --library "$user"_right.so --implementation library $usual -f csv broadcast -q
test "$(cut -d, -f2 "$dir/out" | sort -u | tr '\n' ' ')" = 'implementation library ' || fail "csv: $(cat "$dir/out")"
run 1 2 $bench --library "$user"_right.so $usual reduce
says err 'nothing to measure: not in .*_right.so, left out: reduce'
refusals $bench broadcast
refused 2 "'library' needs --library" $bench --compare mpi,library
refused 2 "does not name 'library'" $bench --library x.so --compare mpi,hitop
refused 2 "does not name 'library'" $bench --library x.so --implementation hitop
refused 2 'more than 4 names' $bench --compare mpi,hitop,mpi,hitop,mpi
refused 2 'there are 2 implementations' $bench --compare mpi,hitop --slow-down C=10%
