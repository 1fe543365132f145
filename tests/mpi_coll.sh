#!/bin/sh
# Collectives by plans over real MPI: what they do to a program's memory, and as a program meets them.
set -eu
. "${srcdir:-.}/scratch.sh"

run() { # run RANKS PROGRAM [ARGUMENT...]
    sh "${srcdir:-.}/mpi-run.sh" "$@" >"$dir/out" 2>&1 ||
        fail "$*: status $?: $(grep -v ', 0 wrong' "$dir/out")"
}

check() { # check RANKS [OPTION...]
    np=$1
    shift
    run "$np" ../tools/check_collective "$@"
    tail -n 1 "$dir/out" | grep -q '^[1-9][0-9]* calls, 0 wrong$' || fail "$np ranks, $*: $(tail -n 1 "$dir/out")"
}

run 1 ./mpi_coll
run 3 ./mpi_coll
test "$(grep -c 'HITOP_RULES: /nonexistent/rules' "$dir/out")" -eq 1 || fail "wrong rules: $(cat "$dir/out")"
run 1 ./mpi_short_ops
run 2 ./mpi_lengths
run 3 ./mpi_addresses
check 1 -M 100
check 2 -M 5000 -T int,vector -A auto,binomial,chain,ring,bruck,rabenseifner,scatter_ring
check 3 --random 600
case $MPIRUN in
*mpich*) ;; # never yields its processor, so that more ranks than processors take minutes
*)
    run 5 ./mpi_coll
    run 8 ./mpi_coll
    check 5 -M 80000 -T char,indexed -A auto,binomial,ecef
    check 8 --random 400 --seed 2
    check 4 --cpm -M 60
    ;;
esac

# wrong names, without and with a launcher
for wrong in '-O bcasts' '-A rings' '-T chars' '-M x' '--random 0' '--random 5 --cpm' 'x'; do
    # shellcheck disable=SC2086 # words
    status=0 && ../tools/check_collective $wrong 2>"$dir/err" || status=$?
    test $status -eq 2 || fail "$wrong: status $status"
    test "$(wc -l <"$dir/err")" -eq 1 || fail "$wrong: $(cat "$dir/err")"
done

# CPM has 42 operations for each of four models, and two more
test "$(../tools/check_collective --list | wc -l)" -eq 171 || fail "not 170 operations"
for model in hockney lininterp plogp loggp; do
    test "$(../tools/check_collective --list | awk -v m=$model '$5 == m' | wc -l)" -eq 42 || fail "$model"
done
