#!/bin/sh
# generate_hierarchy under mpirun: one hierarchy, one message, the same status, whatever the number of
# ranks.
set -eu
. "${srcdir:-.}/support/programs.sh"
tool=$bin/generate_hierarchy
. "${srcdir:-.}/support/scratch.sh"
export MPI_GRACE=0 # ranks agree before they fail
command -v "${MPIRUN:-mpirun}" >/dev/null 2>&1 || exit 77

run() { # run COUNT ARGUMENT...
    count=$1
    shift
    sh "${srcdir:-.}/support/mpi-run.sh" "$count" "$tool" "$@"
}

for ranks in 0 0-2 0-4; do
    n=$((${ranks#0-} + 1))
    run $n --no-hwloc -o "$dir/$n.dot"
    test "$(grep -c 'type=0' "$dir/$n.dot")" = 1 || fail "$n ranks on one host: not one leaf"
    grep -qE "rank=\"?$ranks[\",]" "$dir/$n.dot" || fail "$n ranks: the leaf has not $ranks"
    test "$(grep -c 'type=1' "$dir/$n.dot")" = 1 || fail "$n ranks on one host: not one group"
    test "$(grep -oE 'model_data="[^"]+"' "$dir/$n.dot" | sort -u | wc -l)" = 1 ||
        fail "$n ranks on one host: several names"
    run $n --no-hwloc >"$dir/out"
    cmp "$dir/$n.dot" "$dir/out" || fail "$n ranks: standard output differs from -o"
    run $n --format text >"$dir/out" # with hwloc: whatever the levels, all ranks are there
    sed 1q "$dir/out" | grep -qE " $ranks( on 1 host.*)?\$" || fail "$n ranks with hwloc: $(cat "$dir/out")"
done

# Ranks bound to processors of a made-up host: place SYNTHETIC RANKS 'CPUS OF RANK, AN EXPRESSION' ARGUMENT...
cat >"$dir/bound" <<'EOF'
rank=${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}
HWLOC_SYNTHETIC=$1 HWLOC_THISSYSTEM=1
export HWLOC_SYNTHETIC HWLOC_THISSYSTEM
cpus=$2
shift 2
exec taskset -c "$(eval "echo $cpus")" "$@"
EOF
place() {
    made_up=$1 ranks=$2 cpus=$3
    shift 3
    sh "${srcdir:-.}/support/mpi-run.sh" "$ranks" sh "$dir/bound" "$made_up" "$cpus" "$tool" --format text "$@" \
        >"$dir/out" 2>"$dir/err" || fail "$made_up: $(cat "$dir/err")"
    sed -i '/^generate_hierarchy: /!d' "$dir/err" # a launcher may have words of its own
}
expect() { # expect WHAT LINES [WARNING]; of the run before
    test "$(sed '1d; s/host [^ ]*:/host HOST:/' "$dir/out")" = "$2" || fail "$1: $(cat "$dir/out")"
    test "$(cat "$dir/err")" = "${3:+generate_hierarchy: warning: $3}" || fail "$1: $(cat "$dir/err")"
}
two_packages='package:2 numa:1 l3cache:1 core:1 pu:1'
bind='are not bound to processors, so that there are no levels inside;'
bind="$bind bind them by mpirun --bind-to core or srun --cpu-bind=cores"
if taskset -c 0,1 true 2>/dev/null; then
    # shellcheck disable=SC2016 # expanded by the rank
    by_two='$((rank / 2))'
    place "$two_packages" 4 "$by_two"
    expect 'packages' "$(printf '  package 0: ranks 0-1\n  package 1: ranks 2-3')"
    place 'package:1 die:2 core:1 pu:1' 4 "$by_two"
    expect 'dies' "$(printf '  die 0: ranks 0-1\n  die 1: ranks 2-3')"
    place 'package:1 group:2 numa:1 core:1 pu:1' 4 "$by_two"
    expect 'groups that are NUMA nodes' "$(printf '  numa 0: ranks 0-1\n  numa 1: ranks 2-3')"
    place 'package:1 numa:1 l3cache:2 core:1 pu:1' 4 "$by_two"
    expect 'caches' "$(printf '  l3 0: ranks 0-1\n  l3 1: ranks 2-3')"
    place 'package:1 l3cache:2 numa:1 core:1 pu:1' 4 "$by_two" --no-hwloc
    expect 'without hwloc' ''

    # Ranks that may run anywhere are told of, unless that hides nothing, or they cannot be bound.
    place "$two_packages" 2 0,1
    expect 'unbound' '' "2 ranks on 1 host $bind"
    place "$two_packages" 2 0,1 --no-hwloc
    expect 'unbound, not asked' ''
    place "$two_packages" 3 0,1
    expect 'more ranks than cores' ''
    place "$two_packages" 1 0,1
    test ! -s "$dir/err" || fail "one rank: $(cat "$dir/err")"
    place 'package:1 core:2 pu:1' 2 0,1
    expect 'one package' ''
    # Memory that all packages reach alike divides nobody, and neither does a second kind of memory.
    place '[numa] package:2 [numa] core:1 pu:1' 4 "$by_two"
    expect 'far memory' "$(printf '  package 0: ranks 0-1\n  package 1: ranks 2-3')"
    place '[numa] package:2 [numa] core:1 pu:1' 4 "$by_two" --source binding --keep-chains
    expect 'NUMA nodes with far memory' "$(printf '%s\n' '  host HOST: ranks 0-3' '    package 0: ranks 0-1' \
        '      numa 0: ranks 0-1' '    package 1: ranks 2-3' '      numa 1: ranks 2-3')"
    place 'package:1 [numa] [numa] core:2 pu:1' 2 0,1
    expect 'two kinds of memory' ''
fi

# Ranks bound by the launcher itself, where it does so.
# shellcheck disable=SC2016 # expanded by the rank
sh "${srcdir:-.}/support/mpi-run.sh" 2 --bind-to core sh -c 'taskset -pc $$' >"$dir/cpus" 2>/dev/null || :
if test "$(grep -oE ': [0-9]+$' "$dir/cpus" | sort -u | wc -l)" = 2; then
    for made_up in 'package:2 core:1 pu:1' 'package:1 die:2 core:1 pu:1' 'numa:2 core:1 pu:1'; do
        # shellcheck disable=SC2016 # expanded by the rank
        sh "${srcdir:-.}/support/mpi-run.sh" 2 --bind-to core sh -c 'HWLOC_SYNTHETIC=$1 HWLOC_THISSYSTEM=1
            export HWLOC_SYNTHETIC HWLOC_THISSYSTEM; exec "$2" --format text --keep-chains' \
            sh "$made_up" "$tool" >"$dir/out" 2>"$dir/err" || fail "bound, $made_up: $(cat "$dir/err")"
        part=$(echo "$made_up" | grep -oE '[a-z]+:2' | cut -d: -f1)
        test "$(grep -oE "$part [01]: rank [01]\$" "$dir/out" | tr '\n' ';')" = "$part 0: rank 0;$part 1: rank 1;" ||
            fail "bound, $made_up: $(cat "$dir/out")"
    done
fi

# A file in place of the host: its hardware counts, but nobody is bound there, nor could be.
HWLOC_XMLFILE=${srcdir:-.}/../testdata/hwloc/old.xml
export HWLOC_XMLFILE
run 2 --format text >"$dir/out" 2>"$dir/err"
test "$(wc -l <"$dir/out")" = 1 || fail "HWLOC_XMLFILE: $(cat "$dir/out")"
grep -q 'not bound' "$dir/err" && fail "HWLOC_XMLFILE: $(cat "$dir/err")"
unset HWLOC_XMLFILE

# A singleton needs no launcher.
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS-}" # MPI's own leaks, see mpi-run.sh
timeout 60 "$tool" --no-hwloc >"$dir/out"
cmp "$dir/1.dot" "$dir/out" || fail "a singleton differs from mpirun -n 1"

# On one host there is nothing to measure.
for n in 1 3; do
    run $n --no-hwloc --measure >"$dir/out" 2>"$dir/err"
    cmp "$dir/$n.dot" "$dir/out" || fail "$n ranks: --measure changes something"
    grep -c 'all ranks run on one host: there is nothing to measure' "$dir/err" >"$dir/count" || true
    test "$(cat "$dir/count")" = 1 || fail "--measure on one host: $(cat "$dir/err")"
done

# Mistakes are reported once. mpirun may add its own words, and chooses its own status for a failure.
for arguments in '--prefix-length x' "-o $dir/no/file" "--measure -o $dir/no/file"; do
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
