#!/bin/sh
# Cache policies: whole messages, from and at the lines that the policy says; and what was measured says which one.
set -eu
. "${srcdir:-.}/support/programs.sh"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export MPI_GRACE=0 # ranks agree before they fail
command -v "${MPIRUN:-mpirun}" >/dev/null 2>&1 || exit 77

fail() {
    echo "FAIL: $*" >&2
    cat "$dir/err" >&2
    exit 1
}

: >"$dir/err"
sh "${srcdir:-.}/support/mpi-run.sh" 3 ./mpi_payload

# A machine of a small cache, which is soon passed twice, in the place of this one.
HWLOC_SYNTHETIC='l3:1(size=1048576) core:2 pu:1'
export HWLOC_SYNTHETIC
echo 'digraph { top [type=1]; a [type=0, model_data="a", rank=0]; b [type=0, model_data="b", rank=1];
    a->top; b->top; }' >"$dir/h.dot"
measure() { # measure POLICY ARGUMENT...
    cache=$1 status=0
    shift
    sh "${srcdir:-.}/support/mpi-run.sh" 2 $bin/hierarchical_model -C hockney -i "$dir/h.dot" --ignore-hosts -M 32k -e 1 \
        -R 20 --budget 10min --journal "$dir/$cache.journal" --points "$dir/$cache.csv" -o "$dir/$cache.json" \
        --cache "$cache" "$@" >"$dir/out" 2>"$dir/err" || status=$?
    test $status = 0 || fail "$cache: status $status"
    grep -q "; cache $cache\$" "$dir/out" || fail "$cache: $(cat "$dir/out")"
    grep -q "\"cache\": \"$cache\"" "$dir/$cache.json" || fail "$cache: not in the model"
    head -1 "$dir/$cache.journal" | grep -q " cache=$cache " || fail "$cache: not in the journal"
    awk -F, -v cache="$cache" '
        NR == 1 { if ($NF != "cache") exit 1 }
        NR > 1 && $NF != cache { exit 1 }' "$dir/$cache.csv" || fail "$cache: not in every row"
}
for policy in hot stream cold; do
    measure $policy
done
grep -q '"batch":1,' "$dir/cold.journal" || fail "no samples of one exchange"
grep -vq '"batch":1,' "$dir/cold.journal" || fail "no header"
test "$(grep -c '"batch":[^1]' "$dir/cold.journal")" = 0 || fail "cold: several exchanges in a sample"
