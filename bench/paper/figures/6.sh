# When leaders come: a fixed process of each node, or the first of n.
caption='density of the time at which the leader of a node comes'

run() {
    echo "method,ranks_per_node,share_of_k,density" >"$work/csv"
    for case in 'p-bt 8' 'cp-bt 2' 'cp-bt 8'; do
        simulate "${NODES:-16}" "${case#* }" "$build/bench/paper/leaders" 500 $((4 * REPEATS)) "${case% *}" 20 >"$work/rows"
        awk -v head="${case% *},${case#* }" '{ print head "," $1 "," $2 }' "$work/rows" >>"$work/csv"
    done
}

density() { # density METHOD N: simulated
    awk -F, -v method="$1" -v n="$2" '$1 == method && $2 == n { print $3, $4 }' "$csv"
}

plot() {
    density p-bt 8 | curve "P"
    density cp-bt 2 | curve "CP, n = 2"
    density cp-bt 8 | curve "CP, n = 8"
    for n in 1 2 8; do
        awk -v n=$n 'BEGIN { for (i = 0; i <= 20; i++) print i / 20, n * (1 - i / 20) ^ (n - 1) }' | curve "n (1 - x)^(n-1), n = $n"
    done
    draw "time of arrival of the leader, share of k" "density" \
        'set for [i = 4:6] linetype i lw 1 pt 0 dt 3 lc rgb "#555555"'
}

# A histogram beside the density of the first of COMPETITORS processes.
follows() { # follows STATEMENT METHOD N COMPETITORS
    density "$2" "$3" | awk -v n="$4" '
        { f[NR] = $2; mean += $1 * $2 }
        END {
            for (i = 1; i <= NR; i++) {
                q = (1 - (i - 1) / NR) ^ n - (1 - i / NR) ^ n
                formula += q * (i - 0.5) / NR
                off += (f[i] / NR < q ? q - f[i] / NR : f[i] / NR - q) / 2
            }
            printf "%s\tn = %d: mean of the bins %.3f k (formula %.3f k), %.1f %% of the leaders in other bins\n", \
                off < 0.05 ? "agrees" : "differs", n, mean / NR, formula, 100 * off
        }' >"$work/row"
    verdict "$(cut -f 1 "$work/row")" "$1" "$(cut -f 2 "$work/row")"
}

compare() {
    follows "Fixed leaders come at all times of [0, k] equally often" p-bt 8 1
    follows "The first of 2 processes comes at x k with the density 2 (1 - x)" cp-bt 2 2
    follows "The first of 8 processes comes at x k with the density 8 (1 - x)^7" cp-bt 8 8
}
