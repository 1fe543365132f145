#!/bin/sh
# Tools whose launcher is another MPI's: every process would be alone, and all write the same files.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/mpi-facts.sh"
. "${srcdir:-.}/support/programs.sh"
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS-}" # MPI's own leaks, see mpi-run.sh
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
case $mpi_family in
mpich) foreign=OMPI_COMM_WORLD own=PMI ;;
*) foreign=PMI own=OMPI_COMM_WORLD ;;
esac

apart() { # apart RANK COMMAND... ; as the launcher of another MPI starts it as one of two
    rank=$1
    shift
    status=0
    env -u "${own}_SIZE" "${foreign}_SIZE=2" "${foreign}_RANK=$rank" timeout 60 "$@" >"$dir/out" 2>"$dir/err" || status=$?
}

for tool in generate_hierarchy "benchmark_collective barrier"; do
    # shellcheck disable=SC2086 # words
    apart 0 $bin/$tool -o "$dir/written"
    [ $status = 1 ] || fail "$tool: status $status"
    grep -q "^${tool%% *}: 2 processes that know nothing of each other: their launcher is not of " "$dir/err" ||
        fail "$tool said $(cat "$dir/err")"
    # shellcheck disable=SC2086
    apart 1 $bin/$tool -o "$dir/written"
    [ $status = 1 ] && [ ! -s "$dir/err" ] || fail "$tool, second process: status $status, $(cat "$dir/err")"
    [ ! -e "$dir/written" ] || fail "$tool has written"
done

# A job of one process inside one of another MPI.
env "${foreign}_SIZE=2" "${foreign}_RANK=0" sh "${srcdir:-.}/support/mpi-run.sh" 1 $bin/generate_hierarchy -o "$dir/written" ||
    fail "a job inside another was refused"
[ -s "$dir/written" ] || fail "a job inside another wrote nothing"
