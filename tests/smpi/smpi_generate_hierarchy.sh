#!/bin/sh
# generate_hierarchy on a simulated machine: 32 ranks on 16 hosts of 4 clusters at 2 sites, found without
# asking the real host. HITOP_UPDATE_GOLDEN=1 accepts the output as it is.
set -eu
top=${srcdir:-.}/..
machine=$top/testdata/simgrid/four-levels
golden=$top/testdata/golden/four-levels.txt
out=$(mktemp)
trap 'rm -f "$out"' EXIT

sh "${srcdir:-.}/support/smpi-run.sh" "$machine.xml" "$machine.hosts" 32 ../tools/generate_hierarchy \
    --format text -o "$out"
if test "${HITOP_UPDATE_GOLDEN-}"; then
    cp "$out" "$golden"
fi
diff -u "$golden" "$out"
