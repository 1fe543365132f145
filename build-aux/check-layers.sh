#!/bin/sh
# Fail when a room includes a header of a room that it may not use, a folder a public header from a folder above it, a file
# a third-party header that it does not own, or a library writes to standard error by itself.
# usage: check-layers.sh [top_srcdir]
set -eu
cd "${1:-.}"
status=0
code='src hierarchy models coll tools'

forbid() { # forbid WHY HEADER_REGEX EXCLUDED_GLOB PATH...
    why=$1 regex=$2 except=$3
    shift 3
    if grep -rnE --include='*.[ch]' --exclude="$except" \
        "^[[:space:]]*#[[:space:]]*include[[:space:]]+[\"<]($regex)" "$@" >&2; then
        echo "layering: $why" >&2
        status=1
    fi
}

# Rooms, and the rooms whose private headers each may include, besides its own. A room is named after those that it may
# include, so that there are no circles.
rooms='
src
hierarchy/text
hierarchy/names      src hierarchy/text
hierarchy/tree       src hierarchy/text
hierarchy/edit       src hierarchy/text hierarchy/tree
hierarchy/hostlist   src hierarchy/text hierarchy/names hierarchy/tree
hierarchy/draw       hierarchy/text hierarchy/names hierarchy/tree hierarchy/hostlist
hierarchy/job        hierarchy/text hierarchy/names
hierarchy/hwloc      hierarchy/text hierarchy/tree hierarchy/hostlist hierarchy/job
hierarchy/lint       src hierarchy/text hierarchy/tree
hierarchy/dot        src hierarchy/text hierarchy/tree hierarchy/hostlist hierarchy/draw hierarchy/lint
hierarchy/sources    src hierarchy/text hierarchy/names hierarchy/tree hierarchy/hostlist
models/fit           src
models/curves        models/fit
models/links
models/model         src
models/formulas      models/fit models/model
models/whatif
models/simgrid       src hierarchy/text
models/transport
models/clock         src hierarchy/job models/fit models/transport
models/journal       src models/fit models/transport
models/measure       src models/fit models/links models/model models/transport models/journal
models/fans          models/fit models/transport models/clock models/journal
models/campaign      src models/fit models/transport models/journal models/measure models/fans
models/estimate      hierarchy/hostlist hierarchy/job hierarchy/hwloc models/fit models/transport models/campaign
models/discover      src models/measure
models/validate      models/fit
models/results       src models/fit models/curves models/clock
coll/trees           hierarchy/text
coll/algorithms      coll/trees
coll/schedule        coll/trees
coll/predict         src models/model coll/trees coll/schedule
coll/reference
coll/defaults        src coll/predict
coll/validate        models/validate coll/predict
coll/node            src
coll/runtime         coll/trees coll/predict coll/node            src
coll/twolevel        hierarchy/job coll/predict coll/node coll/runtime
coll/intercept       coll/node coll/runtime coll/twolevel
tools/common         src hierarchy/job hierarchy/hwloc models/whatif
tools/check          coll/reference coll/runtime tools/common
tools/export/lint    src
tools/export         src models/results coll/predict coll/defaults tools/common tools/export/lint
tools/generate       src hierarchy/draw models/transport models/discover tools/common
tools/info           src models/fit models/model tools/common
tools/measure        src hierarchy/hostlist hierarchy/job hierarchy/hwloc models/model models/fit models/simgrid models/transport models/campaign coll/predict tools/common
tools/predict        src models/whatif coll/defaults tools/common
tools/report         src models/fit models/curves models/results tools/common
tools/benchmark      src hierarchy/job hierarchy/hwloc models/fit models/transport models/clock models/results tools/common tools/check tools/report
tools/tune           hierarchy/job models/fit coll/node tools/common
tools/validate       src hierarchy/job hierarchy/hwloc models/model models/transport models/clock models/validate coll/validate coll/runtime tools/common
'

# Lines "FILE:LINE: includes HEADER: WHY" of what the table does not allow.
foreign_rooms() {
    find $code -name '*.[ch]' ! -path 'src/hitop/*' | sort | xargs awk -v rooms="$rooms" '
        BEGIN {
            n = split(rooms, line, "\n")
            for (i = 1; i <= n; i++) {
                m = split(line[i], word, " +")
                for (j = 2; j <= m; j++) {
                    if (!(word[j] in is_room)) print "the table: " word[1] ": " word[j] " comes later, or nowhere"
                    may[word[1], word[j]] = 1
                }
                if (m > 0) is_room[word[1]] = 1
            }
        }
        FNR == 1 {
            room = FILENAME
            sub("/[^/]*$", "", room)
            if (!(room in is_room)) print FILENAME ": its room is not in the table"
        }
        /^[ \t]*#[ \t]*include[ \t]+"/ {
            split($0, part, "\"")
            header = part[2]
            if (header ~ /^hitop\// || header ~ /^[a-z_]+\.inc$/) next
            from = header
            if (!sub("/[^/]*$", "", from) || header ~ /\.\.\//) {
                print FILENAME ":" FNR ": includes " header ": write it from the top of the sources"
            } else if (from != room && !((room, from) in may)) {
                print FILENAME ":" FNR ": includes " header ": " room " may not use " from
            }
        }'
}

models='(sys/)?(model|transport)\.h|measure\.h|batch\.h'
coll='(sys/)?(tree|coll)\.h|sched\.h|predict\.h|bcast_mpi\.h|collectives_mpi\.h|closed_form\.h'
hierarchy='hierarchy\.h|(sys/)?source\.h|dot\.h'

forbid 'src must not use the folders above it' \
    "(\.\./)*(hierarchy|models|coll|tools)/|hitop/($hierarchy|$models|$coll)" '' src/*.c
forbid 'hierarchy must not use models, coll, tools' \
    "(\.\./)*(models|coll|tools)/|hitop/($models|$coll)" '' hierarchy
forbid 'models must not use coll, tools' "(\.\./)*(coll|tools)/|hitop/($coll)" '' models
forbid 'coll must not use tools' '(\.\./)*tools/' '' coll
# shellcheck disable=SC2086 # $code is a list
{
    wrong=$(foreign_rooms)
    forbid 'mpi.h belongs in *_mpi.[ch]' 'mpi\.h' '*_mpi.[ch]' $code
    forbid 'hwloc belongs in *_hwloc.c' 'hwloc' '*_hwloc.c' $code
    forbid 'jansson belongs in *_json.c' 'jansson' '*_json.[ch]' $code
    forbid 'libcsv belongs in *_csv.c' 'csv\.h' '*_csv.c' $code
    forbid 'libyaml belongs in *_yaml.c' 'yaml\.h' '*_yaml.c' $code
    forbid 'expat belongs in *_xml.c' 'expat\.h' '*_xml.c' $code
    forbid 'zlib belongs in *_zlib.c' 'zlib\.h' '*_zlib.c' $code
    forbid 'gsl belongs in models' 'gsl/' '' src hierarchy coll tools
}
if [ -n "$wrong" ]; then
    printf '%s\n' "$wrong" | sed 's/^/layering: /' >&2
    status=1
fi
# fprintf() to standard error goes out in pieces, between which other ranks write theirs
if grep -rnE --include='*.[ch]' --exclude=message.c '(printf|put[cs])\(.*stderr|perror\(|STDERR_FILENO, ' \
    src/*.c hierarchy models coll | grep -v '^[^:]*:[0-9]*: \*' >&2; then
    echo 'layering: libraries write to standard error by coll/runtime/message.h only' >&2
    status=1
fi
exit $status
