#!/bin/sh
# Hierarchies as lists, pictures and JSON: what is left out, what is said of it, and that others can read it.
# HITOP_UPDATE_GOLDEN=1 accepts the output as it is.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
tool=$bin/generate_hierarchy
. "${srcdir:-.}/support/scratch.sh"

compare() { # compare GOLDEN ARGUMENT...
    golden=$top/testdata/golden/$1
    shift
    "$tool" "$@" >"$dir/out" 2>"$dir/err" || fail "$*: status $?: $(cat "$dir/err")"
    if test "${HITOP_UPDATE_GOLDEN-}"; then
        cp "$dir/out" "$golden"
    fi
    diff -u "$golden" "$dir/out" || fail "$*"
}

small='alpha-r[1-2]n[01-08].east.org:8,beta-r[1-2]n[01-08].west.org:8'
large='r[001-125]n[01-16]:64'
compare drawing-small.txt --hosts "$small" --format text
compare drawing-large.txt --hosts "$large" --format text --max-leaves 20
# A list joins alike hosts where there are many, with all that is in the first of them, and leaves nothing out.
compare drawing-hosts.txt --hosts 'alpha-r[1-2]n[001-064].east.org:8,beta-r1n[01-03].west.org:4,beta-r1n04.west.org:2' \
    --hwloc 'pack:2 core:4 1' --format text
test "$("$tool" --hosts 'n[1-128]:2' --block 64 --format text --all | wc -l)" = 131 || fail "--all does not show each host"
test "$("$tool" --hosts 'n[1-128]:2' --block 64 --format text | wc -l)" = 5 || fail "alike hosts are not joined"
"$tool" --hosts a1 --all | cmp - "$top/testdata/golden/single.dot" || fail "--all changes a hierarchy"
compare drawing-depth.txt --hosts "$small" --format text --depth 1
compare drawing-small.dot --hosts "$small" --max-leaves 6
compare drawing-mixed.txt --hosts 'a[1-40]:2,b[1-30],login,x.y.org' --format text --max-leaves 8
compare hierarchy.json --hosts 'a1:2,a2:2,b1' --format json

# However small the limit, there are no more innermost lines, and all ranks are there.
for limit in 1 2 3 5 9 17 33 64 1000; do
    "$tool" --hosts "$large" --format text --max-leaves $limit >"$dir/out"
    awk -v limit=$limit '{ match($0, /^ */); depth[NR] = RLENGTH }
        END { for (i = 1; i <= NR; i++) leaves += depth[i + 1] <= depth[i]; exit leaves > limit }' "$dir/out" ||
        fail "more than $limit leaves: $(cat "$dir/out")"
    sed 1q "$dir/out" | grep -q 'ranks 0-127999' || fail "ranks are missing: $(cat "$dir/out")"
done

# A drawing is no hierarchy, and says so.
"$tool" --hosts "$small" --depth 2 -o "$dir/drawing.dot"
status=0
"$tool" --check "$dir/drawing.dot" >"$dir/out" 2>&1 || status=$?
test $status = 3 || fail "a drawing passes for a hierarchy: status $status"
grep -q 'a drawing, which leaves things out' "$dir/out" || fail "$(cat "$dir/out")"

# Strange names survive the way into a picture.
if command -v dot >/dev/null; then
    strange="$dir/strange"
    printf '%s\n' 'a<b&c>"d' 'e\f|g{h}' >"$strange"
    "$tool" --hosts-file "$strange" --format svg -o "$dir/strange.svg" 2>"$dir/err" ||
        grep -q 'strange:1' "$dir/err" || fail "strange names: $(cat "$dir/err")"
    for hosts in "$small" "$large" one; do
        "$tool" --hosts "$hosts" --format svg -o "$dir/out.svg"
        if command -v python3 >/dev/null; then
            python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$dir/out.svg" ||
                fail "$hosts: not XML"
        fi
    done
    "$tool" --hosts "$small" --format svg -o "$dir/out.svg"
    for name in 'alpha&#45;r1n01.east.org' 'ranks 248&#45;255' 'domain' 'dashed: a guess'; do
        grep -q "$name" "$dir/out.svg" || fail "no '$name' in the picture"
    done
    test "$(grep -c '<g id="node' "$dir/out.svg")" = 39 || fail "not 39 boxes"
fi

# Without Graphviz nothing is written.
status=0
PATH=$dir "$tool" --hosts a --format svg -o "$dir/none.svg" 2>"$dir/err" || status=$?
test $status = 1 || fail "no dot: status $status: $(cat "$dir/err")"
grep -q 'needs the program dot of Graphviz' "$dir/err" || fail "no dot: $(cat "$dir/err")"
test ! -e "$dir/none.svg" || fail "an empty picture"

# The schema holds for what is written.
if python3 -c 'import jsonschema' 2>/dev/null; then
    for hosts in "$small" one 'a:3,b,a:2'; do
        "$tool" --hosts "$hosts" --format json >"$dir/out.json"
        python3 -c 'import json, sys, jsonschema
schema, document = (json.load(open(name)) for name in sys.argv[1:])
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.validate(document, schema)' "$top/doc/hierarchy.schema.json" "$dir/out.json" || fail "$hosts: schema"
    done
fi
