#!/bin/sh
# export_tuning --verify with a launcher that prints results of benchmark_collective: rules that are faster with the file in
# force stay, others go, and a launch that fails or hangs leaves no file.
set -eu
. "${srcdir:-.}/support/programs.sh"
. "${srcdir:-.}/support/scratch.sh"
tool=$(cd "$bin" && pwd)/export_tuning
model=$(cd "${srcdir:-.}/../testdata/models/two-sites" && pwd)/hockney.json
cd "$dir"
mkdir made

# launcher RANKS ... --points bcast:64,gather:8 ...: the script "seconds" gets the operation, "with" or "without", and the number
# of the launch, and prints microseconds
cat >launcher <<'END'
#!/bin/sh
ranks=$1 side=without
shift
for file in "${OMPI_MCA_coll_tuned_dynamic_rules_filename-}" "${OMPI_MCA_coll_han_dynamic_rules_filename-}" \
    "${MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE-}"; do
    [ -z "$file" ] || { side=with && [ -s "$file" ] || exit 9; cp "$file" candidate; }
done
printenv | grep -E '^(OMPI_MCA|MPIR_CVAR)_' | sort >"variables.$side"
echo "$side $*" >>log
n=$(wc -l <log)
echo 'a line of the launcher'
. ./before
while [ "$1" != --points ]; do shift; done
printf '{"format": "hitop-benchmark", "version": 1, "curves": ['
comma=
for point in $(echo "$2" | tr , ' '); do
    us=$(set -- "${point%:*}" "$side" "$n" && . ./seconds)
    printf '%s{"operation": "%s", "implementation": "mpi", "ranks": %d, "hosts": 1, "points": [' "$comma" "${point%:*}" "$ranks"
    printf '{"size_B": %d, "repetitions": 20, "state": "limit", "time_us": {"median": %s}}]}' "${point#*:}" "$us"
    comma=,
done
echo ']}'
END
chmod +x launcher
: >before

verify() { # verify STATUS ARGUMENT...: status, and output in table and err
    want=$1 status=0
    shift
    rm -f log candidate made/*
    "$tool" -i "$model" -o made/rules --verify './launcher 8' "$@" >table 2>err </dev/null || status=$?
    test "$status" = "$want" || fail "$*: status $status, not $want: $(cat err table)"
}

no_file() { # no_file TEXT ARGUMENT...: fails with one line that contains TEXT, and leaves no file
    text=$1
    shift
    verify 1 "$@"
    test "$(wc -l <err)" = 1 || fail "$text: not one line: $(cat err)"
    grep -qF -e "$text" err || fail "no '$text' in $(cat err)"
    test ! -s table || fail "$text: $(cat table)"
    test -z "$(ls made)" || fail "$text: left $(ls made)"
}
tuned='--format openmpi-tuned --for 4.1'

# everything is twice as fast: the rules are those without --verify, in launches that take turns
"$tool" -i "$model" $tuned -o plain
echo 'case $2 in with) echo 50 ;; *) echo 100.$3 ;; esac' >seconds
OMPI_MCA_coll_tuned_use_dynamic_rules=0 verify 0 $tuned
test "$(cut -d ' ' -f 1 log | tr '\n' ' ')" = 'without with without with without with ' || fail "launches: $(cat log)"
test ! -s variables.without || fail "in force without the file: $(cat variables.without)"
grep -qx "OMPI_MCA_coll_tuned_dynamic_rules_filename=$PWD/made/rules\..*" variables.with || fail "not in force: $(cat variables.with)"
grep -qx OMPI_MCA_coll_tuned_use_dynamic_rules=1 variables.with || fail "no rules: $(cat variables.with)"
grep -q 'measured 2.01 times as fast at [0-9A-Za-z]*, 3 launches, 2 to 2.01$' made/rules || fail "no gain: $(cat made/rules)"
test "$(ls made)" = rules || fail "left $(ls made)"
cut -d '#' -f 1 plain >a
cut -d '#' -f 1 made/rules >b
cmp a b || fail 'other rules'
cmp plain candidate || fail 'another candidate'
grep -q ' kept$' table && ! grep -q dropped table || fail "$(cat table)"
for name in $(sed -n 's/^[0-9]*  # \([a-z]*\)$/\1/p' plain | grep -v -x -e operations -e blocks -e exscan -e scan -e reduce_scatter); do
    grep -q "^$name " table || fail "no point of $name: $(cat table)"
done
verify 0 $tuned --launches 2 --points 64
test "$(wc -l <log)" = 4 || fail "--launches 2: $(cat log)"
test "$(grep -c ' kept$' table)" -gt 6 || fail "--points 64: $(cat table)"

# slower, equally fast, or not faster in each launch: that operation goes, the others stay
for case in '200' '100' '"$((40 + 12 * $3))"'; do
    echo "case \$1.\$2 in bcast.with) echo $case ;; *.with) echo 50 ;; *) echo 100 ;; esac" >seconds
    verify 4 $tuned --points 1
    grep -q '^bcast .* dropped$' table || fail "$case: $(cat table)"
    grep '^[a-z].* dropped$' table | grep -v -q '^bcast' && fail "$case: $(cat table)"
    grep -q '# bcast$' plain && ! grep -q '# bcast$' made/rules || fail "$case: bcast is in $(cat made/rules)"
    grep -q 'measured 2 times as fast' made/rules || fail "$case: $(cat made/rules)"
done

# all go, also those that were not measured: a file without rules
echo 'case $2 in with) echo 101 ;; *) echo 100 ;; esac' >seconds
model_rules=$(grep -c 'predicted' plain)
verify 4 $tuned
grep -q ' of [0-9]* rules kept, 0 of them measured$' table || fail "$(cat table)"
! grep -q 'measured [0-9]' made/rules || fail "$(cat made/rules)"
test "$(grep -c predicted made/rules)" -lt "$model_rules" || fail "$(cat made/rules)"
"$tool" --check made/rules --for 4.1 || fail "a wrong file: $(cat made/rules)"

# other formats: their variables, the default where a rule went
echo 'case $1.$2 in bcast.with) echo 200 ;; *.with) echo 50 ;; *) echo 100 ;; esac' >seconds
verify 4 --format openmpi-tuned-json
grep -q 'OMPI_MCA_coll_han_priority=0' variables.with || fail "$(cat variables.with)"
python3 -c 'import json; assert "bcast" not in json.load(open("made/rules"))["collectives"]' || fail "$(cat made/rules)"
verify 4 --format openmpi-han --for 5.0 --job 4x2
grep -q 'OMPI_MCA_coll_han_dynamic_rules_filename=/' variables.with || fail "$(cat variables.with)"
! grep -qx bcast made/rules || fail "$(cat made/rules)"
"$tool" -i "$model" --format mpich-csel --job 4x2 -o plain
sed -i 's/ranks=$1/ranks=4/' launcher # one rank on each host
echo 'case $1.$2 in reduce.with) echo 200 ;; *.with) echo 50 ;; *) echo 100 ;; esac' >seconds
verify 4 --format mpich-csel --job 4x2
python3 - <<'END' || fail "$(head -c 2000 made/rules)"
import json

plain, rules = json.load(open("plain")), json.load(open("made/rules"))
assert len(rules) == 44
other = [name for name in plain if plain[name] != rules[name]]
assert other == ["collective=reduce"], other
assert "comm_size<=4" not in rules["collective=reduce"]["comm_type=intra"]
END
sed -i 's/ranks=4/ranks=$1/' launcher

# launches that fail
echo 'echo 100' >seconds
cat >before <<'END'
[ "$n" != 2 ] || { printf -- '-----\nsome words\n\033[1mthe cause\n-----\n' >&2; exit 7; }
END
no_file '--verify: launch 2 of 6, with the file, failed with status 7: some words ?[1mthe cause' $tuned
echo 'kill -9 $$' >before
no_file 'launch 1 of 6, without the file, was ended by signal 9: nothing on standard error' $tuned
echo 'sleep 100; echo late >late' >before
no_file 'launch 1 of 6, without the file, did not end within 0.3 s and was killed' $tuned --time-limit 300ms
test ! -e late
echo 'exit 0' >before
no_file 'printed no results of benchmark_collective' $tuned
echo 'echo {; exit 0' >before
no_file 'printed no results of benchmark_collective: its output:' $tuned
: >before
echo 'echo 0' >seconds
no_file 'launch 1 of 6, without the file, has no time of ' $tuned
echo 'echo 100' >seconds
no_file 'launch 1 of 6, without the file, had 3 ranks on 1 host; the rules are for 8 ranks' $tuned --verify './launcher 3'
no_file "launch 1 of 6, without the file, cannot start './no-launcher': No such file" $tuned --verify ./no-launcher

# a signal ends the launch and removes the file beside the output
echo 'touch started; sleep 100' >before
"$tool" -i "$model" -o made/rules --verify './launcher 8' $tuned >table 2>err &
while [ ! -e started ]; do sleep 0.05; done
kill -TERM $!
! wait $! || fail 'success in spite of a signal'
grep -q 'was ended after SIGTERM' err || fail "$(cat err)"
test -z "$(ls made)" || fail "left $(ls made)"

# wrong options, found before anything is predicted
words() { refuse "$1" "$2" -i "$model" $tuned -o made/rules --verify "$3"; }
words 2 "--verify: 'mpirun \"-n 8' has a quote or brace without its end" 'mpirun "-n 8'
words 2 "has one of |&;<>(){} or a new line without quotes" 'mpirun -n 8; true'
words 2 "has a command in the command" 'mpirun $(nproc)'
words 2 "has a variable that is not set" 'mpirun $no_such_variable'
words 2 "--verify: the command has no words" ' '
refuse 2 "--verify needs -o FILE" -i "$model" $tuned --verify mpirun
refuse 2 "--verify needs -o FILE" -i "$model" $tuned --verify mpirun -o /dev/null
refuse 2 "--verify: no variables put a file of intel in force" -i "$model" --format intel --verify mpirun -o made/rules
refuse 2 "--verify is for one job" -i "$model" $tuned --job 4x1 --job 4x2 --verify mpirun -o made/rules
refuse 2 "--launches: '1' is not an integer in 2..64" -i "$model" $tuned --verify mpirun -o made/rules --launches 1
refuse 2 "--points: '0' is not an integer in 1..64" -i "$model" $tuned --verify mpirun -o made/rules --points 0
refuse 2 "--check goes without" --check plain --verify mpirun
for option in "--launches 4" "--points 2" "--time-limit 9s"; do
    # shellcheck disable=SC2086 # two words
    refuse 2 "go with --verify" -i "$model" --format openmpi-tuned $option
done
refuse 1 "no/rules: cannot create" -i "$model" $tuned --verify mpirun -o no/rules
