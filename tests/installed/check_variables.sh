#!/bin/sh
# The HITOP_* variables that the library reads are those that hitop.7 explains, no more and no fewer.
set -eu
top=${srcdir:-.}/..
. "${srcdir:-.}/support/scratch.sh"

grep -rhoE '"HITOP_[A-Z_]+"' "$top/coll" --include='*.c' | tr -d '"' | sort -u >"$dir/code"
sed -n 's/^\.B \(HITOP_[A-Z_]*\)$/\1/p' "$top/man/hitop.7.in" | sort >"$dir/page"
sed -n '/^static const char \*const names\[\]/,/};/p' "$top/coll/twolevel/settings.c" | grep -oE '"HITOP_[A-Z_]+"' | tr -d '"' |
    sort >"$dir/names"
test "$(wc -l <"$dir/code")" -ge 8 || fail "only $(wc -l <"$dir/code") variables found in the sources"
diff -u "$dir/code" "$dir/page" || fail "the sources and hitop.7 differ"
diff -u "$dir/code" "$dir/names" || fail "the sources and the names in settings.c differ"
