#!/bin/sh
# hitop-run: what it hands to each launcher, what it refuses, and that a job it starts is served.
set -eu
here=${srcdir:-.}
. "$here/support/scratch.sh"
tool=../tools/hitop-run
library=$(cd ../coll/.libs && pwd)/libhitop_coll.so
mkdir "$dir/openmpi" "$dir/mpich" "$dir/slurm" "$dir/other"
unset HITOP_STATS HITOP_MODEL HITOP_DISABLE HITOP_VERBOSE

launcher() { # launcher FOLDER/NAME VERSION
    printf '#!/bin/sh\necho "%s"\n' "$2" >"$dir/$1"
    chmod +x "$dir/$1"
}
launcher openmpi/mpirun "mpirun (Open MPI) 4.1.4"
launcher mpich/mpiexec.hydra "HYDRA build details:"
launcher slurm/srun "slurm 23"
launcher other/mpirun "mpirun of an unknown MPI"
launcher openmpi/prun "prun (PRRTE) 3.0.8"
launcher openmpi/prterun "prterun (PRRTE) 3.0.8"
launcher other/newrun "newrun 1"

expect() { # expect LINE ARGUMENT... ; what a dry run prints
    line=$1
    shift
    got=$("$tool" --dry-run "$@" 2>&1) || fail "hitop-run $*: $got"
    [ "$got" = "$line" ] || fail "hitop-run $*: '$got' instead of '$line'"
}

# Libraries and a program that only look like those of an MPI.
imitate() { # imitate MPI_LIBRARY PROGRAM
    echo 'int mpi; int main(void) { return mpi; }' >"$dir/$2.c"
    cc -shared -fPIC -Wl,-soname,"$1" -o "$dir/$1" "$dir/$2.c"
    echo 'extern int mpi; int main(void) { return mpi; }' >"$dir/$2.c"
    cc -o "$dir/$2" "$dir/$2.c" "$dir/$1" -Wl,-rpath,"$dir"
}

imitate libmpich.so.12 of_mpich
imitate libmpi.so.40 of_openmpi
case $(ldd "$library") in
*libmpi.so.40*)
    mine=of_openmpi others=of_mpich theirs=mpich/mpiexec.hydra whose=MPICH
    l=$dir/openmpi/mpirun
    expect "$l -x LD_PRELOAD=$library -n 2 $dir/$mine 'a b'" "$l" -n 2 "$dir/$mine" "a b"
    for word in prun prterun; do
        expect "$dir/openmpi/$word -x LD_PRELOAD=$library -n 2 x" "$dir/openmpi/$word" -n 2 x
    done
    expect "HITOP_DISABLE=bcast,reduce $l -x LD_PRELOAD=$library -x HITOP_DISABLE -n 1 x : -x LD_PRELOAD=$library -x HITOP_DISABLE -n 1 y" \
        --disable=bcast,reduce "$l" -n 1 x : -n 1 y
    ;;
*)
    mine=of_mpich others=of_openmpi theirs=openmpi/mpirun whose="Open MPI"
    l=$dir/mpich/mpiexec.hydra
    expect "$l -genv LD_PRELOAD $library -n 2 $dir/$mine 'a b'" "$l" -n 2 "$dir/$mine" "a b"
    expect "HITOP_DISABLE=1 HITOP_VERBOSE=2 $l -genv LD_PRELOAD $library -genv HITOP_DISABLE 1 -genv HITOP_VERBOSE 2 -n 1 x" \
        --disable --verbose=2 "$l" -n 1 x
    ;;
esac
expect "HITOP_VERBOSE=1 $dir/slurm/srun --export=ALL,LD_PRELOAD=$library -n 2 $dir/$mine" \
    --verbose "$dir/slurm/srun" -n 2 "$dir/$mine"
expect "HITOP_MODEL=$PWD/tool_hitop_run.sh.json env LD_PRELOAD=$library $dir/$mine 'it'\\''s'" \
    --model "$(cp "$here/../testdata/models/four-levels.json" tool_hitop_run.sh.json && echo tool_hitop_run.sh.json)" -- "$dir/$mine" "it's"
rm tool_hitop_run.sh.json
LD_PRELOAD=$dir/libmpi.so.40 expect "env LD_PRELOAD=$dir/libmpi.so.40:$library $dir/$mine" "$dir/$mine"
expect "env LD_PRELOAD=$PWD/../coll/.libs/libhitop_coll.so $dir/$mine" --library ../coll/.libs/libhitop_coll.so "$dir/$mine"

# An unknown launcher is started as it is, with a line that says what to do; in a rank, and for a program, without it.
command="env LD_PRELOAD=$library $dir/other/newrun -n 2 $dir/$mine"
note="hitop-run: $dir/other/newrun is neither an MPI program nor a launcher known here; where nothing is served,"
expect "$note let it start hitop-run: $dir/other/newrun ... hitop-run PROGRAM
$command" "$dir/other/newrun" -n 2 "$dir/$mine"
for variable in OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK; do
    export $variable=0
    expect "$command" "$dir/other/newrun" -n 2 "$dir/$mine"
    unset $variable
done
expect "env LD_PRELOAD=$library nice -n 1 $dir/$mine" nice -n 1 "$dir/$mine"

refuse 1 "$dir/$theirs is a launcher of $whose, but $library is built for" "$dir/$theirs" -n 2 x
refuse 1 "$dir/$others uses " "$dir/$others"
refuse 1 "$dir/other/mpirun is neither of Open MPI nor of MPICH" "$dir/other/mpirun" -n 2 x
refuse 1 "no-such-program: not found" no-such-program
refuse 1 "no-such-library: no such library" --library no-such-library x
refuse 1 "$dir/err: no library of MPI" --library "$dir/err" true
for name in 'a b' a:b a,b; do
    mkdir "$dir/$name"
    cp "$library" "$dir/$name"
    refuse 1 "$dir/$name/libhitop_coll.so: LD_PRELOAD or srun takes no name with a blank, a colon or a comma" \
        --library "$dir/$name/libhitop_coll.so" true
done
refuse 2 "unknown option '--bogus'; see hitop-run --help" --bogus
refuse 2 "no program; see hitop-run --help" --verbose
refuse 2 "option '-n' needs an argument" -n
for ranks in 0 -1 two ''; do
    refuse 2 "-n $ranks: not a number of ranks from 1 on" -n "$ranks" x
done
refuse 2 "-n 2: give it to $l, or leave $l away" -np 2 "$l" x # as mpirun calls it, too
refuse 2 "-n 2: give it to $l, or leave $l away" -n 2 "$l" x
refuse 1 "$dir/no/file: cannot be written" --stats="$dir/no/file" true
refuse 2 "'LD_PRELOAD=x.so' is set for the ranks" "$l" -x LD_PRELOAD=x.so x
for word in --export=ALL --export=NONE,A=b --export :; do # srun takes the last one, and a program behind ':' without ours
    refuse 2 "'$word' hides what is set for the ranks; let srun start hitop-run: srun ... hitop-run PROGRAM" \
        "$dir/slurm/srun" -n 2 "$word" x
done
refuse 3 "no-such-model: no model that can be read" --model no-such-model x
refuse 3 "$dir: no model that can be read" --model "$dir" x
: >"$dir/empty.json"
echo '{"format":' >"$dir/broken.json"
for name in empty broken; do
    refuse 3 "hitop-run: $dir/$name.json:" --model "$dir/$name.json" true
done

served() { # served WHAT ; the library said that it was there
    grep -q '^hitop .*: communicator of 2 ranks: ready$' "$dir/err" || {
        cat "$dir/err" >&2
        fail "$1: not served"
    }
}
sh "$here/support/mpi-run.sh" 2 "$tool" --verbose ./mpi_intercept 2>"$dir/err" || fail "behind a launcher: status $?"
served "behind a launcher"
echo old >"$dir/stats.json"
MPIRUN=$tool sh "$here/support/mpi-run.sh" 2 true || fail "-n 2: status $?"
MPIRUN="$dir/with-stats"
printf '#!/bin/sh\nexec %s --stats=%s "$@"\n' "$tool" "$dir/stats.json" >"$MPIRUN"
chmod +x "$MPIRUN"
export MPIRUN
sh "$here/support/mpi-run.sh" 2 ./mpi_intercept || fail "--stats: status $?"
[ "$(grep -c '^{"format":"hitop-stats",' "$dir/stats.json")" -eq 1 ] || fail "not one line of statistics"
grep -q '"ranks":2,"nodes":1,.*"bcast":{"hitop":3,"mpi":1}.*"skew":\[{' "$dir/stats.json" || {
    cat "$dir/stats.json" >&2
    fail "wrong statistics"
}
MPIRUN=$tool HITOP_VERBOSE=1 sh "$here/support/mpi-run.sh" 2 ./mpi_intercept 2>"$dir/err" || fail "-n 2: status $?"
served "-n 2"
case $mine:$(command -v prterun) in
of_openmpi:/*) # the launcher of Open MPI 5 by its own name
    printf '#!/bin/sh\nexec %s --verbose prterun "$@"\n' "$tool" >"$dir/by-prterun"
    chmod +x "$dir/by-prterun"
    MPIRUN=$dir/by-prterun sh "$here/support/mpi-run.sh" 2 ./mpi_intercept 2>"$dir/err" || fail "prterun: status $?"
    served "prterun"
    ;;
esac
