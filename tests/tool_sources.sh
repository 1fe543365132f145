#!/bin/sh
# Files of other tools that say which hosts are close: the groups made of each are compared whole, and what is
# wrong is refused with one line. HITOP_UPDATE_GOLDEN=1 accepts the output as it is.
set -eu
top=$(cd "${srcdir:-.}/.." && pwd)
tool=$(pwd)/../tools/generate_hierarchy
golden=$top/testdata/golden
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# A line for each file of testdata/sources: the golden file source-NAME.txt, the option that reads the file,
# the file, the hosts, and further options. Machines that two files describe share a golden file.
cases='
slurm-tree   slurm-topology  slurm-tree.conf           c[1-2]r[01-03]n[03-04],fat[1-2]-g0,login1,backup
slurm-tree   slurm-topology  slurm-scontrol.txt        c[1-2]r[01-03]n[03-04],fat[1-2]-g0,login1,backup
slurm-spines slurm-topology  slurm-spines.conf         gpu[00-15]
slurm-block  slurm-topology  slurm-block.conf          gb[01-08]n[02,17]
slurm-block  slurm-topology  slurm-scontrol-block.txt  gb[01-08]n[02,17]
slurm-yaml   slurm-topology  slurm-many.yaml           node[01-08].site.org:2
slurm-sizes  slurm-topology  slurm-block.yaml          node[01-10]
xname-ex     xname           xname-ex.txt              nid[001000-001019]
xname-xc     xname           xname-xc.txt              nid[00000-00023]
xname-hosts  xname           xname-hosts.txt           nid[000001-000006],login1
ib-one       ibnetdiscover   ib-one-switch.txt         node[1-8]
ib-fat-tree  ibnetdiscover   ib-fat-tree.txt           cn[01-32]
ib-pods      ibnetdiscover   ib-pods.txt               a[01-08],b[01-08]
ib-rails     ibnetdiscover   ib-rails.txt              dgx[1-6,8].example.org
ib-cells     ibnetdiscover   ib-cells.txt              lrdn[0111-0112,0121-0122,0211-0212,0221-0222,0311,0321]
ib-irregular ibnetdiscover   ib-irregular.txt          w[1-9]
'

fail() {
    echo "FAIL: $*" >&2
    exit 1
}

accept() { # accept NAME ; the output goes to the golden file if it may
    if test "${HITOP_UPDATE_GOLDEN-}"; then
        cp "$dir/out" "$golden/$1"
    fi
    diff -u "$golden/$1" "$dir/out" || fail "not as in $1"
}

cd "$top/testdata/sources"
echo "$cases" | while read -r name option file hosts more; do
    test "$name" || continue
    # shellcheck disable=SC2086 # $more is a list
    "$tool" "--$option" "$file" --hosts "$hosts" --format text $more >"$dir/out" 2>"$dir/err" ||
        fail "$file: status $?: $(cat "$dir/err")"
    test -s "$dir/err" && fail "$file: $(cat "$dir/err")"
    accept "source-$name.txt"
done

# Every file is in the table.
for file in *.*; do
    test "$file" = "make-${file#make-}" && continue
    echo "$cases" | grep -qF " $file " || fail "$file is in no line of the table"
done

# Every broken file gives status 3 and one line, by the option that its name begins with.
cd bad
for file in *; do
    status=0
    "$tool" "--${file%%.*}" "$file" --hosts 'n[1-8]' >"$dir/one" 2>"$dir/err" || status=$?
    test "$status" = 3 || fail "$file: status $status, not 3: $(cat "$dir/err")"
    test -s "$dir/one" && fail "$file: wrote something"
    test "$(wc -l <"$dir/err")" = 1 || fail "$file: not one line: $(cat "$dir/err")"
    sed 's/^generate_hierarchy: //' "$dir/err" >>"$dir/out.bad"
done
LC_ALL=C sort "$dir/out.bad" >"$dir/out"
accept source-bad.txt

# A file that says nothing about any host is named in a warning; names decide.
"$tool" --slurm-topology ../slurm-tree.conf --hosts 'x[1-2]' >"$dir/out" 2>"$dir/err"
grep -qF "warning: ../slurm-tree.conf says nothing about any of these hosts" "$dir/err" || fail "no warning"

# Hosts that a dump does not have, or whose cables are down, are worth a word; they have their group all the same.
"$tool" --ibnetdiscover ../ib-rails.txt --hosts 'dgx[5-8],x1' --format text >"$dir/out" 2>"$dir/err"
grep -qF "1 of 5 hosts are not in it, the first is 'x1'" "$dir/err" || fail "no warning about x1"
grep -qF "1 of 5 hosts are at fewer switches than their neighbours, the first is 'dgx7' with 1 missing" "$dir/err" ||
    fail "no warning about dgx7"
grep -qF 'switch su2-leaf[1-8]: ranks 0-3' "$dir/out" || fail "dgx7 is not with its neighbours"
