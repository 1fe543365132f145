#!/bin/sh
# Files of other tools that say which hosts are close: the groups made of each are compared whole, and what is
# wrong is refused with one line. HITOP_UPDATE_GOLDEN=1 accepts the output as it is.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=$(cd "${srcdir:-.}/.." && pwd)
tool=$(pwd)/$bin/generate_hierarchy
golden=$top/testdata/golden
. "${srcdir:-.}/support/scratch.sh"

accept() { # accept NAME ; the output goes to the golden file if it may
    if test "${HITOP_UPDATE_GOLDEN-}"; then
        cp "$dir/out" "$golden/$1"
    fi
    diff -u "$golden/$1" "$dir/out" || fail "not as in $1"
}

cd "$top/testdata/sources"
grep -v "^#" cases | while read -r name option file hosts more; do
    # shellcheck disable=SC2086 # $more is a list
    "$tool" "--$option" "$file" --hosts "$hosts" --format text $more >"$dir/out" 2>"$dir/err" ||
        fail "$file: status $?: $(cat "$dir/err")"
    sed 's/^generate_hierarchy: warning: //' "$dir/err" >>"$dir/warnings"
    accept "source-$name.txt"
    # shellcheck disable=SC2086
    "$tool" "--$option" "$file" --hosts "$hosts" $more >"$dir/source.dot" 2>"$dir/again"
    cmp -s "$dir/err" "$dir/again" || fail "$file: warnings depend on the format"
    (cd "$dir" && "$tool" --check source.dot >out 2>err) || fail "$file: status $? of --check: $(cat "$dir/out")"
    test ! -s "$dir/out" || fail "$file: --check warns of what it became: $(cat "$dir/out")"
done

# Hosts that a file lacks are named, file by file, and there is no other warning.
cp "$dir/warnings" "$dir/out"
accept source-warnings.txt

# Every file is in the table.
for file in *.*; do
    test "$file" = "make-${file#make-}" && continue
    grep -qF " $file " cases || fail "$file is in no line of the table"
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

# Without a list of hosts, those of the file are meant: as if its hosts were listed in their order.
cd ..
for file in slurm-topology:slurm-tree.conf:c1r[01-04]n[01-08],c2r[01-03]n[01-08],fat[1-2]-g[0-1],login1 \
    slurm-topology:slurm-block.yaml:node[01-10] csv:racks.csv:a[01-04],b[01-02],gw \
    xname:xname-hosts.txt:ncn-m001,nid[000001-000006] \
    cloud:cloud-azure-blocks.json: cloud:cloud-aws.json: ibnetdiscover:ib-pods.txt:; do
    option=${file%%:*} hosts=${file##*:} file=${file#*:}
    file=${file%%:*}
    "$tool" "--$option" "$file" --all --format text >"$dir/out" 2>"$dir/err" || fail "$file: status $?: $(cat "$dir/err")"
    test -s "$dir/err" && fail "$file: $(cat "$dir/err")"
    grep -q '^ .*host ' "$dir/out" || fail "$file: no hosts: $(cat "$dir/out")"
    test "$hosts" || continue
    "$tool" "--$option" "$file" --hosts "$hosts" --all --format text 2>"$dir/err" | diff -u - "$dir/out" ||
        fail "$file: other hosts"
done
"$tool" --slurm-topology slurm-tree.conf --hosts c1r01n01 --format text >"$dir/out"
grep -q 'c1r01n01' "$dir/out" && grep -q c1r01n02 "$dir/out" && fail "--hosts does not count"
printf 'host,rack\n' >"$dir/none.csv"
refuse 3 "names no host" --csv "$dir/none.csv"
cd bad

# A file that says nothing about any host is named in a warning; names decide.
"$tool" --slurm-topology ../slurm-tree.conf --hosts 'x[1-2]' >"$dir/out" 2>"$dir/err"
grep -qF "warning: ../slurm-tree.conf says nothing about any of these hosts" "$dir/err" || fail "no warning"

# Hosts that a dump does not have, or whose cables are down, are worth a word; they have their group all the same.
"$tool" --ibnetdiscover ../ib-rails.txt --hosts 'dgx[5-8],x1' --format text >"$dir/out" 2>"$dir/err"
grep -qF "1 of 5 hosts have no place in it, the first is 'x1'" "$dir/err" || fail "no warning about x1"
grep -qF "1 of 5 hosts are at fewer switches than their neighbours, the first is 'dgx7' with 1 missing" "$dir/err" ||
    fail "no warning about dgx7"
grep -qF 'switch su2-leaf[1-8]: ranks 0-3' "$dir/out" || fail "dgx7 is not with its neighbours"

# Two files that contradict each other are both named, with the host and both values; nested groups do not.
disagree() { # disagree TABLE WARNING
    printf 'host,%s\n' "$1" | tr ' ' '\n' >"$dir/t.csv"
    "$tool" --csv "$dir/t.csv" --slurm-topology ../slurm-some-hosts.conf --hosts 'n[1-4]' >"$dir/out" 2>"$dir/err"
    test "$(cat "$dir/err")" = "${2:+generate_hierarchy: warning: $dir/t.csv and ../slurm-some-hosts.conf disagree: $2}" ||
        fail "$1: $(cat "$dir/err")"
}
disagree 'rack n1,a n2,b n3,a n4,b' "host 'n1' is in rack 'a' of the first, in switch 's1' of the second, with other \
hosts; the first counts"
disagree 'switch n1,a n2,b n3,c n4,c' "host 'n1' is in switch 'a' of the first, in switch 's1' of the second, with other \
hosts; the first counts"
disagree 'rack n1,a n2,a n3,b n4,b' ''
disagree 'rack n1,a n2,b n3,c n4,c' ''
disagree 'rack n1,a n2,a n3,a n4,a' ''
disagree 'switch n1,a n2,a n3,b n4,b' ''

# Instances are known by the addresses of their hosts as well, and those that are gone are not known.
"$tool" --cloud ../cloud-aws.json --hosts '10.0.3.[33-36]' --format text >"$dir/out" 2>"$dir/err"
grep -qF "1 of 4 hosts have no place in it, the first is '10.0.3.36'" "$dir/err" || fail "no warning about 10.0.3.36"
grep -qF 'ranks 0-2' "$dir/out" || fail "addresses are not known"

# Without another list the hosts of Flux are those of the file, a rank for each core; in a job they are not.
list() { # list FILE ; hosts and ranks
    "$tool" --flux "../$1" --format text 2>"$dir/err" | sed -n 's/^ *host \(.*\): ranks\{0,1\} /\1 /p' | tr '\n' ' '
    test -s "$dir/err" && fail "$1: $(cat "$dir/err")"
    return 0
}
test "$(list flux-r.json)" = "node186 0-7 node187 8-9 node188 10-11 login9 12-19 " || fail "R: $(list flux-r.json)"
test "$(list flux-list.txt)" = "tioga13 0-7 tioga14 8-15 tioga21 16-23 tioga40 24-39 " ||
    fail "list: $(list flux-list.txt)"
test "$(list flux-graph-alone.json)" = "$(list flux-graph.json)" ||
    fail "graph alone: $(list flux-graph-alone.json)"
status=0
printf '%s\n' ' STATE NNODES NCORES NODELIST' ' down 1 8 n1' >"$dir/down.txt"
"$tool" --flux "$dir/down.txt" >"$dir/out" 2>"$dir/err" || status=$?
test "$status" = 3 || fail "all hosts down: status $status"
grep -qF "down.txt: all hosts are down" "$dir/err" || fail "all hosts down: $(cat "$dir/err")"

# Standard input has a name in warnings, too.
"$tool" --ibnetdiscover - --hosts 'dgx[5-6],x1' <../ib-rails.txt >"$dir/out" 2>"$dir/err"
grep -qF "standard input: 1 of 3 hosts have no place in it" "$dir/err" || fail "standard input is called $(cat "$dir/err")"
