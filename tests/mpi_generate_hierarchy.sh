#!/bin/sh
# generate_hierarchy under mpirun: one hierarchy, one message, the same status, whatever the number of
# ranks.
set -eu
tool=../tools/generate_hierarchy
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
command -v "${MPIRUN:-mpirun}" >/dev/null 2>&1 || exit 77

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

run() { # run RANKS ARGUMENT...
    ranks=$1
    shift
    sh "${srcdir:-.}/mpi-run.sh" "$ranks" "$tool" "$@"
}

for n in 1 3 5; do
    run $n --no-hwloc -o "$dir/$n.dot"
    test "$(grep -c 'type=0' "$dir/$n.dot")" = $n || fail "$n ranks: not $n leaves"
    test "$(grep -c 'type=1' "$dir/$n.dot")" = 1 || fail "$n ranks on one host: not one group"
    test "$(grep -oE 'model_data="[^"]+"' "$dir/$n.dot" | sort -u | wc -l)" = 1 ||
        fail "$n ranks on one host: several names"
    run $n --no-hwloc >"$dir/out"
    cmp "$dir/$n.dot" "$dir/out" || fail "$n ranks: standard output differs from -o"
    run $n >"$dir/out" # with hwloc: whatever the levels, all ranks are there
    test "$(grep -c 'type=0' "$dir/out")" = $n || fail "$n ranks with hwloc: not $n leaves"
done

# Ranks bound to single processors, on a made-up host with a package per processor.
cat >"$dir/bound" <<'EOF'
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
HWLOC_SYNTHETIC='package:2 numa:1 l3cache:1 core:1 pu:1' HWLOC_THISSYSTEM=1
export HWLOC_SYNTHETIC HWLOC_THISSYSTEM
exec taskset -c $((rank / 2)) "$@"
EOF
if taskset -c 0 true 2>/dev/null && taskset -c 1 true 2>/dev/null; then
    sh "${srcdir:-.}/mpi-run.sh" 4 sh "$dir/bound" "$tool" --format text >"$dir/out"
    test "$(sed 1d "$dir/out")" = "$(printf '  package 0: ranks 0-1\n  package 1: ranks 2-3')" ||
        fail "bound ranks: $(cat "$dir/out")"
fi

# A singleton needs no launcher.
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS-}" # MPI's own leaks, see mpi-run.sh
timeout 60 "$tool" --no-hwloc >"$dir/out"
cmp "$dir/1.dot" "$dir/out" || fail "a singleton differs from mpirun -n 1"

# Mistakes are reported once. mpirun may add its own words, and chooses its own status for a failure.
for arguments in '--prefix-length x' "-o $dir/no/file"; do
    # shellcheck disable=SC2086 # two arguments
    if run 3 $arguments >"$dir/out" 2>"$dir/err"; then
        fail "$arguments: accepted"
    fi
    test "$(grep -c '^generate_hierarchy: ' "$dir/err")" = 1 || fail "$arguments: $(cat "$dir/err")"
    grep -q 'digraph' "$dir/out" && fail "$arguments: wrote something"
done

# --hosts under mpirun writes once, too.
run 3 --hosts a1,a2 >"$dir/out"
test "$(grep -c digraph "$dir/out")" = 1 || fail "--hosts under mpirun: not one graph"
exit 0
