#!/bin/sh
# Plans on sites whose hosts share narrow ways take the time that a model measured there, with the capacities of the
# ways written by hand, predicts: most within 1 %, those over trees that send to many within 8 %.
set -eu
simgrid=${srcdir:-.}/../testdata/simgrid
. "${srcdir:-.}/scratch.sh"

SMPI_SEND=eager
SMPI_FLAGS='--cfg=smpi/async-small-thresh:65536 --cfg=smpi/send-is-detached-thresh:65536
    --cfg=smpi/os:0:1e-6:0 --cfg=smpi/ois:0:1e-6:0 --cfg=smpi/or:0:1e-6:0'
export SMPI_SEND SMPI_FLAGS

simulate() {
    sh "${srcdir:-.}/smpi-run.sh" "$dir/sites.xml" "$dir/robin.hosts" 16 "$@"
}

python3 "$simgrid/make-sites.py" "$dir" 4 2 2
simulate ../tools/generate_hierarchy -o "$dir/found.dot"
sed -E 's/level="?(host|group)"?/& capacity="1"/' "$dir/found.dot" >"$dir/h.dot"
simulate ../tools/hierarchical_model -q -C loggp --exact-thresholds -M 128KiB -i "$dir/h.dot" -o "$dir/model.json"
simulate ./smpi_plans "$dir/model.json" 0.08
