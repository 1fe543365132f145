#!/bin/sh
# export_tuning --check: each mistake that libraries ignore, misread or crash at is found in its line, and files without
# mistakes are clean. HITOP_UPDATE_GOLDEN=1 rewrites expected.txt; look at the difference.
set -eu
. "${srcdir:-.}/support/programs.sh"
. "${srcdir:-.}/support/scratch.sh"
top=$(cd "${srcdir:-.}/.." && pwd)
tool=$(cd "$bin" && pwd)/export_tuning
files=$top/testdata/tuning

# of all files that are wrong, everything that is found
cd "$files"
for file in bad/*; do
    status=0
    "$tool" --check "$file" >"$dir/one" 2>"$dir/err" || status=$?
    test $status = 1 || fail "$file: status $status: $(cat "$dir/err")"
    test -s "$dir/one" || fail "$file: nothing found"
    ! grep -v 'as line [0-9]* says; see --for$' "$dir/err" || fail "$file: $(cat "$dir/err")"
    cat "$dir/one" >>"$dir/all"
done
cd - >/dev/null
if [ "${HITOP_UPDATE_GOLDEN:-0}" = 1 ]; then
    cp "$dir/all" "$files/expected.txt"
fi
diff -u "$files/expected.txt" "$dir/all" || fail "expected.txt"

# what is known of the readers, a line each: its number (15 is below, 5 to 7 and others also in tool_export_points.sh), where it
# is found, and words of the message
while read -r number where words; do
    grep -F "bad/$where: " "$dir/all" | grep -qF -e "$words" || fail "$number: $where: no '$words'"
done <<'END'
1 numbers.rules:7 allgather has no algorithm 7 (sparbit) before 5.0
1 numbers.rules:9 allgather has no algorithm 8 before 6.0
1 numbers.rules:23 reduce has no algorithm 8 before 6.0
2 rules.json:5 bruck is bruck-k-fanout in 6.x, write the number 2
3 numbers.rules:8 allgather algorithm 2 with fan-out 0 never ends
3 rules.json:6 allgather algorithm 2 with fan-out 0 never ends
3 numbers.rules:23 reduce algorithm 8 with fan-out 1 never ends
4 numbers.rules:14 gather with another algorithm by size
4 rules.json:15 scatter with another algorithm by size
5 numbers.rules:19 only the first rule of a block counts
6 rules.json:4 "comm_size_max": "inf" is cut to -1
7 rules.json:9 rules for gatherv crash in MPI_Init
7 rules.json:10 rules for neighbor_alltoallw crash in MPI_Init
8 header.rules:2 does not begin the file
8 lines.rules:6 a rule of version 2 is on several lines
8 lines.rules:1 (Open MPI up to 4.1.7, 5.0 to 5.0.6)
9 site.conf:4 is shadowed by rules of the file (Open MPI up to 4.1.8)
9 site.conf:4 shadows all rules of the file for it (Open MPI from 5.0)
10 numbers.rules:6 algorithm 0 takes the general defaults
11 site.conf:3 coll_tuned_verbose 1
- quotes.conf:2 the quotes count as a part of the name
12 han.rules:7 there is no component 'sm' any more
12 han.rules:14 does not use rules for alltoall before 6.0
12 han.rules:18 alltoall has no algorithm 'smsc' before 6.0
13 csel.json:6 avg_msg_size is not defined for allgather
13 csel.json:14 is_commutative is not defined for scan
14 csel.json:10 total_msg_size of gather counts elements
16 csel.json:7 no "avg_msg_size=any" follows
16 csel.json:2 where only conditions on communicators may
17 csel.json:16 comm_hierarchy=node means any communicator that is not parent
17 csel.json:19 comm_avg_ppn is never small enough
18 csel.json:6 there is no MPIR_Allgather_intra_recexch_doubling: MPI_Init ends the program (MPICH up to 4.1)
18 csel.json:19 recursive_multiplying: MPI_Init ends the program (MPICH up to 4.2)
18 csel.json:20 there is no MPIR_Allreduce_intra_ccl
- csel.json:1 of 44 collectives are missing
19 ranks.coords:4 another rank has no coordinates
21 ucc.conf:2 bcast has no algorithm 'dbt' yet: UCC discards the whole string (UCC up to 1.2)
21 ucc.conf:5 reduce has no algorithm 'fast'
22 intel.json:7 the order is coll, ppn, comm_size, comm_id, msg_size
22 intel.json:6 no "msg_size=-1" follows
END

# 15: a length that is a multiple of the page
printf '{"collective=scan": {"composition=x": {}}}' >"$dir/page.json"
head -c $((4096 - $(wc -c <"$dir/page.json"))) /dev/zero | tr '\0' ' ' >>"$dir/page.json"
status=0
"$tool" --check "$dir/page.json" >"$dir/out" || status=$?
test $status = 1 && grep -q 'page.json:1: the file has 4096 bytes, .* reads beyond its end' "$dir/out" || fail "page: $(cat "$dir/out")"
printf ' ' >>"$dir/page.json"
"$tool" --check "$dir/page.json" >"$dir/out" || fail "page and a blank: $(cat "$dir/out")"

# no false alarm, and of one version only what concerns it
for file in "$files"/good/*; do
    version=
    case $file in *-4.0.json) version='--for 4.0' ;; esac
    # shellcheck disable=SC2086 # two words, or none
    "$tool" --check "$file" $version >"$dir/out" 2>"$dir/err" || fail "$file: $(cat "$dir/out")"
    ! grep -v 'as line [0-9]* says; see --for$' "$dir/err" || fail "$file: $(cat "$dir/err")"
    test ! -s "$dir/out" || fail "$file: $(cat "$dir/out")"
done
for case in '4.1.8 numbers.rules 7' '5.0 numbers.rules 9' '6.0 numbers.rules 8' '4.1.7 lines.rules 1'; do
    # shellcheck disable=SC2086 # three words
    set -- $case
    "$tool" --check "$files/bad/$2" --for "$1" | grep -q ":$3: " || fail "$case: not found"
done
for case in '5.0 numbers.rules 7' '6.0 numbers.rules 9' '5.0.10 numbers.rules 8' '4.1.8 lines.rules 1' '5.0.7 lines.rules 1'; do
    # shellcheck disable=SC2086 # three words
    set -- $case
    ! "$tool" --check "$files/bad/$2" --for "$1" | grep ":$3: " || fail "$case: found"
done
"$tool" --check - --format openmpi-tuned <"$files/good/classic.rules" || fail "standard input"

# what export_tuning writes is clean for its version
for format in openmpi-han:4.1 openmpi-han:5.0 openmpi-han:6.0 openmpi-tuned:4.1 openmpi-tuned:5.0 openmpi-tuned-json:6.0 mpich-coords:4.2 \
    mpich-csel:4.0 mpich-csel:4.1 mpich-csel:4.3; do
    "$tool" -i "$top/testdata/models/two-sites/hockney.json" --format "${format%:*}" --for "${format#*:}" -o "$dir/file"
    "$tool" --check "$dir/file" --for "${format#*:}" || fail "$format"
done
for format in ucc intel; do
    "$tool" -i "$top/testdata/models/two-sites/lmo.json" --format "$format" --job 4x2 -o "$dir/file"
    "$tool" --check "$dir/file" --format "$format" || fail "$format"
done

# what is no tuning file, or not complete
refuse 2 "'simgrid' cannot be checked; valid: openmpi-tuned-json" --check "$files/good/classic.rules" --format simgrid
refuse 2 "--for: 'new' is not a version" --check "$files/good/classic.rules" --for new
refuse 2 "--check goes without -i, -o, --rules, --han-rules, --validation and --verify" --check "$files/good/classic.rules" -o x
refuse 3 "none: cannot open" --check "$dir/none"
echo 'some words' >"$dir/words"
refuse 3 "words: no tuning file that can be checked (openmpi-tuned-json" --check "$dir/words"
: >"$dir/empty"
refuse 3 "empty: no tuning file that can be checked" --check "$dir/empty"
printf '1\n7\n1\n2 2\n0 6 0 0\n' >"$dir/short"
refuse 3 "short:6: the file ends before a message size; Open MPI ignores all of it" --check "$dir/short"
printf '1\n70\n' >"$dir/high"
refuse 3 "high:2: there is no collective 70; Open MPI ignores the whole file" --check "$dir/high"
printf '{ "collectives": { "bcast": [ { ' >"$dir/short.json"
refuse 3 "short.json:1: a name in double quotes is missing" --check "$dir/short.json"
printf '{ "collective=bcast": {} } }' >"$dir/more.json"
printf 'UCC_TL_UCP_TUNE = bcast:0-4k:host:@fast' >"$dir/blanks.conf"
printf 'UCC_TL_UCP_TUNE="bcast:0-4k:host:@ring' >"$dir/quote.conf"
printf '{"coll=Bcast": {"ppn=1": {"comm_size=2": {"comm_id=-1": [1, 2]}}}}' >"$dir/array.json"
printf '{"collective=": {"any": {"algorithm=x": {}}}}' >"$dir/unnamed.json"
while read -r name words; do
    status=0
    "$tool" --check "$dir/$name" >"$dir/out" 2>"$dir/err" || status=$?
    test $status = 1 && grep -qF -e "$words" "$dir/out" || fail "$name: status $status, no '$words' in $(cat "$dir/out" "$dir/err")"
done <<'END'
blanks.conf bcast has no algorithm 'fast'
quote.conf bcast has no algorithm 'ring'
array.json no "msg_size=-1" follows
unnamed.json there is no collective ''
END
printf 'x rule-file-version-' >"$dir/header"
status=0
"$tool" --check "$dir/header" >"$dir/out" 2>"$dir/err" || status=$?
test $status = 3 && grep -qF "'-' is read as the number of collectives" "$dir/out" || fail "header: status $status, $(cat "$dir/out" "$dir/err")"
refuse 3 "more.json:1: something follows the JSON object" --check "$dir/more.json"
