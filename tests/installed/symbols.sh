#!/bin/sh
# The shared libraries and the installed headers agree: what a library offers, a header declares, and what a header
# declares, one library offers. What is preloaded offers the functions of MPI that it intercepts, too. Every external
# name in the objects of the libraries begins with hitop_, so that static archives clash with no program.
set -eu
top=${srcdir:-.}/..
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/public.sh"
libs=../coll/.libs
[ -e $libs/libhitop.so ] && [ -e $libs/libhitop_coll.so ] || { echo "no shared libraries"; exit 77; }
command -v nm >/dev/null || { echo "no nm"; exit 77; }

offers() { # offers LIBRARY ; names without the version that some linkers append
    nm -D --defined-only "$libs/$1.so" | awk 'NF == 3 && $2 ~ /^[BCDRSTVWiu]$/ { sub("@.*", "", $3); print $3 }'
}

for header in $(installed_headers); do
    declared_names "$top/src/$header"
done | sort -u >"$dir/declared"
[ "$(wc -l <"$dir/declared")" -gt 100 ] || fail "only $(wc -l <"$dir/declared") declarations"

for library in libhitop libhitop_dot libhitop_estimate libhitop_estimate_mpi libhitop_mpi libhitop_sources; do
    offers $library >"$dir/offered"
    [ -s "$dir/offered" ] || fail "$library: no symbols"
    sed "s/\$/ $library/" "$dir/offered"
done | sort >"$dir/where"
awk '{ print $1 }' "$dir/where" | sort >"$dir/all"

sort -u "$dir/all" | comm -13 "$dir/declared" - >"$dir/extra"
[ ! -s "$dir/extra" ] || { grep -wFf "$dir/extra" "$dir/where"; fail "no installed header declares them"; }
# Functions *_c are there where MPI has them, from its version 4 on.
comm -23 "$dir/declared" "$dir/all" | grep -v '_c$' >"$dir/missing" || :
[ ! -s "$dir/missing" ] || { cat "$dir/missing"; fail "no library has them"; }
uniq -d "$dir/all" >"$dir/twice"
[ ! -s "$dir/twice" ] || { grep -wFf "$dir/twice" "$dir/where"; fail "more than one library has them"; }

# Table of the intercepted functions: ENTRIES(Name, name, NAME, ...), in all spellings of Fortran.
offers libhitop_coll | sort >"$dir/offered"
sed -n 's/^ENTRIES(\([A-Za-z_]*\), *\([a-z_]*\), *\([A-Z_]*\),.*/\1 \2 \3/p' "$top/coll/intercept/fortran_mpi.c" >"$dir/table"
[ "$(wc -l <"$dir/table")" -gt 10 ] || fail "only $(wc -l <"$dir/table") functions in the table"
awk '{ print "MPI_" $1 }' "$dir/table" | sort | comm -23 - "$dir/offered" >"$dir/missing"
[ ! -s "$dir/missing" ] || { cat "$dir/missing"; fail "libhitop_coll does not intercept them"; }
{
    cat "$dir/declared"
    awk '{
        print "MPI_" $1; print "MPI_" $1 "_c"
        print "mpi_" $2; print "mpi_" $2 "_"; print "mpi_" $2 "__"; print "MPI_" $3
        print "ompi_" $2 "_f"; print "mpi_" $2 "_f08_"
    }' "$dir/table"
} | sort -u | comm -13 - "$dir/offered" >"$dir/extra"
[ ! -s "$dir/extra" ] || { cat "$dir/extra"; fail "libhitop_coll offers them"; }

# Convenience libraries hold the objects of all installed ones but those of what is preloaded.
for folder in src hierarchy models coll; do
    grep -oE '^noinst_LTLIBRARIES.*= *libhitop_[a-z_]+' "$top/$folder/Makefile.am" | sed "s|.*= *\(.*\)|../$folder/.libs/\1.a|"
done >"$dir/archives"
[ "$(wc -l <"$dir/archives")" -gt 10 ] || fail "only $(wc -l <"$dir/archives") archives"
for source in "$top"/coll/intercept/*.c; do
    echo "../coll/intercept/.libs/libhitop_coll_la-$(basename "$source" .c).o"
done >>"$dir/archives"
while read -r archive; do
    nm -g --defined-only "$archive" 2>/dev/null | awk -v from="$archive" 'NF == 3 && $3 !~ /^(hitop)?_/ { print $3, from }'
done <"$dir/archives" | sort -u >"$dir/external"
# MPI-4's names in a library that is built against an older MPI are not there; all others libhitop_coll offers.
awk 'NR == FNR { mpi[$1]; next } !($1 in mpi)' "$dir/offered" "$dir/external" >"$dir/extra"
[ ! -s "$dir/extra" ] || { cat "$dir/extra"; fail "external names without hitop_: make them static or prefix them"; }
