#!/bin/sh
# A reader that closes the pipe of standard output, as head does: every tool ends quietly with status 0, and all files that options
# name are whole.
set -eu
top=${srcdir:-.}/..
. "${srcdir:-.}/support/scratch.sh"
. "${srcdir:-.}/support/programs.sh"
tools=$(sed -n 's/^complete -F _hitop //p' ../tools/completion.bash)
model=$top/testdata/models/four-levels.json
machine=$top/testdata/simgrid/four-levels

# unread STATUS COMMAND... ; run it when the reader has gone
unread() {
    wanted=$1
    shift
    {
        (
            trap '' PIPE
            while echo 2>/dev/null; do :; done
        )
        status=0
        "$@" 2>"$dir/err" || status=$?
        echo "$status" >"$dir/status"
    } | :
    test "$(cat "$dir/status")" = "$wanted" || fail "$*: status $(cat "$dir/status"), not $wanted: $(cat "$dir/err")"
    test ! -s "$dir/err" || fail "$*: $(cat "$dir/err")"
}

ntools=0
for tool in $tools; do
    case $tool in
    hitop*) continue ;; # no program of this kind
    esac
    ntools=$((ntools + 1))
    unread 0 "$bin/$tool" --help
done
test "$ntools" -ge 10 || fail "only $ntools tools"

$bin/generate_hierarchy --hosts-file "$machine.hosts" -o "$dir/h.dot"
unread 0 $bin/generate_hierarchy --hosts-file "$machine.hosts"
unread 0 $bin/ranks2hosts --hosts-file "$machine.hosts"
unread 0 $bin/hierarchical_model -C hockney -i "$dir/h.dot" --simulate "$model" -o "$dir/m.json" \
    --annotate "$dir/a.dot" --points "$dir/p.csv"
unread 0 $bin/hierarchical_model -i "$dir/h.dot" --simulate "$model" -C all -o "$dir/all.json" --budget 10min
for file in m.json a.dot p.csv all.json; do
    test -s "$dir/$file" || fail "$file is lost"
done
$bin/model_info "$dir/m.json" >/dev/null
for format in text csv json; do
    unread 0 $bin/model_info "$model" --format $format
    unread 0 $bin/model_info "$model" --diff "$model" --format $format
    unread 0 $bin/predict_collective -i "$model" -O bcast --sizes 64k --format $format --draw "$dir/$format.svg"
    grep -q '</svg>' "$dir/$format.svg" || fail "$format.svg is lost"
done
unread 0 $bin/model_info "$model" --matrix latency
unread 0 $bin/predict_collective -i "$model" -O bcast --write-rules -
for format in html md csv; do
    unread 0 $bin/benchmark_report "$top/testdata/benchmark/two-ranks.json" --format $format --no-figures
done
unread 0 $bin/model_info "$model" -o /dev/stdout

# another output that cannot be written is a failure nevertheless
if test -w /dev/full; then
    status=0
    { $bin/model_info "$model" -o /dev/full 2>"$dir/err" || status=$?; test "$status" = 1 || echo "$status" >"$dir/wrong"; } | :
    test ! -e "$dir/wrong" || fail "/dev/full: status $(cat "$dir/wrong")"
    grep -q '/dev/full: cannot write' "$dir/err" || fail "nothing said about /dev/full"
fi
