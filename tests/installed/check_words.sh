#!/bin/sh
# build-aux/check-words.sh passes on the sources, and fails on a refused word in a comment, a string, a name or a file's name.
set -eu
top=$(cd "${srcdir:-.}/.." && pwd)
. "$top/tests/support/scratch.sh"
mkdir -p "$dir/doc" "$dir/coll/ring" "$dir/hierarchy"
cat >"$dir/doc/glossary.md" <<'END'
| term | meaning | source | not |
|---|---|---|---|
| group | A set of hosts. | hwloc | `heap`, `pile up` |
| slot | A part of a ring. | | `cursor` in coll/ring, `berth` |
| root | The first rank. | MPI standard | |
END

check() { # check [PLACE...] ; what the script says of them in $dir/said
    sh "$top/build-aux/check-words.sh" "$dir" "$@" >"$dir/said" 2>&1
}

refused() { # refused FILE LINE TEXT ; a file with this line
    printf '%s\n' 'int i;' "$2" >"$dir/$1"
    ! check coll hierarchy || fail "$1 may contain: $2"
    test "$(cat "$dir/said")" = "$3" || fail "$2: not '$3' but $(cat "$dir/said")"
    rm "$dir/$1"
}

allowed() { # allowed FILE LINE
    printf '%s\n' "$2" >"$dir/$1"
    check coll hierarchy || fail "$2: $(cat "$dir/said")"
    rm "$dir/$1"
}

refused coll/a.c '/* A heap of hosts. */' 'coll/a.c:2: "heap": use "group"'
refused coll/a.h 'fail("Heap");' 'coll/a.h:2: "heap": use "group"'
refused coll/a.sh 'n_heap2=1' 'coll/a.sh:2: "heap": use "group"'
refused hierarchy/a.c 'int hitop_pile_up(void);' 'hierarchy/a.c:2: "pile up": use "group"'
refused coll/ring/a.c 'int cursor;' 'coll/ring/a.c:2: "cursor": use "slot" here'
refused coll/heap_sort.c 'int j;' 'coll/heap_sort.c: "heap": use "group"'
allowed hierarchy/a.c 'int cursor, cheaper, heaps, pile;'
allowed coll/ring/a.c 'read_key("heap"); /* old name */'
printf '%s\n' '| term | meaning | source | not |' >"$dir/doc/glossary.md"
! check coll || fail 'a glossary without refused words'
grep -q 'no refused words' "$dir/said" || fail "$(cat "$dir/said")"
sh "$top/build-aux/check-words.sh" "$top" || fail 'words'
