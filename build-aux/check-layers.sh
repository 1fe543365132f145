#!/bin/sh
# Fail when a folder includes a header from a folder above it, a third-party header outside the files that own
# it, or a library writes to standard error by itself. usage: check-layers.sh [top_srcdir]
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

models='(sys/)?(model|transport)\.h|(estimate|curve_fit)\.h|measure(_mpi)?\.h|discover\.h|(clock|collective_time|fan)(_mpi)?\.h|eager\.h|journal\.h|modes\.h'
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
    forbid 'mpi.h belongs in *_mpi.[ch]' 'mpi\.h' '*_mpi.[ch]' $code
    forbid 'hwloc belongs in *_hwloc.c' 'hwloc' '*_hwloc.c' $code
    forbid 'cgraph belongs in *_dot.c' '(graphviz/)?cgraph' '*_dot.c' $code
    forbid 'jansson belongs in *_json.c' 'jansson' '*_json.[ch]' $code
    forbid 'libcsv belongs in *_csv.c' 'csv\.h' '*_csv.c' $code
    forbid 'libyaml belongs in *_yaml.c' 'yaml\.h' '*_yaml.c' $code
    forbid 'zlib belongs in *_zlib.c' 'zlib\.h' '*_zlib.c' $code
    forbid 'gsl belongs in models' 'gsl/' '' src hierarchy coll tools
}
# fprintf() to standard error goes out in pieces, between which other ranks write theirs
if grep -rnE --include='*.[ch]' --exclude=message.c '(printf|put[cs])\(.*stderr|perror\(|STDERR_FILENO, ' \
    src/*.c hierarchy models coll | grep -v '^[^:]*:[0-9]*: \*' >&2; then
    echo 'layering: libraries write to standard error by coll/runtime/message.h only' >&2
    status=1
fi
exit $status
