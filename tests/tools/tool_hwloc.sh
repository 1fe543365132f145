#!/bin/sh
# What generate_hierarchy says about hosts that --hwloc describes, whole, and what it refuses.
# HITOP_UPDATE_GOLDEN=1 accepts the output as it is.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=$(cd "${srcdir:-.}/.." && pwd)
tool=$(pwd)/$bin/generate_hierarchy
golden=$top/testdata/golden
. "${srcdir:-.}/support/scratch.sh"
unset HWLOC_SYNTHETIC HWLOC_XMLFILE

accept() { # accept NAME ; the output goes to the golden file if it may
    if test "${HITOP_UPDATE_GOLDEN-}"; then
        cp "$dir/out" "$golden/$1"
    fi
    diff -u "$golden/$1" "$dir/out" || fail "not as in $1"
}

compare() { # compare NAME ARGUMENT... ; the list on standard output
    name=$1
    shift
    "$tool" --format text "$@" >"$dir/out" 2>"$dir/err" || fail "$*: status $?: $(cat "$dir/err")"
    test -s "$dir/err" && fail "$*: $(cat "$dir/err")"
    accept "hwloc-$name.txt"
}

warn() { # warn TEXT ARGUMENT... ; one line that ends in TEXT, and a list in $dir/out
    text="generate_hierarchy: warning: --hwloc: $1"
    shift
    "$tool" --format text "$@" >"$dir/out" 2>"$dir/err" || fail "$*: status $?: $(cat "$dir/err")"
    test "$(cat "$dir/err")" = "$text" || fail "$*: $(cat "$dir/err")"
}

cd "$top/testdata/hwloc"

# Several NUMA nodes in a package, several caches in a NUMA node, and a host that is smaller.
compare nodes --hosts 'n[1-3]:16,n4:4' --hwloc 'package:2 numa:2 l3:2 core:2 pu:2' \
    --hwloc 'n[3-4]=package:2 die:2 core:4 pu:1'
# Both versions of XML, told apart by processor and memory; short and full names, in any case.
compare files --hosts 'n[1-4].x.org:8' --hwloc 'N[1-2]=old.xml' --hwloc 'n[3-4].x.org=far-memory.xml'
compare files-hardware --hosts 'n[1-4].x.org:8' --no-hwloc --hwloc 'n[1-2]=old.xml' --hwloc far-memory.xml
compare files-inside --hosts 'n[1-4].x.org:8' --no-hardware --hwloc 'n[1-2]=old.xml' --hwloc far-memory.xml
# Parts without processors: a package that the job may not use, the memory of a GPU.
compare restricted --hosts h:4 --keep-chains --hwloc restricted.xml
compare gpu-memory --hosts h:4 --hwloc gpu-memory.xml
# Groups within groups, from XML and from words; inside and around packages.
compare nested-groups --hosts h:16 --hwloc nested-groups.xml
compare nested-groups --hosts h:16 --hwloc 'group:2 group:2 package:2 core:2 pu:1'
compare many-groups --hosts h:64 --hwloc 'group:2 group:2 group:2 group:2 package:2 group:2 core:1 pu:1'
# Ranks alternate between hosts, which get their cores in turn all the same.
compare turns --hosts 'a,b,a,b,a,b,a,b' --hwloc 'package:2 core:2 pu:1'
# A rankfile says the packages.
printf 'rank %s=a slot=%s:0\n' 0 1 1 0 2 1 3 0 >"$dir/ranks"
compare rankfile --hosts-file "$dir/ranks" --hwloc far-memory.xml
# A file whose name might be words, and the other way round.
cp old.xml "$dir/2"
compare name --hosts a:8 --hwloc "$dir/2"
# A description of many parts is read once, not once for each two of them.
timeout 30 "$tool" --format text --hosts a:4 --hwloc '524 2 2' >"$dir/out" || fail "2096 processors: status $?"
test "$(sed -n '2,$p' "$dir/out")" = "$(printf '  numa 0: ranks 0-1\n  numa 1: ranks 2-3')" ||
    fail "2096 processors: $(cat "$dir/out")"

(cd "$dir" && "$tool" --format text --hosts a:8 --hwloc 2) >"$dir/out"
accept hwloc-name.txt
# What describes this host does not count.
HWLOC_SYNTHETIC='package:8 core:1 pu:1'
export HWLOC_SYNTHETIC
compare name --hosts a:8 --hwloc old.xml
unset HWLOC_SYNTHETIC

warn "3 ranks on 'a' are more than its 2 cores, so that 1 host has no levels inside" \
    --hosts a:3,b:2 --hwloc 'package:2 core:1 pu:2'
grep -q package "$dir/out" && fail "too many ranks: $(cat "$dir/out")"
warn "there is no host 'n7' in the list" --hosts 'n[1-2]' --hwloc 'n[1,7-9]=pu:2'

for spec in package:x core:0 'pu:1 core:2' 'machine:2 pu:1' 'numa:2(memory=4GB) core:-1' : '' 'n1=' \
    'core:2 pu:1 [' none; do
    refuse 2 "--hwloc: '${spec#n1=}' is neither a file nor a description such as" --hosts n1 --hwloc "$spec"
done
refuse 2 "--hwloc: 'core:64 pu:65' has more than 4096 processors" --hosts a --hwloc 'core:64 pu:65'
refuse 2 "has more than 4096 processors" --hosts a --hwloc 'core:99999999999999999999'
refuse 2 "--hwloc: host 'n1' is described twice" --hosts 'n[1-2]' --hwloc n1=pu:2 --hwloc 'n[1-2]=pu:4'
refuse 2 "--hwloc: 'pu:4' is the second description of all hosts" --hosts a --hwloc pu:2 --hwloc pu:4
refuse 2 "--hwloc: host 'n[': '[' without ']'" --hosts a --hwloc 'n[=pu:2'
refuse 2 "--hwloc: rank 0 is on package 1 of 'a', which has 1" --hosts-file "$dir/ranks" --hwloc 'package:1 core:4 pu:1'
printf 'rank 0=a slot=1:0\n' >"$dir/second"
refuse 2 "--hwloc: rank 0 is on package 1 of 'a', of which no processor may be used" --hosts-file "$dir/second" \
    --hwloc restricted.xml
refuse 2 "--hwloc needs --hosts, --hosts-file or --slurm-job" --hwloc pu:2
refuse 3 "none.xml: cannot open" --hosts a --hwloc none.xml
refuse 3 "./none: cannot open" --hosts a --hwloc ./none
refuse 3 "$dir: cannot read" --hosts a --hwloc "$dir"

cd bad
for file in *; do
    refuse 3 "$file: " --hosts 'n[1-8]' --hwloc "$file"
    sed 's/^generate_hierarchy: //' "$dir/err" >>"$dir/out.bad"
done
LC_ALL=C sort "$dir/out.bad" >"$dir/out"
accept hwloc-bad.txt
