#!/bin/sh
# generate_hierarchy: output on known hosts is compared whole, mistakes give their exit status and one
# line. HITOP_UPDATE_GOLDEN=1 accepts the output as it is.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
tool=$bin/generate_hierarchy
golden=$top/testdata/golden
. "${srcdir:-.}/support/scratch.sh"

compare() { # compare NAME ARGUMENT... ; standard output against testdata/golden/NAME
    name=$1
    shift
    "$tool" "$@" >"$dir/out" 2>"$dir/err" || fail "$*: status $?"
    test -s "$dir/err" && fail "$*: $(cat "$dir/err")"
    if test "${HITOP_UPDATE_GOLDEN-}"; then
        cp "$dir/out" "$golden/$name"
    fi
    diff -u "$golden/$name" "$dir/out" || fail "$*: not as in $name"
}

# Two sites of two hosts with two ranks each, and eight ranks in two domains and outside.
sites='alpha[01-02].site1.org,betas[01-02].site2.org'
sites=$sites,$sites
domains='csi[01-02].ucd.ie,hcl[01-02].ucd.ie,csi07.lyon.fr,grid1.lyon.fr,csi01.ucd.ie,node5'

compare two-sites.dot --hosts "$sites"
compare two-sites.txt --hosts "$sites" --format text
compare three-characters.txt --hosts "$domains" --prefix-length 3 --format text
compare three-characters-chains.txt --hosts "$domains" --prefix-length 3 --keep-chains --format text
compare no-domain.txt --hosts "$domains" --prefix-length 3 --no-domain --keep-chains --format text
compare prefixes.txt --hosts "$domains" --prefix-length 3 --keep-chains --format text csi0 hcl
compare blocks.txt --hosts 'nid[001000-001007].x.org,r[1-2]n[1-3].x.org' --block 2 --format text
compare split.txt --hosts 'n11,n12,n21,n22,login' --split '^n(.)' --format text
compare single.dot --hosts a1
# Names that no host has stand in hierarchies all the same.
compare strange-names.dot --merge "$golden/strange-names.dot"

# A file and a list give the same, and so does a pipe; -o writes what standard output would get.
printf '# the two sites\n%s\n' 'alpha01.site1.org' 'alpha02.site1.org slots=1' betas01.site2.org \
    betas02.site2.org:1 'alpha[01-02].site1.org' 'betas[01-02].site2.org slots=1 max_slots=9' >"$dir/hosts"
compare two-sites.dot --hosts-file "$dir/hosts"
"$tool" --hosts-file - -o "$dir/file.dot" <"$dir/hosts"
cmp "$golden/two-sites.dot" "$dir/file.dot"
compare two-sites.dot --no-hwloc --hosts "$sites"
unset SLURM_JOB_NODELIST SLURM_NTASKS SLURM_NTASKS_PER_NODE SLURM_TASKS_PER_NODE SLURM_DISTRIBUTION SLURM_HOSTFILE
(
    export SLURM_JOB_NODELIST='alpha[01-02].site1.org,betas[01-02].site2.org' SLURM_TASKS_PER_NODE='2(x3),2' \
        SLURM_NTASKS=8 SLURM_DISTRIBUTION=cyclic
    compare two-sites.dot --slurm-job
)

# What was written is read by Graphviz, and drawn, whatever the names.
if command -v dot >/dev/null; then
    for f in two-sites single strange-names; do
        dot -Tsvg "$golden/$f.dot" >"$dir/svg" 2>"$dir/err" || fail "dot refuses $f.dot"
        test -s "$dir/err" && fail "dot about $f.dot: $(cat "$dir/err")"
        grep -q '</svg>' "$dir/svg"
    done
fi

refuse 2 "--prefix-length: '-1' is not an integer in 1..255" --hosts a --prefix-length -1
refuse 2 "--prefix-length: '0' is not" --hosts a --prefix-length 0
refuse 2 "--prefix-length: 'x' is not" --hosts a --prefix-length x
refuse 2 "--prefix-length: '' is not" --hosts a --prefix-length ''
refuse 2 "an empty prefix" --hosts a good ''
refuse 2 "--hosts: an empty list" --hosts ''
refuse 2 "--hosts: host '': an empty name" --hosts a,,b
refuse 2 "--hosts: host 'a[1': '[' without ']'" --hosts 'a[1'
refuse 2 "--hosts: host 'a:0': behind ':'" --hosts a:0
refuse 2 "'--hosts' needs an argument" --hosts
refuse 2 "unknown or ambiguous option '--bogus'" --bogus
refuse 2 "unknown or ambiguous option '--no'" --no
refuse 2 "--block: '0' is not an integer in 1.." --hosts a --block 0
refuse 2 "--block: '2x' is not an integer in 1.." --hosts a --block 2x
refuse 2 "split: '[' is no regular expression: " --hosts a --split '['
refuse 2 "split: 'n' has no (...)" --hosts a --split n
refuse 2 "--format: 'png' is not one of dot, json, svg, text" --hosts a --format png
refuse 2 "--depth: '0' is not an integer in 1.." --hosts a --depth 0
refuse 2 "--max-leaves: '-1' is not an integer in 0.." --hosts a --max-leaves -1
refuse 2 "--depth and --max-leaves do not go with it" --hosts a --format json --depth 2
refuse 2 "exclude each other" --hosts a --hosts-file b
refuse 2 "exclude each other" --hosts a --slurm-job
refuse 2 "--slurm-job: this is no job of SLURM" --slurm-job
refuse 2 "--measure needs the hosts of a job; it and --hosts exclude each other" --hosts a --measure
refuse 2 "--measure needs the hosts of a job; it and --check exclude each other" --check --measure f.dot
refuse 2 "--measure-step: '1' is outside [1.01, 100]" --measure-step 1
refuse 2 "--measure-budget: '0s' must be more than 0" --measure-budget 0s
refuse 2 "--measure-budget: 'soon' is not" --measure-budget soon
refuse 3 "$dir/none: cannot open" --hosts-file "$dir/none"
refuse 3 "$dir: cannot read" --hosts-file "$dir"
refuse 3 "/dev/null: names no host" --hosts-file /dev/null
printf 'a\nb slots=many\n' >"$dir/bad"
refuse 3 "$dir/bad:2: host 'b': 'slots=many' needs a number" --hosts-file "$dir/bad"
refuse 1 "$dir/no/file: cannot create" --hosts a -o "$dir/no/file"
if test -w /dev/full; then
    refuse 1 "/dev/full: cannot write" --hosts a -o /dev/full
fi

# A review: nothing to say about what this tool writes; findings on standard output; a status for mistakes.
"$tool" --hosts "$sites" | "$tool" --check - "$golden"/single.dot "$golden"/strange-names.dot >"$dir/out"
test -s "$dir/out" && fail "--check finds $(cat "$dir/out")"
sed 's/level="domain"/level="domian"/' "$golden/two-sites.dot" >"$dir/warn.dot"
"$tool" --check "$dir/warn.dot" >"$dir/out" || fail "--check: a warning gave status $?"
status=0
"$tool" --check "$top/testdata/bad/two-parents.dot" "$dir/none" >"$dir/out" 2>"$dir/err" || status=$?
test "$status" = 3 || fail "--check: status $status, not 3"
grep -q 'two-parents.dot:1: error: node "0": has two parents' "$dir/out" || fail "--check: $(cat "$dir/out")"
printf 'generate_hierarchy: %s\n' "$top/testdata/bad/two-parents.dot: 2 errors" \
    "$dir/none: cannot open: No such file or directory" | diff - "$dir/err"
refuse 2 "--check: needs the names of files" --check
refuse 2 "--diff: needs two files, not 1" --diff "$dir/warn.dot"
refuse 3 "$dir/none: cannot open" --diff "$dir/warn.dot" "$dir/none"
refuse 2 "--merge: needs the names of files" --merge
refuse 3 "$top/testdata/bad/two-parents.dot: node" --merge "$dir/warn.dot" "$top/testdata/bad/two-parents.dot"
refuse 2 "--check and --diff exclude each other" --check --diff "$dir/warn.dot"
refuse 2 "--check and --hosts exclude each other" --check --hosts a "$dir/warn.dot"
refuse 2 "--check and --format exclude each other" --check --format json "$dir/warn.dot"
refuse 2 "--diff and --depth exclude each other" --diff --depth 3 "$dir/warn.dot" "$dir/warn.dot"
refuse 2 "--merge and --block exclude each other" --merge --block 4 "$dir/warn.dot"
refuse 2 "--check and --no-hwloc exclude each other" --no-hwloc --check "$dir/warn.dot"
refuse 2 "--merge and --hwloc exclude each other" --merge --hwloc pu:1 "$dir/warn.dot"

# An output does not replace an input, by whatever name, unless both are the hierarchy.
cp "$dir/warn.dot" "$dir/same.dot"
cp "$dir/warn.dot" "$dir/other.dot"
ln -s same.dot "$dir/link.dot"
echo a >"$dir/hosts"
refuse 2 "-o: '$dir/same.dot' would replace what --check reads" --check "$dir/warn.dot" "$dir/same.dot" -o "$dir/same.dot"
refuse 2 "-o: '$dir/link.dot' would replace what --diff reads" --diff "$dir/same.dot" "$dir/warn.dot" -o "$dir/link.dot"
refuse 2 "-o: '$dir/same.dot' would replace what --merge reads" --merge "$dir/same.dot" --format text -o "$dir/same.dot"
refuse 2 "-o: '$dir/hosts' would replace what --hosts-file reads" --hosts-file "$dir/hosts" -o "$dir/hosts"
refuse 2 "-o: '$dir/hosts' would replace what the source csv reads" --hosts a --csv "$dir/hosts" -o "$dir/hosts"
cmp "$dir/warn.dot" "$dir/same.dot" || fail "an input was replaced"
"$tool" --merge "$dir/same.dot" -o "$dir/same.dot" || fail "--merge in place: status $?"
"$tool" --merge "$dir/other.dot" | cmp - "$dir/same.dot" || fail "--merge in place"

# A failed run leaves an older file alone and no other behind.
echo old >"$dir/kept"
refuse 2 "an empty name" --hosts a, -o "$dir/kept"
test "$(cat "$dir/kept")" = old
test "$(find "$dir" -name 'kept*' | wc -l)" = 1

# What was edited in a hierarchy is kept; a file that is the same is not touched, and drawings are replaced.
"$tool" --hosts 'a[1-4]' -o "$dir/mine.dot" 2>"$dir/err"
touch -t 200001010000 "$dir/mine.dot"
"$tool" --hosts 'a[1-4]' -o "$dir/mine.dot" 2>>"$dir/err"
test ! -s "$dir/err" || fail "the same file twice: $(cat "$dir/err")"
test "$(find "$dir" -name 'mine*' ! -newermt 2000-01-02)" = "$dir/mine.dot" || fail "an unchanged file was touched"
for i in 1 2; do
    sed "s/name=\"a/name=\"edited $i a/" "$dir/mine.dot" >"$dir/edited$i"
    cat "$dir/edited$i" >"$dir/mine.dot"
    "$tool" --hosts 'a[1-4]' -o "$dir/mine.dot" 2>"$dir/err"
    grep -q "note: '$dir/mine.dot' was different before, which is kept as '$dir/mine.dot~" "$dir/err" ||
        fail "no note: $(cat "$dir/err")"
done
cmp "$dir/edited1" "$dir/mine.dot~" || fail "the first edit is lost"
cmp "$dir/edited2" "$dir/mine.dot~2" || fail "the second edit is lost"
"$tool" --hosts 'a[1-4]' | cmp - "$dir/mine.dot" || fail "the new file is not there"
"$tool" --hosts 'a[1-4]' --format text -o "$dir/edited1" 2>"$dir/err"
test ! -s "$dir/err" || fail "a drawing: $(cat "$dir/err")"
test ! -e "$dir/edited1~" || fail "a drawing is kept"

# Files that name hosts are described as they are; a job without mpirun has one rank, and says so.
if "$tool" --format text >"$dir/out" 2>"$dir/err"; then
    test "$(cat "$dir/err")" = "generate_hierarchy: warning: there is one rank, because mpirun did not start this; for \
more, 'mpirun -n N generate_hierarchy ...'" || fail "one rank: $(cat "$dir/err")"
fi

# A prefix that fits nothing is a warning.
"$tool" --hosts a1,a2 zz >"$dir/out" 2>"$dir/err"
grep -qF "warning: no host name begins with 'zz'" "$dir/err"

# So is a large group whose names tell nothing.
"$tool" --hosts 'n[1-17]' -o "$dir/flat.dot" 2>"$dir/err"
test "$(wc -l <"$dir/err")" = 1
grep -qF "warning: the names of 17 hosts, n1 and others, differ in one number only" "$dir/err"

"$tool" --version | grep -q '^generate_hierarchy (hitop '
"$tool" -h | grep -q '^Usage: generate_hierarchy '
