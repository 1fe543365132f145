#!/bin/sh
# For tests to read in: a directory $dir that goes when the test ends, and fail.
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

fail() { # fail WORDS... ; what was wrong
    echo "FAIL: $*" >&2
    exit 1
}
