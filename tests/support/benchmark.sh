# Run benchmark_collective in tests: source it after scratch.sh.
. "${srcdir:-.}/support/programs.sh"
top=$(cd "${srcdir:-.}/.." && pwd)
tool=$bin/benchmark_collective
export MPI_GRACE=0 # ranks agree before they fail

run() { # run NP OPTIONS... ; standard output in $dir/out, standard error in $dir/err, the exit status is its own
    np=$1
    shift
    sh "${srcdir:-.}/support/mpi-run.sh" "$np" $tool "$@" >"$dir/out" 2>"$dir/err"
}
