#!/bin/sh
# Tools that describe or measure a job say so when mpirun did not start them, and then there is one rank; once, and also
# where they cannot go on with it.
set -eu
top=${srcdir:-.}/..
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/programs.sh"
for name in $(env | sed -n 's/^\(OMPI_COMM_WORLD_[A-Z_]*\|PMI_[A-Z]*\|PMIX_[A-Z]*\|SLURM_STEP_ID\)=.*/\1/p'); do
    unset "$name"
done

while read -r tool arguments; do
    # shellcheck disable=SC2086 # arguments are a list
    (cd "$dir" && timeout 60 "$OLDPWD/$bin/$tool" $arguments >out 2>err </dev/null) || true
    n=$(grep -c "^$tool: warning: there is one rank, because mpirun did not start this; for more, 'mpirun -n N $tool ...'\$" \
        "$dir/err") || true
    test "$n" = 1 || fail "$tool $arguments: $n such lines: $(cat "$dir/err")"

    # shellcheck disable=SC2086
    (cd "$dir" && OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 timeout 60 "$OLDPWD/$bin/$tool" $arguments \
        >out 2>err </dev/null) || true
    if grep -q 'there is one rank' "$dir/err"; then
        fail "$tool: a launcher started it, and yet: $(cat "$dir/err")"
    fi
    case $tool in
    flat_model | hierarchical_model)
        grep -q "^$tool: warning: the job has one rank and no links, so the model has no times" "$dir/err" ||
            fail "$tool: no word about a model without times: $(cat "$dir/err")"
        ;;
    esac
done <<END
generate_hierarchy --no-hwloc
ranks2hosts
flat_model -C hockney -o x.mdl
hierarchical_model -C hockney -i $(cd "$top" && pwd)/testdata/golden/single.dot -o x.mdl
validate_model -i $(cd "$top" && pwd)/testdata/models/four-levels.json
benchmark_collective bcast --budget 1s
check_collective
END
