#!/bin/sh
# model_info: its answers against stored files (HITOP_UPDATE_GOLDEN=1 rewrites them), its refusals against
# their messages and exit statuses.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
golden=$top/testdata/golden
models=$top/testdata/models
model=$models/two-sites/hockney.json
tool=$bin/model_info
work=$(mktemp -d ./tool_model_info.XXXXXX)
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAIL: $*" >&2
    failed=1
}

compare() { # compare GOLDEN FILE: the file is the stored one
    if [ "${HITOP_UPDATE_GOLDEN:-0}" = 1 ]; then
        cp "$2" "$golden/$1"
    elif ! diff -u "$golden/$1" "$2"; then
        failed=1
    fi
}

expect() { # expect GOLDEN ARGUMENT...: the output is that of the stored file
    name=$1
    shift
    "$tool" "$@" >"$work/out" || fail "model_info $*: status $?"
    compare "$name" "$work/out"
}

refused() { # refused STATUS WORDS ARGUMENT...: that exit status and one line with these words
    wanted=$1 words=$2
    shift 2
    status=0
    "$tool" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    if [ "$status" != "$wanted" ] || [ -s "$work/out" ] || [ "$(wc -l <"$work/err")" != 1 ] ||
        ! grep -qF -- "$words" "$work/err"; then
        fail "model_info $*: status $status instead of $wanted, or no '$words' in: $(cat "$work/err")"
    fi
}

# What a model is.
expect info-hockney.txt "$model"
expect info-lmo.txt "$models/two-sites/lmo.json" --worst 1 -M 64k
expect info-loggp.txt "$models/two-sites/loggp.json" --worst 0
expect info-loggp.csv "$models/two-sites/loggp.json" --format csv
expect info-unmeasured.txt "$models/four-levels.json" --worst 2
expect info-plogp.csv "$models/two-sites/plogp.json" --format csv
expect info-lmo.json "$models/two-sites/lmo.json" --format json
for type in hockney lininterp lmo loggp piecewise plogp; do
    "$tool" "$models/two-sites/$type.json" | grep -q "^model  *$type;" || fail "$type: no head"
    "$tool" "$models/two-sites/$type.json" --format csv | awk -F, '
        NF != 19 { exit 1 }
        NR > 1 && $10 !~ /^([0-9.e+-]+|inf)$/ { exit 1 }
        END { exit !(NR >= 15) }' || fail "$type: not a table"
done

# One rank has no links; names with commas and quotes are quoted.
cat >"$work/one.json" <<'JSON'
{"format": "hitop-model", "version": 1, "model": "hockney", "convention": "one-way",
 "units": {"time": "s", "size": "B"}, "ranks": 1,
 "tree": {"hosts": ["a"], "parents": [1], "groups": [{"node": 1, "level": "", "name": "", "parent": null}]},
 "classes": []}
JSON
expect info-one.txt "$work/one.json"
test "$("$tool" "$work/one.json" --format csv | wc -l)" = 1 || fail "one rank: not a mere head"
"$tool" "$work/one.json" --format json | grep -q '"rows": \[\]' || fail "one rank: rows"
sed 's/"alpha"/"r[1,2] \\"x\\""/' "$model" >"$work/names.json"
sed -i 's/"r\[1,2\] \\"x\\"":/"alpha":/' "$work/names.json"
"$tool" "$work/names.json" --format csv | grep -q '^cluster,"r\[1,2\] ""x""",' || fail "a name is not quoted"

# What differs: in classes of one hierarchy, in all pairs of ranks, in some of them.
differs() { # differs GOLDEN ARGUMENT...: the output is that of the stored file, the exit status 4
    name=$1 status=0
    shift
    "$tool" "$@" >"$work/diff" || status=$?
    test $status = 4 || fail "model_info $*: status $status, not 4"
    sed "s|$models/||g" "$work/diff" >"$work/out"
    compare "$name" "$work/out"
}
differs info-diff-classes.txt "$model" --diff "$models/two-sites/piecewise.json"
differs info-diff-pairs.txt "$model" --diff "$models/two-sites/lmo.json" --sizes 1k
differs info-diff-sample.txt "$model" --diff "$models/two-sites/lmo.json" --sizes 1k --sample 9 --seed 3
differs info-diff.csv "$model" --diff "$models/two-sites/lmo.json" -m 0 -M 2 --format csv
differs info-diff.json "$model" --diff "$models/two-sites/lmo.json" --sizes 0,1m --format json
same() { "$tool" "$@" >"$work/out" || fail "model_info $*: status $?"; }
for type in hockney lininterp lmo loggp piecewise plogp; do
    same "$models/two-sites/$type.json" --diff "$models/two-sites/$type.json" --tolerance 0
done
same "$model" --diff "$models/two-sites/lininterp.json"
# without intervals the tolerance alone decides
exact() { sed '/"se": {/,/}/d; /"lo": {/,/}/d; /"hi": {/,/}/d' "$1"; }
exact "$model" >"$work/exact.json"
exact "$models/two-sites/loggp.json" >"$work/loggp.json"
# loggp counts bytes from the first one: at 1 KiB it is below by the price of one byte
same "$work/exact.json" --diff "$work/loggp.json" --sizes 1k --tolerance 2e-4
status=0
"$tool" "$work/exact.json" --diff "$work/loggp.json" --sizes 1k --tolerance 1e-5 >/dev/null || status=$?
test $status = 4 || fail "a byte within a tolerance of 1e-5: status $status"
same "$model" --diff "$models/two-sites/loggp.json" --sizes 1k --tolerance 1e-5
# alpha of one host, 1.2 us +- 0.0235 us, times a factor: the same within the tolerance, or where intervals of both overlap
compared() { # compared FACTOR MODEL ARGUMENT...: changed.json is the model so changed; what the tool exits with
    awk -v f="$1" '/"alpha": 1.2e-06/ && !done { sub(/1.2e-06/, 1.2e-06 * f); done = 1 } { print }' "$2" >"$work/changed.json"
    shift 2
    status=0
    "$tool" "$@" >"$work/out" || status=$?
    echo $status
}
for case in '1.05 0' '1.0501 4' '0.5 4' '0 4'; do
    test "$(compared "${case% *}" "$work/exact.json" "$work/exact.json" --diff "$work/changed.json" --sizes 0)" = "${case#* }" ||
        fail "alpha times ${case% *}: $(cat "$work/out")"
done
cp "$work/out" "$work/nothing"
for case in '1.038 0' '1.041 4' '0.962 0' '0.959 4'; do
    for order in forth back; do
        if test $order = forth; then set -- "$model" --diff "$work/changed.json"; else set -- "$work/changed.json" --diff "$model"; fi
        test "$(compared "${case% *}" "$model" "$@" --sizes 0 --tolerance 0)" = "${case#* }" || fail "intervals, times ${case% *} $order: $(cat "$work/out")"
    done
done
# predictions of collectives change as all prices do
awk '/"(alpha|beta)":/ && !/se/ { n = $2 + 0; sub(/[0-9.e-]+,?$/, sprintf("%.17g%s", 2 * n, /,$/ ? "," : "")) } { print }' "$work/exact.json" >"$work/double.json"
test "$("$tool" "$work/exact.json" --diff "$work/double.json" | grep -cE '^(bcast|allreduce|alltoall|gather) .* \+100$')" = 12 ||
    fail "twice the prices: $("$tool" "$work/exact.json" --diff "$work/double.json")"
cp "$work/nothing" "$work/out"
grep -q ' inf .* 1-5 ' "$work/out" || fail "a price of nothing: $(cat "$work/out")"
"$tool" "$work/one.json" --diff "$work/one.json" >"$work/out" || fail "one rank differs from itself"
sed 's/alpha01.site1.org/c1/' "$model" | "$tool" - --diff "$model" | grep -q 'on other hosts: rank 0 on c1, in B on alpha01' ||
    fail "other hosts are not reported"

# Prices of all pairs: those of the worked example, hosts in the order of the hierarchy.
for what in latency bandwidth time; do
    "$tool" "$model" --matrix $what
    "$tool" "$model" --matrix $what --by host -M 64k
    "$tool" "$work/one.json" --matrix $what
done >"$work/out"
compare info-matrix.csv "$work/out"
"$tool" "$models/two-sites/lmo.json" --matrix time -M 1000 | awk -F, '
    NR == 6 && ($2 - 1.34) ^ 2 > 1e-12 { exit 1 }' || fail "the time of 1000 bytes from rank 4 to rank 0"
awk 'BEGIN {
    n = 2001
    printf "{\"format\": \"hitop-model\", \"version\": 1, \"model\": \"hockney\", \"convention\": \"one-way\","
    printf "\"units\": {\"time\": \"s\", \"size\": \"B\"}, \"ranks\": %d, \"tree\": {\"hosts\": [", n
    for (i = 0; i < n; i++) printf "%s\"h%d\"", i ? "," : "", i / 2
    printf "], \"parents\": ["
    for (i = 0; i < n; i++) printf "%s%d", i ? "," : "", n
    printf "], \"groups\": [{\"node\": %d, \"level\": \"\", \"name\": \"\", \"parent\": null}]},", n
    printf "\"classes\": [{\"node\": %d, \"level\": \"\", \"name\": \"\", \"pair\": null, \"alpha\": 1e-6,", n
    print "\"beta\": 1e-9, \"nsizes\": 0, \"nsamples\": 0, \"converged\": true, \"residual\": 0}]}"
}' >"$work/large.json"
refused 2 "2001 rows and columns are more than 2000; --by host has fewer, --large writes them" \
    "$work/large.json" --matrix latency
test "$("$tool" "$work/large.json" --matrix latency --by host | wc -l)" = 1002 || fail "not 1001 hosts"
"$tool" "$work/large.json" --matrix latency --large | awk -F, '
    NF != 2002 || (NR > 1 && $NR != "") { exit 1 }
    END { exit NR != 2002 }' || fail "not 2001 ranks"

# One formula from another: the difference is what the residual says.
"$tool" "$models/two-sites/loggp.json" --as plogp -o "$work/plogp.json"
same "$models/two-sites/loggp.json" --diff "$work/plogp.json" --tolerance 1e-9
"$tool" "$models/two-sites/plogp.json" --as loggp | "$tool" - --format csv --worst 1 >"$work/out"
grep -q '^cluster,alpha,,,0,1,G,,s/B,4.00858306' "$work/out" || fail "G is not g(M) / M: $(cat "$work/out")"

# Pictures: scripts and data, with measured times; gnuplot makes SVG of them where there is one.
plotted() { # plotted GOLDEN NAME SUFFIX: that file of the pictures is the stored one
    sed "s|$work/||g" "$work/$2.$3" >"$work/out"
    compare "$1.$3" "$work/out"
}
draw() { # draw PREFIX ARGUMENT...: nothing is said
    prefix=$work/$1
    shift
    "$tool" "$@" --plot "$prefix" >"$work/out" 2>"$work/err" || fail "model_info $*: status $?"
    test ! -s "$work/out" || fail "--plot: $(cat "$work/out")"
    if command -v gnuplot >/dev/null; then
        test ! -s "$work/err" || fail "--plot: $(cat "$work/err")"
    fi
}
points=$models/two-sites/points.csv
draw p "$models/two-sites/piecewise.json" --points "$points"
for picture in times residuals matrix; do
    plotted info-plot-$picture p-$picture gp
    plotted info-plot-$picture p-$picture dat
done
draw l "$models/two-sites/lmo.json"
test ! -e "$work/l-residuals.gp" || fail "residuals without points"
draw four "$models/four-levels.json"
# rates that differ in the last bits only have a scale and are one number
sed 's/"beta": [0-9.e-]*,/"beta": 1e-10,/' "$model" >"$work/flat.json"
draw flat "$work/flat.json"
"$tool" "$work/flat.json" | grep -qE '^host +4 +4 +[0-9.]+ +10000 ' || fail "one rate is two: $("$tool" "$work/flat.json")"
# many hosts, and names that must not become commands of gnuplot or of a shell
draw large "$work/large.json" --max-size 16
grep -q '256 of 1001 hosts' "$work/large-matrix.gp" || fail "large: hosts are not counted"
sed "s/alpha01.site1.org/a'b\`touch x\`\\\\\\\"_{1}/; s/betas01/<\&>/" "$model" >"$work/names.json"
mkdir "$work/it's @ {x}"
draw "it's @ {x}/n" "$work/names.json" --points "$points"
test ! -e x || fail "a name was run"
"$tool" - --plot "$work/stdin" <"$model" 2>/dev/null
if command -v gnuplot >/dev/null; then
    for picture in p-times p-residuals p-matrix l-times four-times four-matrix large-matrix "it's @ {x}/n-matrix"; do
        test -s "$work/$picture.svg" || fail "no picture $picture"
        if command -v python3 >/dev/null; then
            python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$work/$picture.svg" ||
                fail "$picture: not XML"
        fi
    done
    grep -q 'piecewise.json: piecewise, 8 ranks' "$work/p-times.svg" || fail "no title"
    grep -q '64KiB' "$work/p-times.svg" || fail "no sizes"
    grep -q "a'b\`touch" "$work/it's @ {x}/n-matrix.svg" || fail "no strange name"
fi
# bandwidths that nothing limits
sed 's/"beta": [0-9.e-]*,/"beta": 0,/' "$model" >"$work/free.json"
"$tool" "$work/free.json" --plot "$work/free" >"$work/out" 2>"$work/err" || fail "--plot without limits: status $?"
if command -v gnuplot >/dev/null; then
    test ! -s "$work/err" || fail "--plot without limits: $(cat "$work/err")"
fi

# without gnuplot scripts are written all the same; with one that fails there is no half a picture
mkdir "$work/none" "$work/fails"
printf '#!/bin/sh\necho half >"%s"\nexit 3\n' "$work/q-times.svg" >"$work/fails/gnuplot"
chmod +x "$work/fails/gnuplot"
PATH=$work/none "$tool" "$model" --plot "$work/q" 2>"$work/err" || fail "no gnuplot: status $?"
grep -q 'gnuplot is not installed: scripts are written, no pictures' "$work/err" || fail "no gnuplot: $(cat "$work/err")"
test -s "$work/q-matrix.gp" || fail "no script without gnuplot"
status=0
PATH=$work/fails:$PATH "$tool" "$model" --plot "$work/q" 2>"$work/err" || status=$?
test $status = 1 || fail "gnuplot fails: status $status"
grep -q 'q-times.gp: gnuplot failed with status 3' "$work/err" || fail "gnuplot fails: $(cat "$work/err")"
test ! -e "$work/q-times.svg" || fail "half a picture remains"

# What hierarchical_model writes can be read, whatever groups are called.
cat >"$work/h.dot" <<'DOT'
digraph { a [type=0, model_data="h1", rank=0]; b [type=0, model_data="h2", rank=1];
g [type=1, level="rack", name="r[1,2] \"x\""]; a -> g; b -> g; }
DOT
cat >"$work/two.json" <<'JSON'
{"format": "hitop-model", "version": 1, "model": "hockney", "convention": "one-way",
 "units": {"time": "s", "size": "B"}, "ranks": 2,
 "tree": {"hosts": ["h1", "h2"], "parents": [2, 2], "groups": [{"node": 2, "level": "", "name": "", "parent": null}]},
 "classes": [{"node": 2, "level": "", "name": "", "pair": null, "alpha": 2e-6, "beta": 1e-9, "nsizes": 0,
  "nsamples": 0, "converged": true, "residual": 0}]}
JSON
$bin/hierarchical_model -q -C plogp -i "$work/h.dot" --simulate "$work/two.json" -o "$work/measured.json" \
    --points "$work/points.csv"
grep -q '^rack,"r\[1,2\] ""x""",0,1,' "$work/points.csv" || fail "points: $(head -2 "$work/points.csv")"
draw measured "$work/measured.json" --points "$work/points.csv"
test -s "$work/measured-residuals.gp" || fail "no residuals of what was measured"

# Points that are none: one line each, and no files.
for file in "$top"/testdata/bad/points-*.csv; do
    status=0
    "$tool" "$model" --plot "$work/bad" --points "$file" 2>"$work/err" || status=$?
    test $status = 3 || fail "$file: status $status"
    sed "s|^model_info: $top/testdata/bad/||" "$work/err"
done >"$work/out"
if [ "${HITOP_UPDATE_GOLDEN:-0}" = 1 ]; then
    cp "$work/out" "$top/testdata/bad/points.expected"
fi
diff -u "$top/testdata/bad/points.expected" "$work/out" || failed=1
test ! -e "$work/bad-times.gp" || fail "files of bad points"

# Files appear whole; a model may come from standard input.
"$tool" - -o "$work/file" <"$model"
"$tool" "$model" | cmp - "$work/file" || failed=1

refused 2 "a model file is missing; see model_info --help"
refused 2 "unexpected argument 'more'" "$model" more
refused 2 "--format: 'xml' is none of text, csv, json" "$model" --format xml
refused 2 "--worst: '-1' is not an integer" "$model" --worst -1
refused 2 "--max-size: '1Q' has no known unit" "$model" -M 1Q
refused 2 "--max-size: a message of 0 bytes" "$model" -M 0
refused 2 "unknown or ambiguous option '--bogus'" "$model" --bogus
refused 2 "go with --diff only" "$model" --sizes 1k
refused 2 "go with --diff only" "$model" --seed 1
refused 2 "hockney does not follow from piecewise" "$models/two-sites/piecewise.json" --as hockney
refused 2 "no model is called 'oak'" "$model" --as oak
refused 2 "--as writes a model file" "$model" --as loggp --format csv
cp "$model" "$work/same.json"
refused 2 "-o: '$work/same.json' would replace what model_info reads" "$work/same.json" -o "$work/same.json"
cp "$models/two-sites/loggp.json" "$work/same.json"
"$tool" "$work/same.json" --as plogp -o "$work/same.json" || fail "--as in place: status $?"
refused 2 "--points goes with --plot only" "$model" --points "$points"
refused 2 "do not go with it" "$model" --plot "$work/bad" --matrix time
refused 2 "do not go with it" "$model" --plot "$work/bad" -o "$work/file"
refused 2 "--plot: a name of a file with control characters" "$model" --plot "a
b"
refused 2 "one.json: one rank has no links to draw" "$work/one.json" --plot "$work/bad"
refused 3 "$work/none.csv: cannot open" "$model" --plot "$work/bad" --points "$work/none.csv"
refused 1 "cannot create" "$model" --plot "$work/no/file"
refused 2 "--by and --large go with --matrix only" "$model" --by host
refused 2 "--matrix: 'delay' is none of latency, bandwidth, time" "$model" --matrix delay
refused 2 "--by: 'rack' is none of rank, host" "$model" --matrix time --by rack
refused 2 "--format and --diff do not go with it" "$model" --matrix time --format csv
refused 2 "--format and --diff do not go with it" "$model" --matrix time --diff "$model"
refused 2 "--max-size: a message of 0 bytes" "$model" --matrix bandwidth -M 0
refused 2 "standard input cannot be both models" - --diff -
refused 2 "--tolerance: 'nan' is not a number" "$model" --diff "$model" --tolerance nan
refused 2 "--sample: '0' is not an integer" "$model" --diff "$model" --sample 0
refused 2 "(-m 2097152) is larger than the largest (-M 1048576)" "$model" --diff "$model" -m 2m
refused 3 "has 32 ranks, $model has 8" "$model" --diff "$models/four-levels.json"
refused 3 "$work/none.json: cannot open" "$model" --diff "$work/none.json"
refused 3 "$work/none.json: cannot open" "$work/none.json"
: >"$work/empty.json"
refused 3 "$work/empty.json: empty" "$work/empty.json"
head -c 700 "$model" >"$work/broken.json"
refused 3 "$work/broken.json:" "$work/broken.json"
sed 's/"alpha": 6e-05/"alpha": -6e-05/' "$model" >"$work/negative.json"
refused 3 "$work/negative.json: \$.classes[6].alpha" "$work/negative.json"
refused 1 "cannot create" "$model" -o "$work/no/file"
if [ -w /dev/full ]; then
    refused 1 "/dev/full: cannot write" "$model" -o /dev/full
fi

"$tool" --version | grep -q '^model_info (hitop ' || fail "no version"

exit $failed
