#!/bin/sh
# For tests to read in: a directory $dir that goes when the test ends, and fail.
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
