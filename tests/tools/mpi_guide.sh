#!/bin/sh
# The guide from one command: all eight operations, in three files, with formulas; wrong names of guides are refused.
set -eu
here=$(cd "${srcdir:-.}" && pwd)
. "$here/support/scratch.sh"
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS-}" # MPI's own leaks, see mpi-run.sh
build=$(cd .. && pwd)

if [ -z "${MPIRUN-}" ]; then
    echo "skipped: no mpirun"
    exit 77
fi
cd "$dir"
LAUNCHES=1 RANKS=2,3 MAX_SIZE=1KiB BUDGET=4ms timeout 100 "$here/../examples/guide.sh" -o g "$build" >out 2>err ||
    fail "guide.sh: status $? $(cat err)"
test "$(cat out)" = "g.html g.md g.json" || fail "files: $(cat out)"
for name in PingPong SendReceive Broadcast Scatter Gather Alltoall Reduce Barrier; do
    grep -q "^## $name\$" g.md || fail "no $name"
    grep -q ">$name</h2>" g.html || fail "html: no $name"
done
grep -q 'T(m, P) = ' g.md || fail "no formula for all ranks"
grep -q 'contents looked at and right' g.md || fail "contents were not checked"
if grep -q 'elements wrong' g.md; then
    fail "contents are wrong"
fi
test "$(grep -c '<figure ' g.html)" = 10 || fail "not 10 figures"

# several launches make one guide, by default so many that their order makes its intervals
RANKS=2 MAX_SIZE=8 BUDGET=2ms timeout 100 "$here/../examples/guide.sh" -o l "$build" >out 2>err ||
    fail "guide.sh, 6 launches: status $? $(cat err)"
test "$(cat out)" = "l.html l.md l-1.json l-2.json l-3.json l-4.json l-5.json l-6.json" || fail "files of 6 launches: $(cat out)"
test "$(cat err)" = "$(seq -f 'guide.sh: launch %g of 6' 6)" || fail "6 launches say: $(cat err)"
grep -q 'This guide is made of 6 launches' l.md || fail "6 launches are not in the guide"
grep -q "Its 95 % interval is made of the order of the launches' medians" l.md || fail "intervals of 6 launches"
for wrong in 0 x; do
    status=0
    LAUNCHES=$wrong "$here/../examples/guide.sh" "$build" 2>err || status=$?
    test "$status" = 2 || fail "LAUNCHES=$wrong: status $status"
done

for wrong in 0 abc -1 '2 x' 2,,4 ,2 2,0 2.5; do
    status=0
    RANKS=$wrong "$here/../examples/guide.sh" "$build" >out 2>err || status=$?
    test "$status" = 2 || fail "RANKS=$wrong: status $status"
    test "$(cat out err)" = "guide.sh: RANKS is '$wrong', must be numbers of ranks with commas, such as 2,4,8" || fail "RANKS=$wrong: $(cat err)"
done

# an output that cannot be written is reported before anything is measured, in one line
mkdir folder.md
for name in no/g /proc/g folder; do
    status=0
    "$here/../examples/guide.sh" -o $name "$build" >out 2>err || status=$?
    test "$status" = 1 || fail "-o $name: status $status"
    test "$(cat out err | wc -l)" = 1 || fail "-o $name: $(cat out err)"
    grep -q "^guide.sh: $name\.[a-z]*: cannot create: [A-Za-z]" err || fail "-o $name: $(cat err)"
done

# a missing file is reported in one line, too
wrong() { # wrong STATUS TEXT ARGUMENT...
    want=$1 text=$2 status=0
    shift 2
    "$here/../examples/guide.sh" "$@" >out 2>err || status=$?
    test "$status" = "$want" || fail "guide.sh $*: status $status, not $want: $(cat err)"
    test "$(cat out err)" = "guide.sh: $text" || fail "guide.sh $*: $(cat out err)"
}
wrong 2 "unknown option --onn; see guide.sh --help" --onn x
wrong 2 "-o needs an argument; see guide.sh --help" "$build" -o
wrong 2 "one build folder is wanted, not $build and extra" "$build" extra
wrong 2 "--on needs the build folder, too, which has the virtual cluster" --on x.conf
wrong 3 "nowhere.conf: not a readable file" --on nowhere.conf "$build"
wrong 1 "nowhere is not a build folder: there is no nowhere/tools/benchmark_collective" nowhere
MPIRUN=nowhere wrong 1 "MPIRUN is 'nowhere': there is no such command" "$build"
"$here/../examples/guide.sh" --help >out 2>err || fail "--help: status $?"
grep -q '^usage: guide.sh ' out || fail "--help: $(cat out err)"
test ! -s err || fail "--help: $(cat err)"

# after an interruption the files are as before
interrupt() { # after a while in the middle of measuring, as a terminal does it: the launcher gets the signal, too
    RANKS=2 BUDGET=500ms setsid "$here/../examples/guide.sh" -o i "$build" >out 2>err &
    group=$! status=0
    sleep 2
    kill -TERM "-$group"
    wait $group || status=$?
    test $status = 1 || fail "interrupted: status $status $(cat out err)"
    grep -qx 'guide.sh: interrupted: nothing is written' err || fail "interrupted: $(cat out err)"
}
if command -v setsid >/dev/null; then
    interrupt
    test "$(echo i*)" = 'i*' || fail "interrupted, left: $(ls)"
    echo before >i.json
    export LAUNCHES=1
    interrupt
    test "$(echo i*) $(cat i.json)" = 'i.json before' || fail "interrupted, left: $(ls) $(cat i.json)"
fi

# what can be refused is refused before anything is measured
status=0
"$build/tools/benchmark_collective" --report g.pdf 2>err || status=$?
test $status = 2 || fail "g.pdf: status $status"
grep -q "'g.pdf' must end with .html, .md, .csv or .json" err || fail "g.pdf: $(cat err)"
