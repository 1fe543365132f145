#!/bin/sh
# A model that is exported to SimGrid returns its own numbers there: links of all levels of an uneven machine, measured under
# smpirun with the configuration of the platform file alone, differ from the model by less than 1 % at all sizes.
set -eu
. "${srcdir:-.}/support/scratch.sh"

python3 "${srcdir:-.}/../testdata/simgrid/make-twin.py" "$dir"
one_link=${srcdir:-.}/../testdata/simgrid/one-link

show() { # show TOOL ARGUMENT...: a program that calls no MPI function; what it prints or writes says whether it worked
    tool=$1
    shift
    timeout -k 5 60 smpirun -quiet -platform "$one_link.xml" -hostfile "$one_link.hosts" -np 1 "../tools/$tool" "$@" 2>"$dir/err"
}

# No model of the network and no factors in these flags: the platform file has them.
flags="-quiet --cfg=smpi/simulate-computation:no --cfg=smpi/wtime:0 --cfg=surf/precision:1e-12
    --cfg=smpi/iprobe:1e-7 --cfg=smpi/test:1e-7 --cfg=smpi/grow-injected-times:no
    --log=xbt_cfg.thresh:critical --log=smpi_config.thresh:error --log=smpi_coll.thresh:error"

export_twin() { # export_twin FORMULA: to twin.xml and twin.hosts
    show export_tuning -i "$dir/$1.json" --format simgrid -o "$dir/twin.xml" || true
    show export_tuning -i "$dir/$1.json" --format simgrid-hosts -o "$dir/twin.hosts" || true
    test -s "$dir/twin.xml" && test -s "$dir/twin.hosts" || fail "$1: no platform: $(cat "$dir/err")"
}

# twin FORMULA SIZES [OPTION...]: measure the platform of FORMULA.json and compare both models at these sizes
twin() {
    formula=$1 sizes=$2
    shift 2
    export_twin "$formula"
    # shellcheck disable=SC2086 # a list
    timeout -k 5 120 smpirun -platform "$dir/twin.xml" -hostfile "$dir/twin.hosts" -np 11 $flags ../tools/hierarchical_model \
        -C "$formula" -i "$dir/twin.dot" -o "$dir/back.json" -q -r 3 -R 3 --no-capacities --budget 9000s "$@" 2>"$dir/err" ||
        fail "$formula: $(cat "$dir/err")"
    show model_info "$dir/$formula.json" --diff "$dir/back.json" --tolerance 0.01 --sizes "$sizes" >"$dir/diff" || true
    grep '^# ' "$dir/diff" | tail -n 1 | sed "s/^#/$formula:/"
    grep -q '^# the same within 1 %' "$dir/diff" || fail "$formula: $(cat "$dir/diff")"
    test "$(awk '$2 == 0' "$dir/diff" | wc -l)" = 4 || fail "$formula: not four levels: $(cat "$dir/diff")"
}

twin hockney 0,1k,64k,1m
twin piecewise 0,1k,16k,65535,64k,256k,1m -M 1MiB # by factors, which all groups share

# The platform has no factors of these groups of PLogP, and says so.
export_twin plogp
grep -q 'links of this model have no factors in common' "$dir/twin.xml" || fail "plogp: $(head -n 12 "$dir/twin.xml")"

# The other way: the model of a platform file, without a measurement, is what all its pairs take under smpirun.
grid=${srcdir:-.}/../testdata/simgrid/grid.xml
show hierarchical_model --from-simgrid "$grid" -o "$dir/file.json" -q || true
grep -q 'did not find expat' "$dir/err" && exit 0
awk 'BEGIN { for (i = 1; i <= 5; i++) print "sagittaire-" (i < 5 ? i : 7) ".lyon.fr"; for (i = 1; i <= 2; i++) print "taurus-" i ".lyon.fr"
    for (i = 0; i <= 2; i++) print "n-" i ".nancy.fr"; for (i = 1; i <= 3; i++) print "t" i }' >"$dir/grid.hosts"
# shellcheck disable=SC2086 # a list
timeout -k 5 120 smpirun -platform "$grid" -hostfile "$dir/grid.hosts" -np 13 $flags --cfg=network/model:CM02 --cfg=network/crosstraffic:no \
    ../tools/flat_model -C hockney -o "$dir/pairs.json" -q -r 3 -R 3 --budget 9000s >"$dir/out" 2>"$dir/err" || fail "grid: $(cat "$dir/err")"
show model_info "$dir/file.json" --diff "$dir/pairs.json" --tolerance 0.01 --sizes 0,1k,64k,1m >"$dir/diff" || true
grep '^# ' "$dir/diff" | tail -n 1 | sed "s/^#/grid:/"
grep -q '^# the same within 1 %' "$dir/diff" || fail "grid: $(cat "$dir/diff")"
