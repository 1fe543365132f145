#!/bin/sh
# A hierarchy edited by hand: everything a person changes is there in the end, nothing else has changed.
set -eu
. "${srcdir:-.}/support/programs.sh"
tools=$bin
. "${srcdir:-.}/support/scratch.sh"

id() { # id FILE LEVEL NAME ; what the file calls this group
    sed -n "s/^ *\([^ ]*\) \[type=1, model_data=\"\", level=\"$2\", name=\"$3\".*/\1/p" "$1"
}

generate() { "$tools/generate_hierarchy" "$@"; }

differences() { # differences FILE FILE ; expected on standard input
    status=0
    cat >"$dir/expected"
    generate --diff "$1" "$2" >"$dir/out" 2>"$dir/err" || status=$?
    test -s "$dir/err" && fail "--diff: $(cat "$dir/err")"
    diff -u "$dir/expected" "$dir/out" || fail "--diff $1 $2"
    test "$status" = "$(test -s "$dir/expected" && echo 4 || echo 0)" || fail "--diff: status $status"
}

# Two racks of a cluster and a smaller cluster beside it, two ranks on each host.
generate --hosts 'r[1-2]n[1-3]:2,s[1-3]:2' -o "$dir/new.dot"
differences "$dir/new.dot" "$dir/new.dot" </dev/null
cluster=$(id "$dir/new.dot" cluster r) other=$(id "$dir/new.dot" cluster s)
rack1=$(id "$dir/new.dot" group r1) rack2=$(id "$dir/new.dot" group r2)
moved=$(id "$dir/new.dot" host s3)

# Host s3 moves to r, whose racks are dissolved; s gets another name, an id of its own and, with its label gone,
# a new label; somebody owns it; its uplink has a capacity; there are comments.
sed -e "s/^ *$moved->$other;/    $moved->$cluster;/" \
    -e "/^ *$rack1 \[/d; /^ *$rack1->/d; /^ *$rack2 \[/d; /^ *$rack2->/d" \
    -e "s/->$rack1;/->$cluster;/; s/->$rack2;/->$cluster;/" \
    -e "s/name=\"s\", label=[^,]*,/name=\"storage\", owner=\"physics\",/" \
    -e "s/^ *$other->\(.*\);/    $other->\1 [capacity=\"0.5\"]; \/\/ one cable of two/" \
    -e "s/\([^0-9]\)$other\([^0-9]\)/\1storage\2/; s/\([^0-9]\)$other\([^0-9]\)/\1storage\2/" \
    -e '1a # moved by hand' "$dir/new.dot" >"$dir/edited.dot"
generate --check "$dir/edited.dot" >"$dir/out" || fail "--check: $(cat "$dir/out")"
test -s "$dir/out" && fail "--check: $(cat "$dir/out")"
differences "$dir/new.dot" "$dir/edited.dot" <<END
level group: gone, 2 groups
cluster s: its name is now "storage"
host s3: moved from cluster storage to cluster r
graph: attribute comment="moved by hand" is new
cluster storage: attribute owner="physics" is new
edge of cluster storage: attribute capacity="0.5" is new
edge of cluster storage: attribute comment="one cable of two" is new
END

# Modelled on a made-up machine whose links are all alike, and annotated.
{
    printf '{"format":"hitop-model","version":1,"model":"hockney","convention":"one-way",'
    printf '"units":{"time":"s","size":"B"},"ranks":18,"tree":{"hosts":["h"'
    printf ',"h"%.0s' 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18
    printf '],"parents":[18'
    printf ',18%.0s' 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18
    printf '],"groups":[{"node":18,"level":"","name":"","parent":null}]},"classes":[{"node":18,"level":"",'
    printf '"name":"","pair":null,"alpha":1e-6,"beta":1e-9,"nsizes":0,"nsamples":0,"converged":false,'
    printf '"residual":0.0}],"provenance":{"tool":"test","transport":"simulated","date":"","seed":0,'
    printf '"confidence":0}}\n'
} >"$dir/truth.json"
"$tools/hierarchical_model" -C hockney -i "$dir/edited.dot" --simulate "$dir/truth.json" -o "$dir/m.json" \
    --annotate "$dir/annotated.dot" --quiet
generate --check "$dir/annotated.dot" >"$dir/out" || fail "--check: $(cat "$dir/out")"
test -s "$dir/out" && fail "--check: $(cat "$dir/out")"
generate --diff "$dir/edited.dot" "$dir/annotated.dot" >"$dir/out" && fail "--diff finds no annotations"
grep -vE 'attribute (hockney|model_data|label|capacity|capacity_tried)=' "$dir/out" && fail "the model changed the hierarchy"

# What the model added taken away, it is the edited hierarchy, with the words that were put there.
grep -q 'graph \[.*comment="moved by hand"' "$dir/annotated.dot" || fail "the comment of the graph is lost"
grep -q '^ *storage \[.*name="storage".*owner="physics"' "$dir/annotated.dot" || fail "an id or attribute is lost"
grep -q '^ *storage->.*\[capacity="0.5", comment="one cable of two"\]' "$dir/annotated.dot" || fail "an edge is lost"
sed -e 's/, hockney="[^"]*"//; s/\(type=1, .*\)model_data="[^"]*"/\1model_data=""/' \
    -e '/type=1/s/, label="[^"]*"//; s/, capacity="unlimited"//; s/, capacity_tried="[^"]*"//' "$dir/annotated.dot" >"$dir/stripped.dot"
differences "$dir/edited.dot" "$dir/stripped.dot" </dev/null

# Two sites written down apart, one of them edited: merged, and read as a list.
generate --hosts 'a[1-2]' -o "$dir/a.dot"
generate --hosts 'b[1-2]' -o "$dir/b.dot"
sed -i 's/->\(.*\);/->\1 [capacity=2];/' "$dir/b.dot"
generate --merge "$dir/a.dot" "$dir/b.dot" -o "$dir/ab.dot"
generate --hosts 'a[1-2],b[1-2]' -o "$dir/together.dot"
differences "$dir/together.dot" "$dir/ab.dot" <<END
edge of host b1: attribute capacity="2" is new
edge of host b2: attribute capacity="2" is new
END
generate --merge "$dir/ab.dot" --format text >"$dir/merged.txt"
generate --hosts 'a[1-2],b[1-2]' --format text | diff - "$dir/merged.txt" || fail "--merge --format text"

# What contradicts is told, and left out.
sed 's/name="b"/name="c"/' "$dir/b.dot" >"$dir/c.dot"
generate --merge "$dir/ab.dot" "$dir/c.dot" -o "$dir/abc.dot" 2>"$dir/err"
grep -qF 'warning: cluster c of ' "$dir/err" || fail "no warning, but $(cat "$dir/err")"
differences "$dir/ab.dot" "$dir/abc.dot" </dev/null
