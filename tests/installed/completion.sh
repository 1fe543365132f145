#!/bin/sh
# What bash completes: options and values of each tool, as its --help lists them.
set -eu
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/programs.sh"
export bin
tools=$(sed -n 's/^complete -F _hitop //p' ../tools/completion.bash)
command -v bash >/dev/null || { echo "no bash"; exit 77; }
cat >"$dir/try" <<'END'
set -eu
PATH=$PWD/$bin:$PWD/../tools:$PATH
. ../tools/completion.bash

try() { # try WORDS... ; what the last word may become, in one line
    local words=("$@") function
    function=$(complete -p "${1##*/}" | sed 's/.*-F \([^ ]*\) .*/\1/')
    COMP_WORDS=("${words[@]}") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
    COMPREPLY=()
    "$function" "$1" "${words[COMP_CWORD]}" "${words[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]-}"
}

failed=0
is() { # is EXPECTED WORDS... ; exactly
    local expected=$1 got
    shift
    got=$(try "$@")
    [[ $got == "$expected" ]] || { echo "FAIL: $*: '$got', not '$expected'" >&2; failed=1; }
}
has() { # has WORD WORDS... ; among others
    local expected=$1 got
    shift
    got=" $(try "$@") "
    [[ $got == *" $expected "* ]] || { echo "FAIL: $*: '$got', without '$expected'" >&2; failed=1; }
}

# Every option of every tool can be completed, and nothing else.
for tool in "$@"; do
    complete -p "$tool" >/dev/null || { echo "FAIL: $tool is not completed" >&2; failed=1; }
    listed=$("$tool" --help | sed -nE 's/^ +(-[A-Za-z], )?(--[a-z][a-z_-]+).*/\2/p' | sort -u)
    got=$(try "$tool" -- | tr ' ' '\n' | sort -u)
    [[ $got == "$listed" ]] || { echo "FAIL: $tool: options" >&2; diff <(echo "$listed") <(echo "$got") >&2; failed=1; }
done

is '--operation' predict_collective --oper
is 'barrier bcast' predict_collective -O b
is 'bcast/ecef' predict_collective -O bcast/ec
is 'bcast/twolevel' predict_collective --operation bcast/two
is 'alltoall/linear' predict_collective -O alltoall/l
is '' predict_collective -O alltoall/ecef
is 'text csv json' predict_collective --format ''
is 'json' predict_collective --format = j
is 'model sender both' predict_collective --ports ''
has 'radix=' predict_collective --param ''
is 'bcast,reduce bcast,reduce_scatter bcast,reduce_scatter_block' check_collective -O bcast,redu
has 'ring' check_collective -A ''
has 'ring,bruck' check_collective -A ring,''
is 'ring,knomial ring,knomial_mpi' check_collective -A ring,kno
is 'vector' check_collective -T v
has 'char' check_collective --types ''
is 'hockney' hierarchical_model -C h
has 'all' flat_model --model ''
has 'plogp' flat_model -C pl
is 'hot stream cold' flat_model --cache ''
has 'bisquare' hierarchical_model --fit ''
has 'two-point' hierarchical_model --fit two
is 'one ring pairs' hierarchical_model --links ''
is 'loggp plogp' model_info --as ''
is 'simgrid simgrid-hosts' export_tuning --format sim
is 'rankfile' export_tuning --format rankf
is 'rank host' model_info --by ''
is 'latency bandwidth time' model_info --matrix ''
is 'dot json svg text' generate_hierarchy --format ''
is 'names,binding' generate_hierarchy --source names,bi
is 'broadcast' benchmark_collective -O br
is 'imb' benchmark_collective -f i
is 'late-rank late-node late-leader late-root' benchmark_collective --arrival late
is 'max root global one-barrier window' benchmark_collective --timing ''
is one-barrier validate_model --timing one
is 'alltoall alltoallv' hitop-run --disable = alltoa
is 'fan,shift' validate_model --patterns fan,sh
is '' model_info --sizes ''
is '' generate_hierarchy --hosts ''
is 'p2p' predict_collective -O p
is 'pair' check_collective -T pa
is '' check_collective -O p
is 'text csv json' validate_model --format ''

# Files, where files belong.
cd "$SCRATCH"
mkdir files
cd files
touch model.json 'a model.json'
is 'model.json' predict_collective -i mod
is 'model.json' model_info m
is 'a model.json' validate_model --input a
is '' ranks2hosts x
exit $failed
END
# shellcheck disable=SC2086 # a list
SCRATCH=$dir bash "$dir/try" $tools || fail "see above"

# Where bash looks for it, by the name of each tool.
unset MAKEFLAGS MFLAGS MAKELEVEL
"${MAKE:-make}" -C ../tools install-data-local "DESTDIR=$dir/root" >"$dir/log" 2>&1 || { cat "$dir/log"; fail "make install"; }
for tool in $tools; do
    cmp ../tools/completion.bash "$(find "$dir/root" -path "*/bash-completion/completions/$tool")" || fail "$tool: not installed"
done
