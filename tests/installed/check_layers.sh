#!/bin/sh
# build-aux/check-layers.sh passes on the sources, and fails on each kind of include that it forbids.
set -eu
top=$(cd "${srcdir:-.}/.." && pwd)
. "$top/tests/support/scratch.sh"
(cd "$top" && find src hierarchy models coll tools -name '*.[ch]' | tar cf - -T -) | (cd "$dir" && tar xf -)

check() { # check ; the rules on the copy, what they say in $dir/said
    sh "$top/build-aux/check-layers.sh" "$dir" >"$dir/said" 2>&1
}

refused() { # refused FILE LINE TEXT ; an include that is added to a file
    cp "$dir/$1" "$dir/saved"
    printf '%s\n' "$2" >>"$dir/$1"
    ! check || fail "$1 may say $2"
    grep -qF -e "$3" "$dir/said" || fail "$1: $2: not '$3' but $(cat "$dir/said")"
    mv "$dir/saved" "$dir/$1"
}

check || fail "$(cat "$dir/said")"
refused models/fit/modes.c '#include "models/measure/measure_impl.h"' 'models/fit may not use models/measure'
refused coll/trees/tree.c '#include "coll/predict/fan.h"' 'coll/trees may not use coll/predict'
refused hierarchy/tree/builder.c '#include "../names/host_name.h"' 'write it from the top of the sources'
refused hierarchy/tree/builder.c '#include "hitop/model.h"' 'hierarchy must not use models, coll, tools'
refused coll/trees/tree.c '#include <mpi.h>' 'mpi.h belongs in'
refused tools/info/info_text.c '#include <jansson.h>' 'jansson belongs in'
refused models/fit/modes.c 'static void say(void) { fprintf(stderr, ""); }' 'libraries write to standard error'
mkdir "$dir/models/attic"
echo >"$dir/models/attic/old.c"
! check || fail "a folder may have no line in the table"
rm -r "$dir/models/attic"
check || fail "$(cat "$dir/said")"
