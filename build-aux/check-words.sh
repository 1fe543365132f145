#!/bin/sh
# Fail when a source, a test or a page contains a word that the last column of doc/glossary.md refuses: in a comment, a string, a
# part of a name or the name of the file. The message says the file, the line, the word and the term to use.
# A line that has to contain an old word, such as a key of older files, says "old name" in a comment.
# usage: check-words.sh [top_srcdir] [FILE_OR_FOLDER...]    (without FILE_OR_FOLDER: all that are done)
set -eu
cd "${1:-.}"
[ $# -eq 0 ] || shift

# Folders and files that are done. The list grows until it has all folders of the sources, tests, man and doc.
rooms='
CHANGELOG.md
CONTRIBUTING.md
README.md
bench
bench/paper
bench/selectors
build-aux/check-words.sh
coll
doc
examples
hierarchy
man
models/campaign
models/clock
models/curves
models/discover
models/fans
models/fit
models/formulas
models/journal
models/links
models/measure
models/model
models/results
models/transport
models/validate
models/whatif
pkgconfig
src/*.[ch]
tests/coll/algorithms
tests/coll/intercept
tests/coll/node
tests/coll/predict
tests/coll/runtime
tests/coll/schedule
tests/coll/trees
tests/coll/twolevel
tests/fuzz
tests/hierarchy
tests/installed
tests/models/campaign
tests/models/clock
tests/models/curves
tests/models/discover
tests/models/fit
tests/models/formulas
tests/models/journal
tests/models/links
tests/models/measure
tests/models/model
tests/models/transport
tests/models/validate
tests/mpi
tests/smpi
tests/src
tests/support
tests/tools/check_report.c
tests/tools/mpi_hierarchical_model.sh
tests/tools/mpi_resume.sh
tests/tools/tool_benchmark_launches.sh
tests/tools/export/tool_check_tuning.sh
tests/tools/export/tool_export.sh
tests/tools/export/tool_export_verify.sh
tests/tools/tool_benchmark_report.sh
tests/tools/tool_flat_model.sh
tests/tools/tool_hierarchical_model.sh
tests/tools/tool_long_run.sh
tests/tools/tool_one_rank.sh
tests/tools/tool_report_strange.sh
tests/tools/tool_update.sh
tests/tools/tool_verify.sh
tests/vcluster
tests/tools/*benchmark*
tests/tools/*report*
tests/tools/check_tune.c
tests/tools/mpi_guide.sh
tests/tools/tool_hitop_run.sh
tests/tools/tool_tune_node.sh
tools/benchmark
tools/check
tools/common
tools/export
tools/generate
tools/info
tools/measure
tools/predict
tools/report
tools/tune
tools/validate
'

# shellcheck disable=SC2086 # a list
[ $# -gt 0 ] || set -- $rooms
find "$@" -type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.md' -o -name '*.in' -o -name '*.py' -o -name '*.awk' \) \
    ! -name Makefile.in ! -path doc/glossary.md ! -path 'doc/adr/*' | sort | awk '
    function refuse(word, where) {
        if (!(word in term)) return
        if (!(word in everywhere) && folder[word] != "" && !match(file, "(^|/)(" folder[word] ")/")) return
        print where ": \"" word "\": use \"" term[word] "\"" (word in everywhere ? "" : " here")
        wrong = 1
    }
    function check(text, where,    n, i, word) {
        gsub(/[^A-Za-z]+/, " ", text)
        n = split(tolower(text), word, " ")
        for (i = 1; i <= n; i++) {
            refuse(word[i], where)
            if (i > 1) refuse(word[i - 1] " " word[i], where)
        }
    }
    BEGIN {
        while ((getline line < "doc/glossary.md") > 0) {
            if (line !~ /^\| / || line ~ /^\| term \|/) continue
            split(line, column, / *\| */)
            n = split(column[5], entry, / *, */)
            for (i = 1; i <= n; i++) {
                if (split(entry[i], part, "`") < 3) continue
                word = part[2]
                term[word] = term[word] == "" ? column[2] : term[word] "\" or \"" column[2]
                if (!sub(/^ in /, "", part[3])) everywhere[word] = 1
                folder[word] = folder[word] == "" ? part[3] : folder[word] "|" part[3]
                terms++
            }
        }
        if (terms == 0) {
            print "doc/glossary.md: no refused words; the last column has them as `word`, or as `word` in FOLDER"
            exit status = 1
        }
    }
    {
        file = $0
        check(file, file)
        for (nr = 1; (getline line < file) > 0; nr++) {
            if (line !~ /old name/) check(line, file ":" nr)
        }
        close(file)
    }
    END { exit wrong || status }' >&2
