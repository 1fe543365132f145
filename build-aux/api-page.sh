#!/bin/sh
# A page of man/api-pages, made of public headers. usage: api-page.sh AWK TOP_SRCDIR VERSION PAGE
set -eu
awk=$1 top=$2 version=$3 page=$4

field() { # field NUMBER ; of the page's line
    sed -n "s/^$page *| *//p" "$top/man/api-pages" | cut -d '|' -f "$1" | sed 's/^ *//; s/ *$//'
}

headers=
for header in $(field 2); do
    headers="$headers $top/src/hitop/$header"
done
[ -n "$headers" ] || { echo "api-page.sh: $top/man/api-pages has no $page" >&2; exit 1; }
# shellcheck disable=SC2086 # headers are a list
exec $awk -v name="$page" -v what="$(field 3)" -v version="$version" -v library="$(field 1)" -v see="$(field 4)" \
    -f "$top/build-aux/header2man.awk" $headers
