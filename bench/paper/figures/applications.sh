# The figures of applications: programs with the messages of one, which compute for some time and broadcast in turns
# (application.c; STEPS: other numbers of steps). Each reads this file and defines program (BYTES COMPUTE_US NOISE_US BLOCK),
# algorithms, and width of the bins of arrivals where it shows them.
mpi_bcast=mvapich2
steps=160 width=
asp='40960 500 300 80'  # rows of 10240 vertices, of which each process has 80
second='8000 200 600 1' # in the place of the paper's VCC, of which the copy contains nothing but the name

run() {
    echo "algorithm,seed,kind,x_us,value" >"$work/csv"
    for seed in $SEEDS; do
        # shellcheck disable=SC2086 # program is a list, width may be empty
        HITOP_TEST_SEED=$seed simulate "${NODES:-16}" "${RANKS:-8}" "$build/bench/paper/application" \
            "${STEPS:-$steps}" $program "$algorithms" ${width-} >"$work/rows"
        awk -v seed="$seed" '
            $1 == "arrivals" { print $2 "," seed ",share," $3 "," $4; next }
            { n = split("seconds bcast_us spread_us root_us", kinds, " "); for (i = 1; i <= n; i++) print $1 "," seed "," kinds[i] ",," $(i + 1) }' \
            "$work/rows" >>"$work/csv"
    done
}

# Refuse numbers that lack an algorithm.
need_rows() {
    for algorithm in $(echo "$algorithms" | tr , ' '); do
        grep -q "^$algorithm,[0-9]*,root_us," "$csv" || { echo "figure.sh: $csv has no times of $algorithm" >&2; exit 3; }
    done
}

value() { # value ALGORITHM KIND: the mean over the seeds
    awk -F, -v a="$1" -v kind="$2" '$1 == a && $3 == kind { sum += $5; n++ } END { if (n) print sum / n }' "$csv"
}

shares() { # shares ALGORITHM: of arrivals, by time after the first one
    awk -F, -v a="$1" '$1 == a && $3 == "share" { sum[$4] += $5; n[$4]++ } END { for (x in sum) print x, 100 * sum[x] / n[x] }' "$csv" | sort -n
}

# The time of OTHER over that of ALGORITHM is 1 + PERCENT / 100. A gain of three quarters of PERCENT or more agrees.
faster() { # faster STATEMENT PERCENT OTHER ALGORITHM [WHY]
    echo "$(value "$3" seconds) $(value "$4" seconds)" |
        awk -v percent="$2" -v ours="${1%%[!(]*}" -v a="$(named "$3")" -v b="$(named "$4")" '{
            gain = 100 * ($1 / $2 - 1)
            word = ours ? (gain > 0 ? "holds" : "does not hold") : gain >= 0.75 * percent ? "agrees" : gain >= 2 ? "gains less" : "differs"
            printf "%s\t%s %.1f ms, %s %.1f ms: %+.0f %%\n", word, a, 1000 * $1, b, 1000 * $2, gain
        }' >"$work/row"
    verdict "$(cut -f 1 "$work/row")" "$1" "$(cut -f 2 "$work/row")" "${5-}"
}

# MVAPICH2's mean time from the first to the last arrival; within a factor of 1.5 agrees.
arrive_within() { # arrive_within US
    value plain spread_us | awk -v us="$1" '{
        printf "%s\tMVAPICH2: %.0f us from the first to the last arrival on average\n", ($1 > us / 1.5 && $1 < us * 1.5 ? "agrees" : "differs"), $1
    }' >"$work/row"
    verdict "$(cut -f 1 "$work/row")" "Processes come within about $1 us" "$(cut -f 2 "$work/row")"
}

# The share of arrivals that are at other times with B than with A; below a quarter agrees.
come_alike() { # come_alike A B
    shares "$1" >"$work/a"
    shares "$2" | awk -v name="$(named "$2")" 'NR == FNR { share[$1] = $2; next } { d = $2 - share[$1]; off += (d < 0 ? -d : d) / 2 }
        END { printf "%s\t%s: %.0f %% of the arrivals at other times than with MVAPICH2\n", (off < 25 ? "agrees" : "differs"), name, off }' \
        "$work/a" - >"$work/row"
    verdict "$(cut -f 1 "$work/row")" "Other broadcasts change little of when processes come" \
        "$(cut -f 2 "$work/row"), $(value "$2" spread_us | awk '{ printf "%.0f us from first to last", $1 }')" \
        "a process leaves when it has the message, and none waits for all, so that the fastest are ahead of the slowest by more than the time \
that is drawn for one step"
}

# Why broadcasts with other leaders change little: what processes wait for.
root_why() {
    echo "with MVAPICH2 a process spends $(value plain bcast_us | awk '{ printf "%.0f", $1 }') us in a broadcast on average, and the root comes \
$(value plain root_us | awk '{ printf "%.0f", $1 }') us after the first process: leaders do not shorten the wait for the root"
}

named() { # the algorithms by their names in the page
    echo "$1" | sed 's/plain/MVAPICH2/; s/^p-/P-/; s/^cp-/CP-/; s/-rdaas/-RDAAS/; s/-bt/-BT/'
}

draw_arrivals() {
    for algorithm in $(echo "$algorithms" | tr , ' '); do
        shares "$algorithm" | curve "$(named "$algorithm")"
    done
    draw "time after the first process, us (last: all later ones)" "share of arrivals, percent"
}

draw_times() {
    i=0
    for algorithm in $(echo "$algorithms" | tr , ' '); do
        i=$((i + 1))
        echo "$i $(value "$algorithm" seconds | awk '{ print 1000 * $1 }')" | curve "$(named "$algorithm")"
    done
    draw "" "time of the program, ms" 'style = "boxes"; set style fill solid 0.5; set boxwidth 0.6; unset xtics; set yrange [0:]; set xrange [0:6];
set linetype 4 dt 1 lc rgb "#8e44ad"; set linetype 5 dt 1 lc rgb "#d68910"'
}
