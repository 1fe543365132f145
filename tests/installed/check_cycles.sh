#!/bin/sh
# build-aux/check-cycles.sh passes on a few made-up sources, fails on each kind of circle and on a
# symbol that two files define, and lets pass a circle that is accepted.
set -eu
top=$(cd "${srcdir:-.}/.." && pwd)
. "$top/tests/support/scratch.sh"
mkdir "$dir/build"
for folder in src hierarchy models coll tools; do
    mkdir "$dir/$folder" "$dir/build/$folder"
done
mkdir "$dir/build/coll/.libs"

write() { # write FILE LINE... ; a source file, compiled where libtool or a program would have it
    file=$1
    shift
    printf '%s\n' "$@" >"$dir/$file"
    case $file in
    coll/*.c) object=coll/.libs/$(basename "$file" .c).o ;;
    tools/*.c) object=tools/program-$(basename "$file" .c).o ;;
    *) return 0 ;;
    esac
    ${CC:-cc} -I"$dir" -c -o "$dir/build/$object" "$dir/$file" || fail "cannot compile $file"
}

check() { # check [ACCEPTED] ; what it says in $dir/said
    (cd "$dir/build" && sh "$top/build-aux/check-cycles.sh" "$dir" "${1-/dev/null}") >"$dir/said" 2>&1
}

refused() { # refused TEXT... ; it fails and says each
    ! check || fail "passes in spite of: $*"
    for text; do
        grep -qF -e "$text" "$dir/said" || fail "no '$text' in: $(cat "$dir/said")"
    done
}

! check || fail "no objects"
grep -q 'no objects' "$dir/said" || fail "$(cat "$dir/said")"

# one uses two, which includes three.
write coll/two.h 'int two(void);'
write coll/three.h 'extern int three;'
write coll/one.c '#include "coll/two.h"' 'int one(void) { return two(); }'
write coll/two.c '#include "coll/two.h"' '#include "coll/three.h"' 'int two(void) { return three; }'
write coll/three.c '#include "coll/three.h"' 'int three;'
write tools/tool.c 'int one(void);' 'int main(void) { return one(); }'
write tools/other.c 'int two(void);' 'int main(void) { return two(); }'
check || fail "$(cat "$dir/said")"

# By symbols: three, in the end, points to one.
write coll/three.c '#include "coll/three.h"' 'int three;' 'int one(void);' 'int (*back)(void) = one;'
refused 'circle of 3 files' 'coll/three -> coll/one: uses one' \
    'coll/one -> coll/two: includes coll/two.h'
echo 'coll/one coll/two coll/three: for this test' >"$dir/accepted"
check "$dir/accepted" || fail "$(cat "$dir/said")"
echo 'coll/one coll/three: another circle' >"$dir/accepted"
! check "$dir/accepted" || fail "a circle is accepted that is larger than the accepted one"

# By a header, which no object shows.
write coll/three.c '#include "coll/three.h"' 'int three;'
write coll/three.h '#include "coll/one.h"' 'extern int three;'
write coll/one.h '#include "coll/two.h"'
refused 'coll/three -> coll/one: includes coll/one.h'
write coll/three.h 'extern int three;'

# A symbol twice, and an object that is left from a file that is gone.
write coll/four.c 'int two(void) { return 2; }'
refused 'two is defined twice' coll/four
rm "$dir/coll/four.c"
check || fail "$(cat "$dir/said")"
