#!/bin/sh
# Files that CONTRIBUTING.md and doc/walkthrough.md name exist; functions that the walkthrough names are defined in the sources.
set -eu
top=${srcdir:-.}/..
. "${srcdir:-.}/support/scratch.sh"

grep -ohE '`(build-aux|coll|doc|examples|hierarchy|man|models|src|testdata|tests|tools)/[A-Za-z0-9_./-]+`' \
    "$top/CONTRIBUTING.md" "$top/doc/walkthrough.md" | tr -d '`' | sort -u >"$dir/files"
test "$(wc -l <"$dir/files")" -ge 40 || fail "only $(wc -l <"$dir/files") files found in the guides"
while read -r file; do
    test -e "$top/$file" || fail "$file is named in a guide, but does not exist"
done <"$dir/files"

for folder in src hierarchy models coll tools; do
    cat $(find "$top/$folder" -name '*.[ch]')
done >"$dir/sources"
grep -oE '`[A-Za-z_0-9]+\(\)`' "$top/doc/walkthrough.md" | tr -d '`()' | sort -u >"$dir/functions"
test "$(wc -l <"$dir/functions")" -ge 30 || fail "only $(wc -l <"$dir/functions") functions found in the walkthrough"
while read -r function; do
    grep -qE "^([a-zA-Z_].*[ *])?$function\(" "$dir/sources" || fail "$function() is named in the walkthrough, but not defined"
done <"$dir/functions"
