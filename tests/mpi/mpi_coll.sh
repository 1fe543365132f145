#!/bin/sh
# Collectives by plans over real MPI: what they do to a program's memory, and as a program meets them.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/mpi-facts.sh"
. "${srcdir:-.}/support/programs.sh"

run() { # run RANKS PROGRAM [ARGUMENT...]
    sh "${srcdir:-.}/support/mpi-run.sh" "$@" >"$dir/out" 2>&1 ||
        fail "$*: status $?: $(grep -v ', 0 wrong' "$dir/out")"
}

check() { # check RANKS [OPTION...]
    np=$1
    shift
    run "$np" $bin/check_collective "$@"
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
case $mpi_yields in
no) ;;
*)
    run 5 ./mpi_coll
    run 8 ./mpi_coll
    check 5 -M 80000 -T char,indexed -A auto,binomial,ecef
    check 8 --random 400 --seed 2
    check 4 --cpm -M 60
    ;;
esac

# only what is listed; nothing that was called is no success
run 1 $bin/check_collective -O bcast,scatter -A binomial -M 10
test "$(awk '$1 != 42 { sub(":.*", "", $2); print $2 }' "$dir/out" | sort -u)" = binomial || fail "not binomial only: $(cat "$dir/out")"
for none in '-O barrier --cpm' '-O bcast -A bruck'; do
    status=0
    # shellcheck disable=SC2086 # words
    sh "${srcdir:-.}/support/mpi-run.sh" 1 $bin/check_collective $none >"$dir/out" 2>&1 || status=$?
    test $status -eq 1 || fail "$none: status $status"
    grep -q 'check_collective: nothing was called' "$dir/out" || fail "$none: $(cat "$dir/out")"
done

# names of CPM and MPIBlib, each by its algorithm; the environment's, too; rank 0 prints each name once
check 3 -O Hockney_Scatter_dfs_binomial_min,MPIB_Gather_binomial,bcast/chain -M 60
for line in 'scatter  *dfs_min ' 'gather  *binomial ' 'bcast  *chain '; do
    grep -q "^$line.* 0 wrong" "$dir/out" || fail "no $line: $(cat "$dir/out")"
done
test "$(grep -c 'is a name of' "$dir/out")" -eq 2 || fail "not two names: $(cat "$dir/out")"
run 3 env HITOP_ALGORITHM=Hockney_Scatterv_Traff ./mpi_coll
test "$(grep -c "hitop: 'Hockney_Scatterv_Traff' is a name of CPM; the present name is 'scatterv/traff_model'" "$dir/out")" -eq 1 ||
    fail "not one line: $(cat "$dir/out")"

run 2 $bin/benchmark_collective -O MPIB_Gather_binomial --sizes 8 -n 2 --budget 0.1s --spread 0.1s -q -f csv
grep -q '^gather,hitop/binomial,2,' "$dir/out" || fail "not by binomial: $(cat "$dir/out")"

# wrong names and options that nothing heeds, without and with a launcher
for wrong in '-O bcasts' '-A rings' '-T chars' '-M x' '--random 0' '--random 5 --cpm' 'x' \
    '-O ,' '-A ,,' '-T ,' '-O , --random 5' '--random 5 -A ring' '--random 5 -M 9' '--random 5 --all-roots' \
    '--cpm -A ring' '--cpm -T int' '--seed 2'; do
    # shellcheck disable=SC2086 # words
    status=0 && timeout 20 $bin/check_collective $wrong 2>"$dir/err" >"$dir/out" || status=$?
    test $status -eq 2 || fail "$wrong: status $status"
    test "$(wc -l <"$dir/err")" -eq 1 || fail "$wrong: $(cat "$dir/err")"
done

# CPM has 42 operations for each of four models, and two more
test "$($bin/check_collective --list | wc -l)" -eq 171 || fail "not 170 operations"
for model in hockney lininterp plogp loggp; do
    test "$($bin/check_collective --list | awk -v m=$model '$2 == m' | wc -l)" -eq 42 || fail "$model"
done
