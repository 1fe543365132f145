#!/bin/sh
# Pages and headers agree: every function that an installed header declares stands in a page of section 3 with its
# prototype, every function and file that a page names exists, and troff has nothing to object to any page.
set -eu
top=${srcdir:-.}/..
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/public.sh"

declared() { # declared FILE... ; prototypes, one a line, without blanks
    declarations "$@" | sed 's/.*HITOP_API//; s/HITOP_CONST//; s/HITOP_MUST_CHECK//; s/HITOP_PRINTF([^)]*)//; s/[[:space:]]//g'
}

prototypes() { # prototypes PAGE... ; of the SYNOPSIS, likewise
    sed -n '/^\.SH SYNOPSIS/,/^\.fi/p' "$@" | grep -v '#include' | sed 's/\\f.//g; s/\\-/-/g' | tr -d '\n' | tr ';' '\n' |
        grep -o '[^.]*hitop_.*' | sed 's/$/;/; s/[[:space:]]//g; s/^nf//'
}

installed_headers >"$dir/installed"
[ "$(wc -l <"$dir/installed")" -gt 20 ] || fail "headers are missing"
for header in $(cat "$dir/installed"); do
    declared "$top/src/$header"
done | sort -u >"$dir/declared"
[ "$(wc -l <"$dir/declared")" -gt 200 ] || fail "only $(wc -l <"$dir/declared") functions"

# Each header on one page.
sed -n 's/^\\fB#include <\(hitop.*\)>\\fP$/\1/p' ../man/*.3 | sort >"$dir/included"
diff "$dir/installed" "$dir/included" ||
    fail "headers (<) and pages of section 3 (>) differ: man/api-pages lists what is on which"

# Each function, as it is declared; nothing else.
for page in ../man/*.3; do
    prototypes "$page"
done | sort -u >"$dir/paged"
comm -23 "$dir/declared" "$dir/paged" >"$dir/missing"
[ ! -s "$dir/missing" ] || { cat "$dir/missing"; fail "not in a page, or otherwise"; }
sed -n '/^\.SH SYNOPSIS/,/^\.fi/p' ../man/*.3 | grep -oE '\bhitop_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$dir/named"
while read -r name; do
    grep -rqE "\<$name\(" "$top/src/hitop" || fail "$name: only a page declares it"
done <"$dir/named"

# Functions that hand-written pages name.
for page in "$top"/man/*.in; do
    sed 's/\\-/-/g' "$page" | grep -ohE '\bhitop_[a-z0-9_]+ ?\(\)' | tr -d ' ()' | sort -u | while read -r name; do
        grep -rqE "\<$name\(" "$top/src/hitop" || fail "$page: there is no $name()"
    done
done

# Pages that pages name, where they are Hitop's.
ls ../man >"$dir/pages"
sed -n 's/^\.BR \([a-z_\\-]*\) (\([1357]\)).*/\1.\2/p' ../man/*.[1357] | sed 's/\\-/-/g' | sort -u | while read -r page; do
    case $page in
    hitop* | *_model.1 | *_collective.1 | benchmark_report.1 | export_tuning.1 | generate_hierarchy.1 | model_info.1 | ranks2hosts.1 | tune_node.1)
        grep -qx "$page" "$dir/pages" || fail "there is no page $page"
        ;;
    esac
done

# All members of model files.
sed 's/\\-/-/g' "$top/man/hitop-model.5.in" >"$dir/model"
grep -oE '^ *"[A-Za-z0-9_]+": (\{|\[)' "$top/doc/model.schema.json" | tr -d ' ":{[' | sort -u |
    grep -vxE 'additionalProperties|allOf|anyOf|contains|definitions|dependencies|else|enum|fixed|if|interference|items|not|parameter|processor|properties|propertyNames|rate|required|seconds_per_byte|then|threshold|type|verified' |
    while read -r member; do
        grep -qw -e "$member" "$dir/model" || fail "hitop-model.5 does not explain $member"
    done

command -v man >/dev/null && command -v groff >/dev/null || { echo "skipped: troff, no man or groff"; exit 0; }
for page in ../man/*.[1357]; do
    MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" >"$dir/out" 2>"$dir/err" ||
        { cat "$dir/err"; fail "$page"; }
    [ ! -s "$dir/err" ] || { cat "$dir/err"; fail "$page"; }
    [ -s "$dir/out" ] || fail "$page: empty"
done
