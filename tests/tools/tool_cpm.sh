#!/bin/sh
# The names of CPM and MPIBlib in the tools: each operation is predicted, and its present name is printed once.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
models=$top/testdata/models/two-sites
predict=$bin/predict_collective

said() { # said WORDS: standard error of the last program is one line, with these words
    test "$(wc -l <"$dir/err")" -eq 1 || fail "not one line: $(cat "$dir/err")"
    grep -qF -- "$1" "$dir/err" || fail "no '$1': $(cat "$dir/err")"
}

# predicted as its present name is; pieces of LMO's split_flat come from the model, which has S = 4096, M1 = 5120, M2 = 65536:
# the fewest pieces of 40 KiB are 11 and 9
while read -r name; do
    model=$(printf '%s' "${name%%_*}" | tr '[:upper:]' '[:lower:]')
    case $name in LMO_Scatter_*) piece='--param piece=3724' ;; LMO_Gather_*) piece='--param piece=4552' ;; *) piece= ;; esac
    "$predict" -i "$models/$model.json" -O "$name" --sizes 40k --format csv >"$dir/out" 2>"$dir/err" || fail "$name"
    said "'$name' is a name of CPM; the present name is '"
    present=$(sed "s/.* present name is '//; s/'.*//" "$dir/err")
    # shellcheck disable=SC2086 # two words, or none
    "$predict" -i "$models/$model.json" -O "$present" $piece --sizes 40k --format csv >"$dir/present" 2>"$dir/err" || fail "$present"
    test ! -s "$dir/err" || fail "$present: $(cat "$dir/err")"
    cmp "$dir/out" "$dir/present" || fail "$name is not $present"
done <"$top/testdata/cpm/operations"
for size in 4k 64k; do # below M1, and from M2 on, a gather is not split
    "$predict" -i "$models/lmo.json" -O LMO_Gather_split_flat --sizes $size >"$dir/out" 2>"$dir/err"
    ! grep -q piece "$dir/out" || fail "$size: $(cat "$dir/out")"
done

# MPIBlib's, and what the message says of those that are not there
while read -r name present; do
    status=0
    "$predict" -i "$models/hockney.json" -O "$name" --sizes 1k >"$dir/out" 2>"$dir/err" || status=$?
    if [ "$present" = - ]; then
        test $status -eq 2 || fail "$name: status $status"
        said "'$name' is a name of CPM and MPIBlib: "
        said 'use '
    else
        test $status -eq 0 || fail "$name: status $status: $(cat "$dir/err")"
        said "'$name' is a name of MPIBlib; the present name is '$present'"
    fi
done <"$top/testdata/cpm/mpib-operations"

# names that are not theirs
refuse_name() { # refuse_name NAME TEXT ; in one step
    status=0
    "$predict" -i "$models/lmo.json" -O "$1" --sizes 1k >"$dir/out" 2>"$dir/err" || status=$?
    test $status -eq 2 && test "$(wc -l <"$dir/err")" = 1 || fail "$1: status $status: $(cat "$dir/err")"
    said "'$1' is no name of CPM or MPIBlib$2"
}
refuse_name LMO_Bcast_split_flat ': only scatters and gathers are split; use flat'
refuse_name LMO_Reduce_split_flat ': only scatters and gathers are split; use flat'
refuse_name MPIB_Bcast_binary '; their algorithms: '
refuse_name Hockny_Scatter_binomial ' (did you mean Hockney_Scatter_binomial?)'
refuse_name MPBI_Gather_flat_nb ' (did you mean MPIB_Gather_flat_nb?)'
refuse_name Hockney_Scater_binomial ' (did you mean Scatter?); their operations: Bcast, '
refuse_name Hockney_Scatter_binomail ' (did you mean binomial?); their algorithms: '

# LogGP's trees go by LogGP with a model of PLogP, as CPM has them in one; any other formula is the file's
"$predict" -i "$models/plogp.json" -O LogGP_Gatherv_Traff --sizes 1k >"$dir/out" 2>"$dir/err"
said "the present name is 'gatherv/traff_model', with a model 'loggp'"
grep -q '; model loggp of 8 ranks' "$dir/out" || fail "$(cat "$dir/out")"
"$predict" -i "$models/piecewise.json" -O PLogP_Gatherv_Traff --sizes 1k >"$dir/out" 2>"$dir/err"
grep -q 'piecewise.json is a piecewise model; the prediction uses it, and not plogp' "$dir/err" || fail "$(cat "$dir/err")"
"$predict" -i "$models/plogp.json" -O p2p -C LogGP --sizes 1k >"$dir/out" 2>"$dir/err"
said "'LogGP' is a name of CPM; the present name is 'loggp'"
grep -q '; model loggp of 8 ranks' "$dir/out" || fail "$(cat "$dir/out")"
status=0
"$predict" -i "$models/plogp.json" -O p2p -C hockney --sizes 1k >"$dir/out" 2>"$dir/err" || status=$?
test $status -eq 2 || fail "-C hockney: status $status"
said "-C: $models/plogp.json is a plogp model: hockney does not follow from plogp"

# other tools that take a model
"$bin/model_info" "$models/plogp.json" --as LogGP -o "$dir/loggp.json" 2>"$dir/err"
said "model_info: 'LogGP' is a name of CPM; the present name is 'loggp'"
grep -q '"model": "loggp"' "$dir/loggp.json" || fail "no model loggp"

"$bin/generate_hierarchy" --hosts 'a[1-2]:2,b[1-2]:2' -o "$dir/h.dot"
for name in Hockney LinInterp LogGP PLogP LMO; do
    model=$(printf '%s' "$name" | tr '[:upper:]' '[:lower:]')
    for program in flat_model "hierarchical_model -i $dir/h.dot"; do
        # shellcheck disable=SC2086 # words
        "$bin"/$program -C $name --simulate "$models/lmo.json" -o "$dir/measured.json" -q 2>"$dir/err" || fail "$program -C $name: $(cat "$dir/err")"
        grep -qF "'$name' is a name of CPM; the present name is '$model'" "$dir/err" || fail "$program: $(cat "$dir/err")"
        grep -q "\"model\": \"$model\"" "$dir/measured.json" || fail "$program -C $name: no model $model"
    done
done

# a benchmark has one algorithm
tool=$bin/benchmark_collective
refuse_after() { # refuse_after TEXT ARGUMENT... ; status 2, and the last line on standard error has the text
    text=$1 status=0
    shift
    "$tool" "$@" >"$dir/out" 2>"$dir/err" || status=$?
    test $status -eq 2 || fail "$*: status $status"
    tail -n 1 "$dir/err" | grep -qF -- "$text" || fail "$*: $(cat "$dir/err")"
}
refuse_after '--compare hitop/dfs_min,hitop/bfs_min' -O Hockney_Scatter_dfs_binomial_min,Hockney_Scatter_bfs_binomial_min
refuse_after 'leave out --implementation and --compare' -O MPIB_Scatter_binomial --compare mpi,hitop
refuse_after 'leave out --implementation and --compare' -O scatter/binomial --implementation mpi
refuse_after 'pingpong has no algorithms' -O pingpong/flat
refuse_after "--operations: scatter has no algorithm 'oak'" -O scatter/oak
refuse_after "'Hockney_Scatter_dfs_binomial_min' of CPM is for the operation scatter, not gather" -O gather/Hockney_Scatter_dfs_binomial_min
refuse_after 'HITOP_MODEL=FILE' -O MPIB_Scatter_binomial -o model=Hockney,file=model.out
refuse_after 'no binomial tree is sorted by counts; use traff' MPIB_Scatterv_sorted_binomial_asc
tool=$bin/check_collective
refuse_after '--algorithms goes without algorithms in --operations' -O LMO_Scatter_split_flat -A split
refuse_after '--random goes without algorithms in --operations' -O LMO_Scatter_split_flat --random 3
refuse_after '--cpm goes without algorithms in --operations' -O bcast/chain --cpm
refuse_after "bcast has no algorithm 'oak'" -O bcast/oak

# doc/from-cpm.md has every word of the lists, and names nothing that does not exist
page=$top/doc/from-cpm.md
tr '`' '\n' <"$page" >"$dir/words"
for list in programs options functions types files mpib-operations mpib-functions operations; do
    case $list in
    operations) sed 's/^[A-KM-Z][A-Za-z]*_/X_/; s/^L[io][A-Za-z]*_/X_/' ;;
    mpib-operations) sed 's/ .*//' ;;
    *) cat ;;
    esac <"$top/testdata/cpm/$list" | while read -r word; do
        grep -qxF -e "$word" "$dir/words" || fail "$page lacks '$word' of testdata/cpm/$list"
    done
done
cat "$top"/src/hitop/*.h "$top"/src/hitop/sys/*.h >"$dir/headers"
grep -xE 'hitop_[a-z0-9_]+\(\)|struct hitop_[a-z_]+' "$dir/words" | sort -u | while read -r word; do
    grep -qF -e "${word%)}" "$dir/headers" || fail "no header has $word"
done
grep -xE 'hitop/[a-z_/]+\.h|examples/[a-z_]+\.[a-z]+|doc/[a-z-]+\.md' "$dir/words" | sort -u | while read -r word; do
    test -e "$top/$word" || test -e "$top/src/$word" || fail "there is no $word"
done
grep -xE '[a-z]+/[a-z_]+' "$dir/words" | grep -E '^(bcast|reduce|scatter|gather)v?/' | sort -u | while read -r word; do
    "$predict" -i "$models/lmo.json" -O "$word" --sizes 1k >"$dir/out" || fail "no algorithm $word"
done
grep -xE '[a-z2]+(_[a-z]+)? --?[a-zA-Z-]+( .*)?' "$dir/words" | grep -E '^(flat_model|hierarchical_model|model_info|predict_collective|benchmark_collective|check_collective|generate_hierarchy) ' |
    sort -u | while read -r program words; do
        "$bin/$program" --help >"$dir/help"
        for word in $words; do
            case $word in -*) grep -qE -e "(^|[ ,])$word([ ,]|\$)" "$dir/help" || fail "$program has no $word" ;; esac
        done
    done
