#!/usr/bin/env bash
# The main job end to end: hosts -> hierarchy -> model -> prediction -> a faster broadcast.
# usage: examples/demo.sh BUILD_FOLDER
#
# On a virtual cluster of 2 sites x 2 hosts x 2 ranks where namespaces are allowed, else on this host alone.
# Files stay in BUILD_FOLDER/demo.
set -euo pipefail
source=$(dirname "$(dirname "$(readlink -f "$0")")")
[ $# -gt 0 ] || { echo "usage: demo.sh BUILD_FOLDER" >&2; exit 2; }
build=$(readlink -f "${!#}") # the last argument
out=$build/demo
config=$source/tests/vcluster/two-sites.conf
vcluster=$build/tests/vcluster/vcluster
ranks=${ranks:-8} # the part inside the cluster inherits them
mode=${mode:-sync}
sizes=1KiB,64KiB,1MiB

say() { printf '\n== %s\n' "$*"; }

on_cluster() { # a command on the first host; outside a cluster, on this one
    if [ "$cluster" = yes ]; then
        timeout 300 "$vcluster" run "$config" -- "$@"
    else
        timeout 300 "$@"
    fi
}

# --- parts that run on the first host of the cluster -------------------------------------------------

inside() { # generate the hierarchy, measure, compare broadcasts
    local placement=()

    mpirun -n "$ranks" "$build/tools/generate_hierarchy" -o hierarchy.dot
    mpirun -n "$ranks" "$build/tools/generate_hierarchy" --format text -o hierarchy.txt
    if ! mpirun -n "$ranks" "$build/tools/hierarchical_model" -i hierarchy.dot -o model.json \
        --annotate annotated.dot --budget 8s >links.txt; then
        cat links.txt >&2 # mpirun of Open MPI 5 reports wrong options on standard output
        exit 1
    fi
    for way in by-host round-robin; do
        if [ $way = round-robin ]; then
            [ "$cluster" = yes ] || break # one host has one placement
            placement=(--map-by node)
        fi
        mpirun -n "$ranks" "${placement[@]}" -x "LD_PRELOAD=$build/coll/.libs/libhitop_coll.so" \
            -x "HITOP_MODEL=$out/model.json" \
            "$build/bench/collective_ab" --mode "$mode" --sizes $sizes --blocks 5 --block-time 60ms --csv \
            >"bcast-$way.csv"
    done
}

# --- reports ----------------------------------------------------------------------------------------

show_links() { # measured links, and the configured ones beside them
    awk -v cluster="$cluster" '
        FILENAME == ARGV[1] { if (FNR > 1) { latency[$1] = $4; bandwidth[$1] = $5 } next }
        FNR == 1 {
            level["root"] = "wan"; level["cluster"] = level["domain"] = "site"; level["host"] = "host"
            printf "%-8s %-14s %12s %12s %14s %14s\n", "level", "group", "latency_us",
                "injected_us", "bandwidth_MBps", "injected_MBps"
            next
        }
        # a root without a name leaves its column empty; what is no link has no pair
        { named = $2 !~ /^[0-9]+-[0-9]+$/ }
        $(2 + named) ~ /^[0-9]+-[0-9]+$/ {
            truth = level[$1]
            printf "%-8s %-14s %12s %12s %14s %14s\n", $1, named ? $2 : "-", $(3 + named),
                cluster == "yes" ? latency[truth] : "-", $(4 + named),
                cluster == "yes" ? bandwidth[truth] : "-"
        }' <(if [ "$cluster" = yes ]; then "$vcluster" truth "$config"; else echo; fi) links.txt
    grep -E '^formula | did not reach ' links.txt || :
}

show_broadcasts() { # predicted, preloaded and plain
    "$build/tools/predict_collective" -i model.json -O bcast/twolevel --sizes $sizes --format csv >predicted.csv
    awk -F, '
        FNR == 1 { file++; next }
        file == 1 { predicted[$5] = $7; next }
        FNR == 2 { printf "%s\n", file == 2 ? "ranks placed by host" : "ranks placed round robin"
                   printf "%10s %13s %13s %9s %13s %7s\n", "size_B", "predicted_us", "preloaded_us",
                       "error_%", "plain_us", "ratio" }
        { printf "%10d %13.0f %13.0f %+9.0f %13.0f %7.2f\n", $1, predicted[$1], $3,
              100 * (predicted[$1] / $3 - 1), $2, $4 }' \
        predicted.csv bcast-*.csv
    echo "ratio: MPI_Bcast with libhitop_coll.so preloaded over the MPI library's own, median of blocks"
}

main() {
    mkdir -p "$out"
    cd "$out"
    rm -f ./*.csv
    . "$source/build-aux/mpi-environment.sh"
    export OMPI_MCA_btl_base_warn_component_unused=0
    cluster=yes
    if ! "$vcluster" check 2>check.err; then
        cluster=no
        ranks=2
        mode=rot # starting together needs finer clocks than a busy host has
        say "No virtual cluster here ($(cat check.err)); running on this host alone"
    else
        say "A virtual cluster of 2 sites x 2 hosts x 2 ranks"
        cat "$config"
    fi
    export cluster ranks mode
    on_cluster bash "$source/examples/demo.sh" --inside "$build"
    say "Hierarchy found from host names ($out/hierarchy.dot)"
    cat hierarchy.txt
    say "Links measured: one per group ($out/model.json)"
    show_links
    say "Broadcast of $sizes"
    show_broadcasts
    if command -v dot >/dev/null; then
        dot -Tsvg annotated.dot -o annotated.svg
        say "The machine as a picture: $out/annotated.svg"
    fi
}

if [ "$1" = --inside ]; then
    inside
else
    main
fi
