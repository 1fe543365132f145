#!/usr/bin/env bash
# All tests: a build tree for each MPI, sanitizers, valgrind, the tarball and the form of the sources.
# usage: build-aux/check-all.sh [STEP...]   steps: form openmpi mpich asan smpi valgrind (all), and bookworm trixie
#
# bookworm and trixie take long and are run only when named: ./quickstart, then the tests with Open MPI, in a minimal system of
# that release of Debian, which build-aux/check-system.sh makes as root; left out, in one line, where it cannot.
# A test runs in each tree in which it can fail: all with Open MPI, those that depend on the MPI library with MPICH, those
# that run compiled code under sanitizers. The tree of MPICH is made of the tarball, which must have all files of git; it is
# installed and cleaned in the end.
# A step is one build tree below the sources; its log is BUILD/check.log. The last line is
# "N passed, N failed", counted over the tests of all steps; a step that cannot even build counts as a
# failed test. HITOP_JOBS sets the number of parallel jobs. With HITOP_CHECK_MINUTES no step begins later than so many minutes
# after the start: it is left out, and named.
set -uo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
jobs=${HITOP_JOBS:-$(nproc)}
export -n HITOP_JOBS HITOP_CHECK_MINUTES # programs would report them as unknown settings
passed=0 failed=0 skipped=0

say() { printf '%s %s\n' "$(date +%T)" "$*"; }

# Count automake's results in a log. Tests that failed run once more, and say so: some watch clocks on a machine
# that may be busy. What fails again is shown.
count_log() { # count_log TREE LOG
    local p f s
    p=$(grep -c '^PASS: ' "$2")
    f=$(grep -cE '^(FAIL|ERROR|XPASS): ' "$2")
    s=$(grep -c '^SKIP: ' "$2")
    if [ "$f" -gt 0 ]; then
        grep -E '^(FAIL|ERROR|XPASS): ' "$2" | sed 's/$/ (runs once more)/'
        for folder in "$1/tests" "$1/tests/vcluster"; do
            [ ! -e "$folder/Makefile" ] || make -C "$folder" -k recheck SUBDIRS=.
        done >"$1/recheck.log" 2>&1
        p=$((p + $(grep -c '^PASS: ' "$1/recheck.log")))
        f=$(grep -cE '^(FAIL|ERROR|XPASS): ' "$1/recheck.log")
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    say "  $p passed, $f failed, $s skipped"
    grep '^SKIP: ' "$2"
    [ "$f" -gt 0 ] || return 0
    grep -E '^(FAIL|ERROR|XPASS): ' "$1/recheck.log" | sed 's/^[A-Z]*: *//' | while read -r name; do
        find "$1" -path "*/$name.log" -exec sh -c 'echo "--- $1"; tail -n 40 "$1"' _ {} \;
    done
}

one_test() { # one_test NAME COMMAND...: a test outside automake
    local name=$1
    shift
    if ("$@") >"$name.out" 2>&1; then
        passed=$((passed + 1))
        rm -f "$name.out"
    else
        failed=$((failed + 1))
        say "  FAIL: $name"
        tail -n 40 "$name.out"
        rm -f "$name.out"
        return 1
    fi
}

# Configure a tree, again when packages have come since, and make it, or those of its folders that $parts names. A tree that
# does not build counts as one failed test.
build() { # build FOLDER CONFIGURE_ARGUMENT...
    local folder=$1 part
    configure "$@" || return
    for part in ${parts:-.}; do
        make -C "$folder/$part" -s -j"$jobs" >>"$folder/build.log" 2>&1 || {
            does_not_build "$folder"
            return 1
        }
    done
}

# /bin/sh is often a smaller shell than the one that configure would choose for libtool, which makes a build shorter.
configure() { # configure FOLDER CONFIGURE_ARGUMENT...
    local folder=$1
    shift
    mkdir -p "$folder"
    {
        is_configured "$folder" ||
            (cd "$folder" && CONFIG_SHELL=/bin/sh /bin/sh "../${sources:-.}/configure" --quiet --enable-werror "$@")
    } >"$folder/build.log" 2>&1 || does_not_build "$folder"
}

does_not_build() {
    say "  FAIL: $1 does not build"
    tail -n 40 "$1/build.log"
    failed=$((failed + 1))
    return 1
}

is_configured() { # for these sources, with warnings as errors and all packages that are there now
    local status=$1/config.status
    [ -e "$status" ] && [ ! "$status" -ot configure ] && [ ! "$status" -ot /var/lib/dpkg/status ] &&
        grep -q -e '--enable-werror' "$status"
}

check_tree() { # check_tree TREE [FOLDER [MAKE_ARGUMENT...]]: all of the tree, or what is in one folder
    local tree=$1 folder=$1/${2-} status=0
    shift $(($# > 1 ? 2 : 1))
    make -C "$folder" -k -j"$jobs" check "$@" >"$tree/check.log" 2>&1 || status=$?
    if [ $status -ne 0 ] && ! grep -qE '^(FAIL|ERROR|XPASS): ' "$tree/check.log"; then
        say "  FAIL: make check in $folder"
        tail -n 40 "$tree/check.log"
        failed=$((failed + 1))
    fi
    count_log "$tree" "$tree/check.log"
}

first_of() { # the first command that exists
    for word in "$@"; do
        command -v "$word" && return
    done
    echo no
}

formatted() { git ls-files '*.c' '*.h' | xargs clang-format --dry-run -Werror; }

step_form() {
    if command -v clang-format >/dev/null && [ -e .git ]; then
        one_test clang-format formatted
    fi
    for script in quickstart .ci/run examples/*.sh build-aux/*.sh $(find tests -name "*.sh" | sort); do
        one_test "syntax" bash -n "$script"
    done
}

step_openmpi() { build build-openmpi MPICC="$(first_of mpicc.openmpi mpicc)" && check_tree build-openmpi; }

list() { make -s --no-print-directory -C "$1/tests" "list-$2"; } # list TREE WHAT

# Of the tarball, as it is given to users: its sources cannot be written, what is installed can be removed again, and make
# distclean leaves nothing. Of its tests only those are built that run here.
step_mpich() {
    local tree=build-mpich
    make_tarball || return
    rm -rf "$tree"
    sources=build-tarball build "$tree" MPICC="$(first_of mpicc.mpich)" CFLAGS=-O0 --prefix="$PWD/$tree/installed" || return
    check_tree "$tree" tests SUBDIRS=. TESTS="$(list "$tree" mpi-tests)" \
        check_PROGRAMS="$(list "$tree" mpi-programs)"
    check_tree "$tree" tests/vcluster
    one_test "install" installs_and_cleans "$tree"
}

make_tarball() { # in build-tarball, unpacked
    configure build-openmpi MPICC="$(first_of mpicc.openmpi mpicc)" || return
    [ ! -e build-tarball ] || chmod -R u+w build-tarball
    rm -rf build-tarball build-openmpi/hitop-*.tar.gz
    mkdir build-tarball
    one_test "dist" make -C build-openmpi -s dist || return
    tar xzf build-openmpi/hitop-*.tar.gz -C build-tarball --strip-components=1
    chmod -R a-w build-tarball
    if [ -e .git ]; then
        one_test "tarball" holds_all_files build-openmpi/hitop-*.tar.gz
    fi
}

holds_all_files() { # holds_all_files TARBALL
    git ls-files | grep -vE '(^|/)\.git' | sort | comm -23 - <(tar tf "$1" | sed 's|^[^/]*/||' | sort) | tee /dev/stderr |
        wc -l | grep -qx 0
}

installs_and_cleans() { # installs_and_cleans TREE
    local tree=$1 folder
    make -C "$tree" -s install && make -C "$tree" -s installcheck && build-aux/check-moved.sh "$tree/installed" && make -C "$tree" -s uninstall &&
        make -C "$tree" -s distuninstallcheck distuninstallcheck_dir="$PWD/$tree/installed" || return
    # below another root, as packages are made
    folder=$PWD/$tree/root
    make -C "$tree" -s install DESTDIR="$folder" && make -C "$tree" -s uninstall DESTDIR="$folder" &&
        make -C "$tree" -s distuninstallcheck distuninstallcheck_dir="$folder" || return
    rm -rf "$tree/installed" "$folder"
    make -C "$tree" -s dist && rm -f "$tree"/hitop-*.tar.gz || return
    cat "$tree"/tests/turns.times "$tree"/tests/vcluster/turns.times >"$tree/times.log"
    make -C "$tree" -s distcleancheck distcleancheck_listfiles="find . -type f ! -path './[a-z]*.log'"
}

step_smpi() {
    parts='src hierarchy models coll tools bench' build build-smpi MPICC="$(first_of smpicc)" CFLAGS=-O1 &&
        check_tree build-smpi tests
}

step_asan() {
    parts='src hierarchy models coll tools examples' build build-asan MPICC="$(first_of mpicc.openmpi mpicc)" \
        CFLAGS='-g1 -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer' || return
    export CK_TIMEOUT_MULTIPLIER=3 # it takes several times as long
    # the virtual cluster has no code of Hitop
    check_tree build-asan tests SUBDIRS=. TESTS="$(list build-asan sanitizer-tests)"
}

step_valgrind() {
    command -v valgrind >/dev/null || return
    local tree=build-openmpi test tests running=()
    build "$tree" MPICC="$(first_of mpicc.openmpi mpicc)" || return
    tests=$(list "$tree" valgrind-tests)
    # shellcheck disable=SC2086 # words
    make -C "$tree/tests" -s -j"$jobs" $tests >/dev/null 2>&1
    for test in $tests; do # several at once, each on one processor
        [ ${#running[@]} -lt "$jobs" ] || { wait "${running[0]}"; running=("${running[@]:1}"); }
        under_valgrind "$tree/tests" "$test" >"$tree/valgrind-$test.out" 2>&1 &
        running+=($!)
    done
    wait "${running[@]}"
    for test in $tests; do
        if ! went_well "$tree/valgrind-$test.out" >/dev/null; then # as count_log does
            echo "FAIL: valgrind-$test (runs once more)"
            under_valgrind "$tree/tests" "$test" >"$tree/valgrind-$test.out" 2>&1
        fi
        one_test "valgrind-$test" went_well "$tree/valgrind-$test.out"
    done
}

# The last line says whether it did.
under_valgrind() ( # under_valgrind FOLDER TEST: as make check would run it
    status=0
    cd "$1" && srcdir=../../tests CK_FORK=no HITOP_TEST_SLOW=1 valgrind -q --error-exitcode=9 --leak-check=full "./$2" || status=$?
    echo "status $status"
)

went_well() {
    cat "$1"
    [ "$(tail -n 1 "$1")" = "status 0" ]
}

step_bookworm() { check_system bookworm; }

step_trixie() { check_system trixie; }

check_system() { # check_system SUITE
    local log=$1.log status=0 p f line
    HITOP_JOBS=$jobs build-aux/check-system.sh --quick "$1" >"$log" 2>&1 || status=$?
    if [ $status -eq 77 ]; then
        skipped=$((skipped + 1))
        tail -n 1 "$log"
        rm -f "$log"
        return
    fi
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
    p=${line%% *} f=${line#*, } f=${f%% *}
    [ "$status" -eq 0 ] || [ "${f:-0}" -gt 0 ] || f=1
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0}))
    [ "$status" -eq 0 ] || tail -n 80 "$log"
    tail -n 1 "$log"
    say "  ${p:-0} passed, ${f:-0} failed"
}

# Of all trees, in seconds.
ten_slowest() {
    cat build-*/tests/turns.times build-*/tests/vcluster/turns.times build-*/times.log 2>/dev/null | sort -rn | head -n 10 |
        awk 'NR == 1 { print "slowest tests: seconds, of processors, name" } { printf "%8.1f %8.1f  %s\n", $1, $2, $3 }'
}

is_late() { # is_late STEP: no time is left for it
    [ "$SECONDS" -gt $((60 * ${HITOP_CHECK_MINUTES:-100000})) ] || return
    skipped=$((skipped + 1))
    say "left out, because $HITOP_CHECK_MINUTES minutes have passed: $1"
}

run() { # run STEP...
    for step in "$@"; do
        ! is_late "$step" || continue
        say "$step"
        "step_$step"
    done
}

# The first step uses one processor for most of its time, and no clock: it runs beside the others.
run_beside() { # run_beside STEP STEP...
    local beside=$1 log=$1.log counts pid
    (
        passed=0 failed=0 skipped=0
        run "$beside"
        echo "$passed $failed $skipped"
    ) >"$log" 2>&1 &
    pid=$!
    run "${@:2}"
    wait $pid
    sed '$d' "$log"
    read -ra counts < <(tail -n 1 "$log")
    passed=$((passed + counts[0])) failed=$((failed + counts[1])) skipped=$((skipped + counts[2]))
    rm -f "$log"
}

main() {
    if [ ! -e configure ] || [ configure.ac -nt configure ]; then
        one_test autogen ./autogen.sh || exit 1
    fi
    rm -f build-*/tests/turns.times build-*/tests/vcluster/turns.times build-*/times.log
    if [ $# -gt 0 ]; then
        run "$@"
    else
        run form openmpi mpich asan
        run_beside smpi valgrind
        say "left out: bookworm trixie, which run when named"
    fi
    if [ "$skipped" -gt 0 ]; then
        echo "$skipped skipped"
    fi
    ten_slowest
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
}

main "$@"
