#!/bin/sh
# The options that --help lists are those that the page of each tool explains, no more and no fewer.
set -eu
top=${srcdir:-.}/..
. "${srcdir:-.}/support/scratch.sh"

options() { # options ; every long option in the text, each once
    grep -oE -e '--[a-z][a-z-]+' | sort -u
}

# What follows .TP is an option with what it takes, in whatever fonts.
headings() { # headings PAGE
    awk 'after && /-/ { print } { after = /^\.TP/ }' "$1" | sed 's/\\-/-/g; s/\\f.//g; s/"//g; s/ *,/ /g' | options
}

n=0
for page in "$top"/man/*.1.in; do
    tool=$(basename "$page" .1.in)
    "../tools/$tool" --help | options >"$dir/help"
    headings "$page" >"$dir/man"
    diff -u "$dir/help" "$dir/man" || fail "$tool: --help and its page differ"
    n=$((n + 1))
done
test $n -ge 6 || fail "only $n pages"

# made of these and of headers: each names the version that it is of
for page in ../man/*.[1-9]; do
    ! grep -n '@[A-Z_]*@' "$page" || fail "$page: something was not put in"
done

for tool in $(sed -n 's/^complete -F _hitop //p' ../tools/completion.bash); do # all tools
    [ -f "$top/man/$tool.1.in" ] || fail "$tool has no page"
done
