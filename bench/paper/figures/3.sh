# A sender and a receiver that come within k microseconds, and leaders that are the first of n processes to come.
caption='mean time of a root that waits for its first child, 64 KiB'
mpi_bcast=binomial_tree

run() {
    NODES='' RANKS='' # the formulas are for these numbers
    late='0 100 200 300 400 500'
    REPEATS=$((20 * REPEATS)) # one wait varies by as much as its mean
    broadcasts 2 1 "$late" mpi 65536
    for processes in 2 8; do
        broadcasts 2 $processes "$late" cp-bt 65536
    done
}

# Mean times of the root by K, and those of the model: FACTOR K and t(m), which is their mean difference to FACTOR K where processes
# are late.
waiting() { # waiting NODES RANKS_PER_NODE FACTOR: K, time, time of the model
    awk -F, -v nodes="$1" -v each="$2" '
        $1 == nodes && $2 == each { sum[$3] += $9; n[$3]++ }
        END { for (k in sum) print k, sum[k] / n[k] }' "$csv" | sort -n |
        awk -v factor="$3" '
            { k[NR] = $1; t[NR] = $2 }
            $1 > 0 { tm += $2 - factor * $1; n++ }
            END { for (i = 1; i <= NR; i++) print k[i], t[i], tm / n + factor * k[i] }'
}

cases() { # nodes, processes a node, factor of the model, name
    echo "2 1 $(awk 'BEGIN { print 1 / 6 }') two processes: k/6 + t(m)"
    for processes in 2 8; do
        echo "2 $processes $(awk -v n=$processes 'BEGIN { print 1 / ((n + 1) * (n + 2)) }') two nodes of $processes, CP: k/((n+1)(n+2)) + t(m)"
    done
}

plot() {
    cases >"$work/cases"
    while read -r nodes each factor name; do
        waiting "$nodes" "$each" "$factor" | cut -d ' ' -f 1,2 | curve "${name%:*}"
    done <"$work/cases"
    while read -r nodes each factor name; do
        waiting "$nodes" "$each" "$factor" | cut -d ' ' -f 1,3 | curve "${name#*: }"
    done <"$work/cases"
    draw "k, us" "mean time of the root, us" \
        'set for [i = 4:6] linetype i lw 1 pt 0 dt 3 lc rgb "#555555"'
}

# The line through the times where processes are late; it agrees if its slope is at most a fifth off.
compare() {
    cases >"$work/cases"
    while read -r nodes each factor name; do
        waiting "$nodes" "$each" "$factor" | awk -v name="${name%:*}" -v factor="$factor" '
            $1 == 0 { together = $2; next }
            { n++; x += $1; y += $2; xx += $1 * $1; xy += $1 * $2 }
            END {
                slope = (n * xy - x * y) / (n * xx - x * x)
                printf "%s\t%s: %.1f us + %.4f k (formula: %.4f k); %.1f us at k = 0\n", \
                    (slope > 0.8 * factor && slope < 1.2 * factor ? "agrees" : "differs"), name, (y - slope * x) / n, slope, factor, together
            }' >"$work/row"
        what="A root with competing leaders takes"
        [ "$each" -ne 1 ] || what="A first message between two processes takes on average"
        verdict "$(cut -f 1 "$work/row")" "$what ${name#*: }" "$(cut -f 2 "$work/row")"
    done <"$work/cases"
}
