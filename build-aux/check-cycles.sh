#!/bin/sh
# Fail when source files depend on each other in a circle.
#
# A file is NAME.c with its header NAME.h. It depends on the files whose private headers it includes
# and on those that define what its object uses, as nm lists it. A function that is called through a
# pointer from a table makes no dependency. A symbol that two files define is an error, too.
#
# usage, in the top build folder, after make: check-cycles.sh [top_srcdir [ACCEPTED]]
# ACCEPTED is a file with lines as below, in place of them.
set -eu
sources=${1:-.}
code='src hierarchy models coll tools'

# Circles that stay: FILE FILE...: REASON. A circle of only some of the files is accepted, too.
accepted='
coll/node/cma_reduce coll/node/reduce: a sum of what the kernel left out
'
[ $# -lt 2 ] || accepted=$(cat "$2")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Lines "file PATH", "include PATH HEADER" and "symbol OBJECT: NAME TYPE ...".
# shellcheck disable=SC2086 # $code is a list, and NM may have options
{
    (cd "$sources" && find $code -name '*.[ch]' ! -path 'src/hitop/*' | sort) >"$scratch/files"
    sed 's/^/file /' "$scratch/files"
    (cd "$sources" && xargs awk '/^ *# *include "/ {
        split($0, part, "\"")
        print "include", FILENAME, part[2]
    }' /dev/null) <"$scratch/files"
    find $code -name '*.o' >"$scratch/objects"
    [ -s "$scratch/objects" ] || { echo 'check-cycles.sh: no objects: run make first' >&2; exit 1; }
    xargs ${NM:-nm} -A -P <"$scratch/objects" >"$scratch/symbols"
    sed 's/^/symbol /' "$scratch/symbols"
} >"$scratch/facts"

awk -v accepted="$accepted" '
    function without_suffix(path) {
        sub(/\.[a-z]+:?$/, "", path)
        return path
    }
    function add_edge(from, to, why) {
        if (from == to || ((from, to) in reason)) return
        reason[from, to] = why
        next_of[from, ++degree[from]] = to
    }
    # The algorithm of Tarjan: a component is complete when its first file is left.
    function visit(file,    i, to) {
        stack[++top] = file
        on_stack[file] = 1
        order[file] = lowest[file] = ++visited
        for (i = 1; i <= degree[file]; i++) {
            to = next_of[file, i]
            if (!(to in order)) visit(to)
            if ((to in on_stack) && lowest[to] < lowest[file]) lowest[file] = lowest[to]
        }
        if (lowest[file] == order[file]) take_component(file)
    }
    function take_component(first,    n, file, member) {
        do {
            file = stack[top--]
            delete on_stack[file]
            member[++n] = file
        } while (file != first)
        if (n > 1) judge(member, n)
    }
    function judge(member, n,    i, j, line) {
        for (line = 1; line <= n_accepted; line++) {
            for (i = 1; i <= n && ((line, member[i]) in is_accepted); i++) continue
            if (i > n) return
        }
        failed = 1
        print "circle of " n " files:"
        for (i = 1; i <= n; i++)
            for (j = 1; j <= n; j++)
                if ((member[i], member[j]) in reason)
                    print "  " member[i] " -> " member[j] ": " reason[member[i], member[j]]
    }
    BEGIN {
        n_accepted = split(accepted, line, "\n")
        for (i = 1; i <= n_accepted; i++) {
            n = split(substr(line[i], 1, index(line[i], ":") - 1), name, " +")
            for (j = 1; j <= n; j++) is_accepted[i, name[j]] = 1
        }
    }
    $1 == "file" && $2 ~ /c$/ { has_source[without_suffix($2)] = 1 }
    $1 == "file" && !(without_suffix($2) in is_file) {
        files[++n_files] = without_suffix($2)
        is_file[files[n_files]] = 1
    }
    $1 == "include" {
        to = without_suffix($3)
        if (to in is_file) add_edge(without_suffix($2), to, "includes " $3)
    }
    $1 == "symbol" {
        object = without_suffix($2)
        sub(/\.libs\//, "", object)
        sub("/[^/]*-", "/", object) # automake puts the target before the name: model_info-plot.o
        if (!(object in has_source) || $3 == "main") next # an object whose source file is gone
        if ($4 ~ /^[Uvw]$/) {
            used[++n_used] = object " " $3
        } else if ($4 ~ /^[A-Zu]$/) {
            if (($3 in defined_by) && defined_by[$3] != object) {
                failed = 1
                print $3 " is defined twice: in " defined_by[$3] " and in " object
            }
            defined_by[$3] = object
        }
    }
    END {
        for (i = 1; i <= n_used; i++) {
            split(used[i], use, " ")
            if (use[2] in defined_by) add_edge(use[1], defined_by[use[2]], "uses " use[2])
        }
        for (i = 1; i <= n_files; i++) if (!(files[i] in order)) visit(files[i])
        exit failed
    }' "$scratch/facts" >&2
