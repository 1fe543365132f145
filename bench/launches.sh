#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How far apart are the medians of launches, on a machine where somebody else uses a processor?
# usage: launches.sh BUILD_FOLDER
#
# Launches benchmark_collective beside a load on one processor, until as many launches as are wanted found processors equally
# far apart, by the time of a cache line before and after their measurements alone; medians are looked at afterwards. Prints, for
# each operation and size, the medians of these launches, how far apart they are, and how many of their intervals hold the middle one.
# Each size is measured for all of its budget, since it is what the machine does over seconds that a launch should know.
# Environment: MPIRUN, WANTED launches of one state (3), MOST launches (12), LOAD in % of a processor (20), BUSY processor (the
# last one), RANKS (2), SIZES, BUDGET of a size (1s), OPERATIONS, KEEP a folder for the results of all launches, which may hold some.
set -eu
build=${1:?usage: launches.sh BUILD_FOLDER}
dir=${KEEP:-$(mktemp -d)}
load=
trap 'test -z "$load" || kill "$load"; test -n "${KEEP:-}" || rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
mkdir -p "$dir"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# so much of every 10 ms
last=$(($(nproc) - 1))
taskset -c "${BUSY:-$last}" python3 -c 'import sys, time
busy = float(sys.argv[1]) / 100 * 0.01
while True:
    end = time.perf_counter() + busy
    while time.perf_counter() < end:
        pass
    time.sleep(0.01 - busy)' "${LOAD:-20}" &
load=$!

# The launches that were made in a state: the first and the last line hop of all are within a factor of each other.
cat >"$dir/state.awk" <<'EOT'
FNR == 1 { next }
FNR == 2 { n++; file[n] = FILENAME; least[n] = $(NF - 1) < $NF ? $(NF - 1) : $NF; most[n] = $(NF - 1) < $NF ? $NF : $(NF - 1) }
END {
    for (i = 1; i <= n; i++) {
        found = ""
        for (k = count = 0; ++k <= n;) {
            if (least[i] > 0 && least[k] >= least[i] && most[k] <= 1.2 * least[i]) {
                found = found " " file[k]
                if (++count == wanted) {
                    print found
                    exit
                }
            }
        }
    }
}
EOT

together=
launch=0
while [ -z "$together" ] && [ $launch -lt "${MOST:-12}" ]; do
    launch=$((launch + 1))
    test ! -f "$dir/$(printf '%02d' $launch).csv" || continue
    # shellcheck disable=SC2086 # lists
    timeout 120 ${MPIRUN:-mpirun} --bind-to core -n "${RANKS:-2}" "$build/tools/benchmark_collective" -q -f csv -n "${RANKS:-2}" \
        --seed $launch --sizes "${SIZES:-8,1KiB,16KiB,256KiB}" -e 1e-4 -R 1000000 --budget "${BUDGET:-1s}" -o "$dir/$(printf '%02d' $launch).csv" \
        ${OPERATIONS:-pingpong sendreceive broadcast scatter gather alltoall reduce barrier}
    together=$(awk -F, -v wanted="${WANTED:-3}" -f "$dir/state.awk" "$dir"/*.csv)
done
echo "$launch launches; cache line at first and at last, ns:"
for file in "$dir"/*.csv; do
    awk -F, -v file="$file" 'FNR == 2 { print "    " file ": " $(NF - 1) " " $NF }' "$file"
done
test -n "$together" || { echo "no ${WANTED:-3} of them found one state of the machine" >&2; exit 1; }
echo "in one state:$together"
# shellcheck disable=SC2086 # names without blanks
awk -F, 'FNR == 1 { launches++; for (i = 1; i <= NF; i++) at[$i] = i; next }
    { key = $1 " " $at["size_B"]; if (launches == 1) { keys[++n] = key }
      median[key, launches] = $at["median_us"]; lo[key, launches] = $at["lo_us"]; hi[key, launches] = $at["hi_us"] }
    END {
        printf "%-14s %8s %8s %7s  %s\n", "operation", "size_B", "apart_%", "covered", "medians_us"
        for (k = 1; k <= n; k++) {
            least = most = median[keys[k], 1]; text = ""
            for (i = 1; i <= launches; i++) {
                m = median[keys[k], i]
                least = m < least ? m : least; most = m > most ? m : most
                text = text sprintf(" %9.3f", m)
                sorted[i] = m
                for (j = i; j > 1 && sorted[j - 1] > sorted[j]; j--) { swap = sorted[j]; sorted[j] = sorted[j - 1]; sorted[j - 1] = swap }
            }
            middle = sorted[int((launches + 1) / 2)]; covered = of = 0
            for (i = 1; i <= launches; i++) if (median[keys[k], i] != middle && lo[keys[k], i] != "") {
                of++; covered += lo[keys[k], i] <= middle && middle <= hi[keys[k], i]
            }
            split(keys[k], part, " ")
            printf "%-14s %8d %8.1f %5d/%d %s\n", part[1], part[2], 100 * (most / least - 1), covered, of, text
            all += 1; near += most <= 1.05 * least; held += covered; intervals += of
        }
        printf "%d of %d medians are within 5 %%; %d of %d intervals of launches hold the median of another one, the middle one\n", near, all, held, intervals
    }' $together
