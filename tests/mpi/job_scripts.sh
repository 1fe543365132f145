#!/bin/sh
# examples/job.slurm and job.pbs under stub schedulers: the first job measures and serves, the second one uses the
# model, a job whose measurement was cut short still runs its program, and the next one goes on from the journal.
set -eu
srcdir=$(cd "${srcdir:-.}" && pwd)
. "$srcdir/support/scratch.sh"
examples=$(cd "$srcdir/../examples" && pwd)
mpirun=$(command -v "${MPIRUN:-mpirun}") || exit 77
"$mpirun" --version 2>/dev/null | grep -qE 'Open MPI|OpenRTE|PRRTE|prte' || exit 77
. "$srcdir/../build-aux/mpi-environment.sh"
export ASAN_OPTIONS="detect_leaks=0:verify_asan_link_order=0:${ASAN_OPTIONS-}" # as in mpi-run.sh

# srun of an allocation with 2 tasks on this host: options and --export as srun takes them.
mkdir "$dir/bin" "$dir/job"
cat >"$dir/bin/srun" <<END
#!/bin/bash
set -eu
exported=()
while [ \$# -gt 0 ]; do
    case \$1 in
    --export=ALL,*) exported+=(-x "\${1#--export=ALL,}") ;;
    -*) ;;
    *) break ;;
    esac
    shift
done
exec timeout 100 "$mpirun" -n "\$SLURM_NTASKS" "\${exported[@]}" "\$@"
END
chmod +x "$dir/bin/srun"
. ../env.sh
[ "$(command -v hitop-run)" = "$(cd ../tools && pwd)/hitop-run" ] || fail "env.sh: hitop-run is $(command -v hitop-run)"
path=$PATH
. ../env.sh
[ "$PATH" = "$path" ] || fail "env.sh twice makes PATH longer"
PATH=$dir/bin:$PATH
program="$(cd ../examples && pwd)/asp 60"
cd "$dir/job"

served() { # served FOLDER: the statistics of the program in a job's folder count broadcasts
    test -s "$1/stats.txt" || fail "$1: no statistics"
    grep -q bcast "$1/stats.txt" || fail "no broadcast was served: $(cat "$1/stats.txt")"
    rm "$1/stats.txt"
}

slurm() { # slurm ARGUMENT... ; as sbatch would start it
    SLURM_JOB_NODELIST="$(hostname)" SLURM_NTASKS=2 SLURM_JOB_ID=1 bash "$examples/job.slurm" "$@" \
        >"$dir/out" 2>"$dir/err" || fail "job.slurm: status $?: $(cat "$dir/out" "$dir/err")"
    grep -q checksum "$dir/out" || fail "job.slurm: the program did not run: $(cat "$dir/err")"
}

# shellcheck disable=SC2086 # words
LIMIT=1ms slurm $program
grep -q 'no model of .* yet' "$dir/err" || fail "a measurement cut short: $(cat "$dir/err")"
served "$(echo hitop/*)"
test ! -e hitop/*/model.json || fail "a model after 1 ms"
# shellcheck disable=SC2086
LIMIT=60s slurm $program
served "$(echo hitop/*)"
test -s hitop/*/model.json || fail "job.slurm left no model: $(cat "$dir/err")"
test "$(ls hitop | wc -l)" = 1 || fail "two folders for the same nodes"
touch "$dir/stamp"
# shellcheck disable=SC2086
slurm $program
test hitop/*/model.json -ot "$dir/stamp" || fail "the second job measured again"
status=0
SLURM_JOB_NODELIST=x SLURM_NTASKS=2 bash "$examples/job.slurm" 2>"$dir/err" || status=$?
test $status = 2 && grep -q '^usage: sbatch' "$dir/err" || fail "job.slurm without a program: $status"
rm -rf hitop

pbs() {
    PBS_O_WORKDIR=$dir/job PBS_NODEFILE=$dir/nodefile bash "$examples/job.pbs" >"$dir/out" 2>"$dir/err" ||
        fail "job.pbs: status $?: $(cat "$dir/out" "$dir/err")"
    grep -q checksum "$dir/out" || fail "job.pbs: the program did not run: $(cat "$dir/err")"
}

printf '%s\n' localhost localhost >"$dir/nodefile"
export LAUNCH="timeout 100 $mpirun"
PROGRAM=$program LIMIT=60s pbs
served "$(echo hitop/*)"
test -s hitop/*/model.json || fail "job.pbs left no model: $(cat "$dir/err")"
touch "$dir/stamp"
PROGRAM=$program pbs
test hitop/*/model.json -ot "$dir/stamp" || fail "job.pbs measured again"
