#!/bin/sh
# validate_model under mpirun: reports in all formats, and one message and no hang on mistakes. Ranks that share
# processors say nothing of a model, so that tolerances are wide.
set -eu
. "${srcdir:-.}/support/programs.sh"
tool=$bin/validate_model
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/end_early.sh"
export MPI_GRACE=0 # ranks agree before they fail
command -v "${MPIRUN:-mpirun}" >/dev/null 2>&1 || exit 77

run() { # run RANKS ARGUMENT... ; 0 ranks: without a launcher
    ranks=$1
    shift
    if [ "$ranks" = 0 ]; then
        "$tool" "$@"
    else
        sh "${srcdir:-.}/support/mpi-run.sh" "$ranks" "$tool" "$@"
    fi
}

sh "${srcdir:-.}/support/mpi-run.sh" 3 $bin/generate_hierarchy --no-hwloc -o "$dir/h.dot"
sh "${srcdir:-.}/support/mpi-run.sh" 3 $bin/hierarchical_model -C hockney -i "$dir/h.dot" -o "$dir/m.json" --budget 1s -M 64k \
    -R 20 -q >"$dir/out" 2>"$dir/err" || fail "$(cat "$dir/err")"

wide='--tolerance 1e6 --pattern-tolerance 1e6 --operation-tolerance 1e6 --budget 8s'
run 3 -i "$dir/m.json" $wide -o "$dir/out" 2>"$dir/err" || fail "status $?: $(cat "$dir/err")"
grep -q ', model hockney, against 3 ranks on 1 host: ' "$dir/out" || fail "$(cat "$dir/out")"
# a busy machine may not get through all sizes in that time, which is reported
grep -qE '^host  *2  *([1-9]|1[0-6]) .* holds$' "$dir/out" || fail "not two pairs: $(cat "$dir/out")"
test "$(grep -cE '^(fan|shift|binomial|exchange|pairs)  *-  *[1-3] .* holds$' "$dir/out")" = 5 || fail "$(cat "$dir/out")"
grep -q '^the model holds; nearest to its limit is ' "$dir/out" || fail "$(cat "$dir/out")"

# Fewer ranks will do; a tenth of a percent will not, and the file says so.
status=0
run 2 -i "$dir/m.json" --patterns none --operations barrier,bcast/chain --operation-tolerance 0.001 --budget 1s \
    --strict --format json -o "$dir/out.json" 2>"$dir/err" || status=$?
test $status = 4 || test $status = 0 || fail "two ranks: status $status: $(cat "$dir/err")"
python3 - "$dir/out.json" $status <<'EOF' || fail "JSON: $(cat "$dir/out.json")"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["format"] == "hitop-validation" and report["provenance"]["ranks"] == 2
assert report["provenance"]["command"].startswith("validate_model -i ") and report["provenance"]["hosts"].endswith(":2")
assert report["holds"] == (sys.argv[2] == "0") and report["launches"] == 1
assert {row["name"] for row in report["rows"] if row["kind"] == "collective"} == {"barrier/dissemination", "bcast/chain"}
assert all(row["state"] in ("holds", "does not hold", "too noisy", "not measured") for row in report["rows"])
assert [s["known"] for s in report["samples"] if s["kind"] == "pairs"] == [True] * 8
measured = [s for s in report["samples"] if s["measured_us"] is not None]
assert measured and all(0 < s["lo_us"] <= s["measured_us"] <= s["hi_us"] for s in measured)
assert len(measured) == len(report["samples"]) - sum(row["missing"] for row in report["rows"])
EOF
# An earlier launch counts: the time is that of both, the noise how far they are apart.
python3 - "$dir/out.json" "$dir/before.json" <<'EOF'
import json, sys
report = json.load(open(sys.argv[1]))
report["provenance"]["date"] = "2001-01-01T00:00:00Z"
for s in report["samples"]:
    s["launches_us"], s["lo_us"], s["hi_us"] = [1e4], 0.9e4, 1.1e4
json.dump(report, open(sys.argv[2], "w"))
EOF
status=0
run 2 -i "$dir/m.json" $wide --patterns none --operations barrier,bcast/chain --earlier "$dir/before.json" \
    --format json -o "$dir/both.json" 2>"$dir/err" || status=$?
test $status = 0 || fail "two launches: status $status: $(cat "$dir/err")"
python3 - "$dir/both.json" <<'EOF' || fail "two launches: $(cat "$dir/both.json")"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["launches"] == 2
both = [s for s in report["samples"] if len(s["launches_us"]) == 2]
assert both
for s in both:
    assert s["launches_us"][1] == 1e4 and s["halves_us"] == s["launches_us"] and s["hi_us"] >= 1.1e4
    assert abs(s["measured_us"] - sum(s["launches_us"]) / 2) <= 1e-6 * s["measured_us"]
assert all(row["noise"] > 1 for row in report["rows"] if row["points"] and not row["missing"])
EOF
if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 "${srcdir:-.}/support/schema.py" "${srcdir:-.}/../doc/validation.schema.json" "$dir/out.json" "$dir/both.json" ||
        fail "not what the schema says"
fi

run 2 -i "$dir/m.json" --ignore-hosts $wide --patterns fan --operations none --pairs 1 -m 1k -M 2k --format csv -q \
    >"$dir/out.csv" 2>"$dir/err" || fail "status $?: $(cat "$dir/err")"
test "$(grep -c '^pairs,host,' "$dir/out.csv")" = 8 || fail "$(cat "$dir/out.csv")"
awk -F, 'NF != 16 { exit 1 } $1 == "pairs" && ($7 < 1024 || $7 > 2048) { exit 1 }' "$dir/out.csv" ||
    fail "$(cat "$dir/out.csv")"

# another timing method is named, and goes with launches of that method only
run 2 -i "$dir/m.json" $wide --budget 1s --patterns fan --operations barrier --timing max -q --format json -o "$dir/max.json" 2>"$dir/err" ||
    fail "max: status $?: $(cat "$dir/err")"
grep -q '"timing": "max"' "$dir/max.json" || fail "max: $(cat "$dir/max.json")"
grep -q '"timing": "window"' "$dir/out.json" || fail "the default: $(cat "$dir/out.json")"
if python3 -c 'import jsonschema' 2>/dev/null; then
    python3 "${srcdir:-.}/support/schema.py" "${srcdir:-.}/../doc/validation.schema.json" "$dir/max.json" || fail "max: not what the schema says"
fi

# a signal ends it in good order: what there is is written, what is lost is reported
end_early 2 "$tool" -i "$dir/m.json" $wide --budget 50s -e 1e-6 -o "$dir/ended.json" --format json
test $status = 0 || fail "a signal: status $status $(cat "$dir/err")"
grep -q '^validate_model: SIGUSR1 came: [1-9][0-9]* of [0-9]* times were not measured, [0-9]* were once' "$dir/err" || fail "a signal: $(cat "$dir/err")"
grep -q '"ended_early": true' "$dir/ended.json" || fail "a signal: $(cat "$dir/ended.json")"

refuse() { # refuse STATUS RANKS TEXT ARGUMENT... ; said once, nothing written; mpirun may add its own words
    wanted=$1 ranks=$2 text=$3
    shift 3
    status=0
    run "$ranks" -q -o "$dir/none" "$@" >"$dir/out" 2>"$dir/err" || status=$?
    test $status = "$wanted" || fail "$*: status $status: $(cat "$dir/err")"
    test "$(grep -v ': warning: ' "$dir/err" | grep -c '^validate_model: ')" = 1 || fail "$*: $(cat "$dir/err")"
    grep -qF -e "$text" "$dir/err" || fail "$*: no '$text' in $(cat "$dir/err")"
    test "$(find "$dir" -name 'none*' | wc -l)" = 0 || fail "$*: left a file"
}

: >"$dir/empty.json"
head -c 300 "$dir/m.json" >"$dir/broken.json"
sed 's/"hosts": \["[^"]*"/"hosts": ["elsewhere"/' "$dir/m.json" >"$dir/far.json"
refuse 2 2 "--timing: 'bogus' is no timing method; valid: window, one-barrier, global, max, root" -i "$dir/m.json" --timing bogus
refuse 3 2 "timing is 'max', of this launch it is 'window'" -i "$dir/m.json" --earlier "$dir/max.json"
refuse 3 2 "$dir/empty.json: empty" -i "$dir/empty.json"
refuse 3 2 "$dir/broken.json" -i "$dir/broken.json"
refuse 3 2 "$dir/absent.json: cannot open" -i "$dir/absent.json"
refuse 3 3 "$dir/far.json: rank 2 is one more on '" -i "$dir/far.json"
refuse 3 4 "the model has 3 ranks, the job has 4" -i "$dir/m.json" --ignore-hosts
sed 's/"hosts": "[^"]*"/"hosts": "elsewhere:2"/' "$dir/before.json" >"$dir/elsewhere.json"
sed 's/"name": "/"name": "no /g' "$dir/before.json" >"$dir/others.json"
refuse 3 2 "$dir/elsewhere.json: $.provenance: hosts is 'elsewhere:2', of this launch it is" -i "$dir/m.json" --earlier "$dir/elsewhere.json"
refuse 3 2 "$dir/before.json: $.provenance.date: the same launch as" -i "$dir/m.json" --earlier "$dir/before.json" --earlier "$dir/before.json"
refuse 3 2 "$dir/m.json: $.format: 'hitop-model' must be 'hitop-validation'" -i "$dir/m.json" --earlier "$dir/m.json"
refuse 3 2 "$dir/others.json: $.samples: none is of what is measured now" -i "$dir/m.json" --budget 100ms --earlier "$dir/others.json"
# before anything is measured
sed 's/"hi_us": [0-9.]*/"hi_us": 1e-3/' "$dir/before.json" >"$dir/turned.json"
sed 's/"launches_us": \[[0-9.]*/"launches_us": [0/' "$dir/before.json" >"$dir/zero.json"
refuse 3 2 "$dir/turned.json: $.samples[0].launches_us[0]: 10000 is not within lo_us and hi_us" -i "$dir/m.json" --budget 60min --earlier "$dir/turned.json"
refuse 3 2 "$dir/zero.json: $.samples[0].launches_us[0]: 0 is outside" -i "$dir/m.json" --budget 60min --earlier "$dir/zero.json"
# another launch may have begun in the same second
refuse 3 2 "$dir/zero.json: $.samples[0].launches_us[0]: 0 is outside" -i "$dir/m.json" --budget 60min \
    --earlier "$dir/before.json" --earlier "$dir/zero.json"
refuse 3 2 "$dir/absent.json: cannot open" -i "$dir/m.json" --earlier "$dir/absent.json"
refuse 2 1 "one rank has no other to exchange messages with" -i "$dir/m.json"
refuse 2 2 "-i MODEL is missing" -q
cp "$dir/m.json" "$dir/same.json"
refuse 2 2 "-o: '$dir/same.json' would replace what -i reads" -i "$dir/same.json" -o "$dir/same.json"
cp "$dir/before.json" "$dir/same.json"
refuse 2 2 "-o: '$dir/same.json' would replace what --earlier reads" -i "$dir/m.json" --earlier "$dir/same.json" \
    -o "$dir/same.json"
cmp "$dir/before.json" "$dir/same.json" || fail "an input was replaced"
refuse 2 0 "--patterns: there is no pattern 'star'; valid: all, none, fan, shift, binomial, exchange, pairs" \
    -i "$dir/m.json" --patterns star
refuse 2 0 "--operations: " -i "$dir/m.json" --operations bcast/upward
refuse 2 0 "--tolerance: '0' " -i "$dir/m.json" --tolerance 0
refuse 2 0 "--max-size: '2GiB' is more than a message has, 2147483647 bytes" -i "$dir/m.json" -M 2GiB
refuse 2 0 "--min-size: 2048 bytes are more than --max-size, 1024" -i "$dir/m.json" -m 2k -M 1k
refuse 2 0 "--format: 'xml' is none of text, csv, json" -i "$dir/m.json" --format xml
refuse 1 2 "nothing was measured: --pairs 0" -i "$dir/m.json" --pairs 0 --patterns none --operations none
