#!/bin/sh
# For tests to read in: a directory $dir that goes when the test ends, fail and refuse.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Tests say themselves what they set of these; only those meant for tests come from outside.
for name in $(env | sed -n 's/^\(HITOP_[A-Z_]*\)=.*/\1/p'); do
    case $name in
    HITOP_TEST_* | HITOP_UPDATE_GOLDEN) ;;
    *) unset "$name" ;;
    esac
done

fail() { # fail WORDS... ; what was wrong
    echo "FAIL: $*" >&2
    exit 1
}

refuse() { # refuse STATUS TEXT ARGUMENT... ; $tool ends so, after one line on standard error that contains TEXT
    want=$1 text=$2 status=0
    shift 2
    "$tool" "$@" >"$dir/out" 2>"$dir/err" </dev/null || status=$?
    test "$status" = "$want" || fail "$*: status $status, not $want: $(cat "$dir/err")"
    test "$(wc -l <"$dir/err")" = 1 || fail "$*: not one line: $(cat "$dir/err")"
    grep -qF -e "$text" "$dir/err" || fail "$*: no '$text' in $(cat "$dir/err")"
    test ! -s "$dir/out" || fail "$*: wrote $(cat "$dir/out")"
}
