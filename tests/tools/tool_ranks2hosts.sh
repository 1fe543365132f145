#!/bin/sh
# ranks2hosts: output on known hosts is compared whole, mistakes give their exit status and one line.
# HITOP_UPDATE_GOLDEN=1 accepts the output as it is.
set -eu
. "${srcdir:-.}/support/programs.sh"
top=${srcdir:-.}/..
tool=$bin/ranks2hosts
golden=$top/testdata/golden/ranks.dot
. "${srcdir:-.}/support/scratch.sh"

"$tool" --hosts 'zeta,csi01.ucd.ie:2,alpha,zeta,csi01.ucd.ie' >"$dir/out"
if test "${HITOP_UPDATE_GOLDEN-}"; then
    cp "$dir/out" "$golden"
fi
diff -u "$golden" "$dir/out"
if command -v dot >/dev/null; then
    dot -Tsvg "$golden" >"$dir/svg"
fi

refuse 2 "unexpected argument 'csi'" --hosts a csi
refuse 2 "unknown or ambiguous option '-x'" -x
refuse 2 "exclude each other" --hosts a --hosts-file b
refuse 2 "exclude each other" --hosts-file b --slurm-job
refuse 3 "$dir/none: cannot open" --hosts-file "$dir/none"
refuse 1 "$dir/no/file: cannot create" --hosts a -o "$dir/no/file"
echo a >"$dir/hosts"
refuse 2 "-o: '$dir/hosts' would replace what --hosts-file reads" --hosts-file "$dir/hosts" -o "$dir/hosts"
test "$(cat "$dir/hosts")" = a
