#!/bin/sh
# Files of export_tuning with the MPI library that reads them: results stay right, and the library does read them, because an
# algorithm that does not exist fails.
set -eu
here=$(cd "${srcdir:-.}" && pwd)
. "$here/support/scratch.sh"
. "$here/support/programs.sh"
. "$here/support/mpi-facts.sh"
tool=$bin/export_tuning
model=$here/../testdata/models/two-sites/hockney.json

if [ -z "${MPIRUN-}" ]; then
    echo "skipped: no mpirun"
    exit 77
fi
case $mpi_family in
openmpi) format=openmpi-tuned wrong='s/^\([0-9]*\) [1-9] 0 \([0-9]*\)  #/\1 77 0 \2  #/' ;;
mpich) format=mpich-csel wrong='s/Bcast_intra_binomial/Bcast_intra_none/' ;;
*)
    echo "skipped: neither Open MPI nor MPICH"
    exit 77
    ;;
esac
"$tool" -i "$model" --format "$format" --for "$mpi_version" --job 4x1 -o "$dir/rules" 2>"$dir/err" || {
    echo "skipped: $format for $mpi_version: $(cat "$dir/err")"
    exit 77
}
sed "$wrong" "$dir/rules" >"$dir/wrong"
! cmp -s "$dir/rules" "$dir/wrong" || fail "nothing to make wrong in $(cat "$dir/rules")"

check() { # check FILE: all operations of 4 ranks, as if each had a host of its own, with the rules of the file
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$1 \
        MPIR_CVAR_NOLOCAL=1 MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$1 \
        "$here/support/mpi-run.sh" 4 ../tools/check_collective -T int -M 16KiB >"$dir/out" 2>&1
}
check "$dir/rules" || fail "with rules: $(cat "$dir/out")"
! check "$dir/wrong" || fail "$MPIRUN does not read the file of --format $format"

# the file measured in launches: with every operation that has rules in the table, whatever is faster
cat >"$dir/launcher" <<END
#!/bin/sh
MPIR_CVAR_NOLOCAL=1 exec "$here/support/mpi-run.sh" 4 "\$@" --spread 0 --max-reps 5 --min-reps 3
END
chmod +x "$dir/launcher"
status=0
"$tool" -i "$model" --format "$format" --for "$mpi_version" --job 4x1 -o "$dir/measured" --verify "sh $dir/launcher" --launches 2 \
    --points 1 --time-limit 100s >"$dir/table" 2>"$dir/err" || status=$?
case $status in
0 | 4) ;;
*) fail "--verify: status $status: $(cat "$dir/err")" ;;
esac
grep -q ' kept$' "$dir/table" || grep -q ' dropped$' "$dir/table" || fail "--verify: $(cat "$dir/table")"
tail -1 "$dir/table" | grep -qE '^[0-9]+ of [0-9]+ rules? kept, [0-9]+ of them measured$' || fail "--verify: $(cat "$dir/table")"
check "$dir/measured" || fail "with measured rules: $(cat "$dir/out")"
