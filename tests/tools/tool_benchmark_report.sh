#!/bin/sh
# benchmark_report: the guide of made-up results is compared whole, pictures hold what was measured, mistakes give
# their exit status and one line. HITOP_UPDATE_GOLDEN=1 accepts the output as it is.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
tool=$bin/benchmark_report
results=$top/testdata/benchmark/synthetic.json
. "${srcdir:-.}/support/scratch.sh"

golden() { # golden FILE NAME
    if test "${HITOP_UPDATE_GOLDEN-}"; then
        cp "$1" "$top/testdata/golden/$2"
    fi
    diff -u "$top/testdata/golden/$2" "$1" || fail "$2 differs"
}

"$tool" -i "$results" -o "$dir/guide.md"
golden "$dir/guide.md" benchmark-report.md
"$tool" --format md <"$results" | cmp - "$dir/guide.md" || fail "standard input and output differ"

# files of earlier versions have other names for two methods
sed 's/"timing":"window","line/"timing":"round-time","line/' "$results" | "$tool" --format md | cmp - "$dir/guide.md" || fail "round-time is not window"

# without an output it is a few lines
"$tool" "$results" >"$dir/brief"
test "$(wc -l <"$dir/brief")" -le 10 || fail "long: $(cat "$dir/brief")"
grep -qE '^Broadcast.* 8 +[0-9.]+ us \([0-9]+\) +[0-9.]+ us \([0-9]+[KM]iB\)$' "$dir/brief" || fail "brief: $(cat "$dir/brief")"
grep -q '^# [0-9]* more operations*, [1-9][0-9]* warnings*$' "$dir/brief" || fail "brief: $(cat "$dir/brief")"

# what benchmark_collective writes is described once
if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 -c 'import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
for path in sys.argv[2:]:
    jsonschema.validate(json.load(open(path)), schema)' "$top/doc/benchmark.schema.json" "$top"/testdata/benchmark/*.json ||
        fail "not valid"
fi

# as many lines as points, all with the same number of fields
"$tool" -i "$results" --format csv >"$dir/points.csv"
test "$(wc -l <"$dir/points.csv")" = $((1 + $(grep -o '"size_B"' "$results" | wc -l) - 3)) || fail "csv: lines" # 3 comparisons
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' "$dir/points.csv" || fail "csv: fields"
# a formula with its coefficients gives the time beside it; a parabola has a square
python3 - "$dir/points.csv" <<'END' || fail "csv: formulas"
import csv, math, sys
def value(text, m, P):
    total = 0
    for term in text.replace(" - ", " + -").split(" + "):
        factor, _, name = term.partition(" ")
        total += float(factor) * {"": 1, "m": m, "m^2": m * m, "ceil(log2 P)": math.ceil(math.log2(P)), "log2 P": math.log2(P),
            "m ceil(log2 P)": m * math.ceil(math.log2(P)), "(P-1)": P - 1, "m (P-1)": m * (P - 1)}[name]
    return 1e6 * total
rows = list(csv.DictReader(open(sys.argv[1])))
pairs = [(r[f], r[t], int(r["size_B"]), int(r["ranks"])) for r in rows
         for f, t in (("formula", "formula_us"), ("formula_all_ranks", "formula_all_ranks_us")) if r[f]]
assert len(pairs) > len(rows), len(pairs)
for text, us, m, P in pairs:
    got = value(text.replace("(P - 1)", "(P-1)"), m, P)
    assert abs(got / float(us) - 1) < 1e-6, (text, us, m, P, got)
assert sum(" m^2" in r["parabola"] for r in rows) > 0
END

# JSON has the same rows by the same names
"$tool" -i "$results" --format json >"$dir/points.json"
"$tool" -i "$results" -o "$dir/suffix.json"
cmp "$dir/points.json" "$dir/suffix.json" || fail "json: by suffix"
same_rows() { # same_rows CSV JSON LIST FORMAT
    python3 - "$@" <<'END' || fail "json: $3"
import csv, json, sys
rows, document = list(csv.DictReader(open(sys.argv[1]))), json.load(open(sys.argv[2]))
assert document["format"] == sys.argv[4] and document["version"] == 1, document["format"]
found = document[sys.argv[3]]
assert len(found) == len(rows) > 0
for r, f in zip(rows, found):
    assert list(r) == list(f), (list(r), list(f))
    for name, text in r.items():
        v = f[name]
        assert text == "" if v is None else text == v if isinstance(v, str) else float(text) == v, (name, text, v)
END
}
same_rows "$dir/points.csv" "$dir/points.json" points hitop-benchmark-points
grep -q '"parabola": "[-0-9.e]* [-+] [0-9.e-]* m [-+] [0-9.e-]* m^2"' "$dir/points.json" || fail "json: no parabola"

# what is said of itself, of changes, of all numbers of ranks
grep -q 'Warning: these times are synthetic' "$dir/guide.md" || fail "no warning"
grep -q 'their messages are the same bytes each time' "$dir/guide.md" || fail "nothing is said of unchanged messages"
grep -q '^| 4 B to 64 KiB | T(m, P) = .* µs · ⌈log₂ P⌉ + .* ps/B · m ⌈log₂ P⌉' "$dir/guide.md" || fail "no T(m, P)"

# the page loads nothing, runs nothing, and is what XML calls well-formed
"$tool" -i "$results" --no-figures -o "$dir/plain.html"
grep -q 'This guide has no figures' "$dir/plain.html" || fail "no figures, no note"
if grep -qiE '<script|<link|<img|<iframe|src=|@import|url\([^#]' "$dir/plain.html"; then
    fail "the page loads something"
fi
"$tool" -i "$results" -o "$dir/guide.html"
# times of eight operations, bandwidths of two; as many marks as points, and the legend's
test "$(grep -c '<figure ' "$dir/guide.html")" = 10 || fail "not 10 figures"
awk '/<figure /{ marks = lines = 0 } { marks += gsub(/class="mark"/, "&"); lines += gsub(/<path /, "&") }
     /<\/figure>/ { if (marks < 4 || lines < 2 * marks) { print "empty:", $0; exit 1 } }' "$dir/guide.html" ||
    fail "an empty figure"
# a size of 0 is on an axis where there is such a point: no bandwidth has one
awk '/<figure /{ zero = 0 } />0<\/text>/{ zero = 1 } /<figcaption>.*: bandwidth/{ n++; bad += zero } /<figcaption>.*: medians/{ times += zero }
     END { exit !(n == 2 && bad == 0 && times > 0) }' "$dir/guide.html" || fail "sizes of 0 bytes"
if grep -qiE '<script|<link|<img|<iframe| src=|@import|url\([^#]' "$dir/guide.html"; then
    fail "the page with figures loads something"
fi
test "$(grep -oE ' id=["'\''][^"'\'']*' "$dir/guide.html" | sort | uniq -d | wc -l)" = 0 || fail "ids twice"
if grep -E 'd="[^"]*(nan|inf)' "$dir/guide.html"; then
    fail "a figure has no number"
fi
if command -v xmllint >/dev/null; then
    xmllint --noout "$dir/guide.html" || fail "not well-formed"
fi

# each method of timing that benchmark_collective may name is explained by that name everywhere
timings="$(sed -n 's|^TIMINGS = ||p' "$top/models/Makefile.am" | sed 's|clock/timing_||g; s|_|-|g') round-trip"
test "$(echo "$timings" | wc -w)" = 6 || fail "methods of timing: $timings"
for timing in $timings; do
    printf '{"format":"hitop-benchmark","version":1,"curves":[{"operation":"broadcast","implementation":"mpi","ranks":2,"timing":"%s","points":[{"size_B":1,"repetitions":3,"state":"ok","time_us":{"median":1}}]}]}' \
        "$timing" | "$tool" - --format md -o "$dir/timing.md"
    grep -q "^- \\*\\*$timing\\*\\*: " "$dir/timing.md" || fail "the guide does not explain $timing"
    grep -q "^| \`$timing\`[ |]" "$top/doc/timing.md" || fail "timing.md does not explain $timing"
    for page in hitop.7 benchmark_collective.1; do
        sed 's/\\//g' "$top/man/$page.in" | grep -q "^\.BR* $timing" || fail "$page does not name $timing"
    done
    grep '"timing": {"enum"' "$top/doc/benchmark.schema.json" | grep -q "\"$timing\"" || fail "the schema lacks $timing"
done

# warnings are in one box that is folded, and above it, in sight, how many rows did not converge
printf '%s' '{"format":"hitop-benchmark","version":1,"warnings":["first","second","third"],"curves":[
  {"operation":"broadcast","implementation":"mpi","ranks":2,"points":[
    {"size_B":0,"repetitions":3,"state":"limit","time_us":{"median":1}},
    {"size_B":8,"repetitions":3,"state":"converged","time_us":{"median":2}}]},
  {"operation":"broadcast","implementation":"mpi","ranks":4,"points":[
    {"size_B":0,"repetitions":3,"state":"limit","time_us":{"median":3}},
    {"size_B":8,"repetitions":3,"state":"limit","time_us":{"median":4}}]}]}' >"$dir/limits.json"
"$tool" "$dir/limits.json" --no-figures -o "$dir/limits.html"
awk '/<details/ { open = 1; boxes++ } /Warning: (first|second|third)/ { inside += open } /<\/details>/ { open = 0 }
     /3 of 4 rows did not converge \(1 of 2 on 2 ranks, 2 of 2 on 4 ranks\)/ { warned = boxes == 0 } /<h2/ && !seen++ { early = inside == 3 }
     END { exit !(boxes == 1 && inside == 3 && warned && early) }' "$dir/limits.html" || fail "warnings: $(grep -n 'Warning\|converge' "$dir/limits.html")"
"$tool" --format md "$dir/limits.json" | sed -n '/^## At a glance/,/^## M/p' >"$dir/glance"
grep -q '2.00 µs (8 B)' "$dir/glance" || fail "the short message is not the smallest that is not empty: $(cat "$dir/glance")"
if grep -q '(0 B)' "$dir/glance"; then
    fail "an empty message is a short one: $(cat "$dir/glance")"
fi
sed 's/"limit"/"converged"/g' "$dir/limits.json" | "$tool" --format md >"$dir/out"
if grep -q 'did not converge' "$dir/out"; then
    fail "all converged: $(grep converge "$dir/out")"
fi

# two days: each point of the second one so many times as long; intervals of 10 %
day() { # day TIME OPERATION SIZE: the time of one size, the others are 100
    printf '{"format":"hitop-benchmark","version":1,"provenance":{"mpi_library":"M"},"curves":['
    comma=
    for operation in broadcast allreduce; do
        printf '%s{"operation":"%s","implementation":"mpi","ranks":8,"points":[' "$comma" $operation
        comma=
        for size in 8 1024 65536; do
            time=100
            test "$operation $size" != "$2 $3" || time=$1
            printf '%s{"size_B":%d,"repetitions":9,"state":"converged","time_us":{"median":%d,"lo":%d,"hi":%d}}' \
                "$comma" $size "$time" $((time * 9 / 10)) $((time * 11 / 10))
            comma=,
        done
        printf ']}'
    done
    printf ']}\n'
}
day 100 broadcast 8 >"$dir/monday.json"
for case in '122 same 0' '124 slower 4' '82 same 0' '81 faster 4'; do
    # shellcheck disable=SC2086 # words
    set -- $case
    day "$1" allreduce 1024 >"$dir/friday.json"
    "$tool" "$dir/monday.json" "$dir/friday.json" --compare >"$dir/text" || fail "$case: status $?"
    test "$(wc -l <"$dir/text")" -le 10 || fail "$case: long: $(cat "$dir/text")"
    status=0
    "$tool" "$dir/monday.json" "$dir/friday.json" --compare --strict --format csv >"$dir/csv" || status=$?
    test "$status" = "$3" || fail "$case: status $status"
    grep -q "^allreduce,mpi,8,.*,1024,100,90,110,$1,.*,$2\$" "$dir/csv" || fail "$case: $(cat "$dir/csv")"
    test "$(grep -c ',same$' "$dir/csv")" -ge 5 || fail "$case: others changed"
    test "$2" = same || test "$(sed -n 2p "$dir/csv")" = "$(grep ',1024,.*allreduce\|^allreduce.*,1024,' "$dir/csv")" || fail "$case: not on top"
done
"$tool" "$dir/monday.json" "$dir/friday.json" --compare --format json >"$dir/changes.json"
same_rows "$dir/csv" "$dir/changes.json" changes hitop-benchmark-changes
grep -q '^of 6 times 0 are slower, 1 faster, 5 the same; the largest change is allreduce on 8 ranks at 1KiB: 0.81 times (0.655 to 0.989)$' "$dir/text" ||
    fail "summary: $(cat "$dir/text")"
for format in html md text; do
    "$tool" "$dir/monday.json" "$dir/friday.json" --compare --all -o "$dir/changes.$format"
    test "$(grep -c same "$dir/changes.$format")" -ge 5 || fail "$format: $(cat "$dir/changes.$format")"
done
day 100 broadcast 8 | sed 's/"M"/"N"/' >"$dir/other.json"
sed 's/"ranks":8/"ranks":9/g' "$dir/other.json" >"$dir/nine.json"
"$tool" "$dir/monday.json" "$dir/other.json" --compare | grep -q '^# not one set-up: .*N' || fail "other set-ups"
refuse 3 "have no time of the same operation, ranks and size" "$dir/monday.json" "$dir/nine.json" --compare
refuse 2 "--compare: 1 files; it wants those of two days" "$dir/monday.json" --compare
refuse 2 "--all and --strict go with --compare only" "$dir/monday.json" --strict

# times of a real machine
"$tool" -i "$top/testdata/benchmark/two-ranks.json" -o "$dir/real.md"
test "$(grep -c '^- .*2 ranks.*: From 1 B to 64 KiB' "$dir/real.md")" = 2 || fail "real: $(grep '2 ranks' "$dir/real.md")"
grep -q 'T(m) = .* ns + .* ps/B · m' "$dir/real.md" || fail "real: no formula"

# words of files are words
printf '{"format":"hitop-benchmark","version":1,"warnings":["<b>x</b> | *y*"],"curves":[{"operation":"<i>","implementation":"`","ranks":2,"points":[{"size_B":1,"repetitions":3,"state":"ok","time_us":{"median":1}}]}]}' >"$dir/strange.json"
"$tool" -i "$dir/strange.json" -o "$dir/strange.html"
grep -q '&lt;b&gt;x&lt;/b&gt; | \*y\*' "$dir/strange.html" || fail "html: $(grep Warning "$dir/strange.html")"
grep -q '&lt;i&gt;' "$dir/strange.html" || fail "html: an operation is markup"
"$tool" -i "$dir/strange.json" --format md | grep -qF '\<b\>x\</b\> \| \*y\*' || fail "md: warnings are markup"

# what is wrong, and where
while read -r name message; do
    refuse 3 "$message" -i "$top/testdata/bad/$name"
done <<'LIST'
benchmark-format.json $.format: 'hitop-model' must be 'hitop-benchmark'
benchmark-version.json $.version: 2 is outside [1, 1]
benchmark-no-curves.json $.curves: missing
benchmark-ranks.json $.curves[0].ranks: 0 is outside [1, 2147483647]
benchmark-negative.json $.curves[0].points[0].time_us.median: -1 is outside [0,
benchmark-interval.json $.curves[0].points[0].time_us: lo 3 is larger than median 2
benchmark-twice.json $.curves[0].points: 8 bytes are there twice
benchmark-text.json $.curves[0].points[0].time_us.median: must be a number, not a string
benchmark-size.json $.curves[0].points[0].size_B: -8 is negative
benchmark-comparison.json $.comparisons[0]: ratio 2 is larger than hi 1
benchmark-warning.json $.warnings[1]: must be a string, not an integer
benchmark-nan.json :1:
benchmark-truncated.json :1:
LIST
refuse 3 "$dir/nothing: cannot open" -i "$dir/nothing"
refuse 2 "--output: 'guide.pdf' must end with .html, .md, .csv or .json" "$results" -o guide.pdf
cp "$results" "$dir/same.json"
refuse 2 "-o: '$dir/same.json' would replace what benchmark_report reads" "$dir/same.json" --format md -o "$dir/same.json"
refuse 1 "cannot create" "$results" -o "$dir/v1.5/plain"
: >"$dir/none.json"
refuse 3 "none.json: empty" "$dir/none.json"
refuse 2 "--format: 'pdf' is none of html, md, csv, json, text" --format pdf
for curves in '' '{"operation":"broadcast","implementation":"mpi","ranks":2,"points":[]}'; do
    echo "{\"format\":\"hitop-benchmark\",\"version\":1,\"curves\":[$curves]}" >"$dir/empty.json"
    refuse 3 "$dir/empty.json: there are no times in it" "$dir/empty.json"
done
if [ -c /dev/full ]; then
    refuse 1 "/dev/full: cannot write" "$results" -o /dev/full
fi
refuse 3 "$dir/other: cannot open" "$dir/other"
refuse 2 "--input: more than 64 launches" $(yes -- -ix | head -65)
refuse 1 "$dir/no/guide.html: cannot create" -i "$results" -o "$dir/no/guide.html"
