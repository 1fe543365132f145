# Tables of what bench/node.sh measured: each goal with its numbers, and where the library is slower than another.
#
# A cell is the median over launches of ratios, preloaded over plain. Of a goal's sizes the table has the
# geometric mean and the worst. A goal is a target for the mean, which a prototype of the engine reached, and a limit for
# the worst, with room for the noise of a virtual machine; beside coll/sm and MPICH there are limits of the worst.

function goal(operation, ranks, modes, least, most, target, limit, sm, mpich) {
    ngoals++
    g_operation[ngoals] = operation; g_ranks[ngoals] = ranks; g_modes[ngoals] = modes
    g_least[ngoals] = least; g_most[ngoals] = most
    g_target[ngoals] = target; g_limit[ngoals, "default"] = limit
    g_limit[ngoals, "sm"] = sm; g_limit[ngoals, "mpich"] = mpich
}

# Mean and worst of the cells of a goal beside a competitor, into `mean` and `worst`; how many there are.
function gather(i, competitor,   c, n, logs, part) {
    n = logs = worst = 0
    for (c in ratios) {
        split(c, part, SUBSEP) # competitor, operation, mode, ranks, size
        if (part[1] == competitor && part[2] == g_operation[i] && index(g_ranks[i], part[4]) &&
            index(g_modes[i], part[3]) && part[5] + 0 >= g_least[i] && part[5] + 0 <= g_most[i]) {
            n++
            logs += log(cell[c])
            if (cell[c] > worst) { worst = cell[c]; worst_size = part[5]; worst_mode = part[3] }
        }
    }
    mean = n ? exp(logs / n) : 0
    return n
}

function beside(i, competitor, limit) {
    if (!gather(i, competitor)) return "-"
    return sprintf("%.2f (%s%s)", worst, limit == "" ? "no limit" : limit, limit != "" && worst > limit ? ", missed" : "")
}

# Least, median and most of numbers in a text.
function spread(list,   n, i, v, low, high) {
    n = split(list, v, " ")
    low = high = v[1]
    for (i = 2; i <= n; i++) {
        if (v[i] + 0 < low + 0) low = v[i]
        if (v[i] + 0 > high + 0) high = v[i]
    }
    return low " to " high ", median " median(list)
}

BEGIN {
    all = 2147483647
    both = "sync rot"
    goal("bcast", "2", both, 1, 56, 0.45, 0.75, 0.70, 0.50)
    goal("bcast", "2", both, 64, 1024, 0.45, 0.70, 0.95, 0.60)
    goal("bcast", "2", both, 2048, 2048, 0.60, 0.80, 1.05, 0.75)
    goal("bcast", "2", both, 4096, 16384, 0.60, 0.85, 1.05, 1.05)
    goal("bcast", "2", both, 32768, 131072, 0.60, 0.85, 1.05, 0.75)
    goal("bcast", "2", both, 262144, all, 0.53, 0.70, 0.65, 0.70)
    goal("bcast", "2", "cold", 1, 1024, 0.55, 0.75)
    goal("bcast", "2", "cold", 16384, 65536, 0.75, 1.10)
    goal("bcast", "2", "cold", 262144, all, 0.55, 0.75)
    goal("bcast", "2", "b2b", 1, 8192, 0.5, 0.8)
    goal("bcast", "2", "b2b", 16384, 131072, 1.0, 1.35)
    goal("bcast", "2", "b2b", 262144, all, 0.55, 0.8)
    goal("bcast", "4 8", "rot", 1, 256, 0.9, 1.35, 0.10, 0.01)
    goal("bcast", "4 8", "rot", 512, 8192, 0.35, 0.65, 0.25, 0.2)
    goal("bcast", "4 8", "rot", 16384, 524288, 0.55, 0.80, 0.25, 0.2)
    goal("bcast", "4 8", "rot", 1048576, all, 0.6, 0.85, 0.25, 0.2)
    goal("barrier", "2", "sync b2b", 0, 0, 0.5, 0.75, 0.8, 0.35)
    goal("barrier", "4 8", "b2b", 0, 0, 0.55, 0.85, 0.1, 0.35)
    goal("allreduce", "2", both, 1, 262144, 0.48, 0.70, 0.65, 0.75)
    goal("allreduce", "2", both, 1048576, all, 0.7, 0.95, 0.65, 0.95)
    goal("allreduce", "4 8", "rot b2b", 1, all, 0.45, 0.85)
    goal("reduce", "2", both, 1, all, 0.6, 1.0, 0.9, 0.8)
    goal("reduce", "4 8", "rot b2b", 1, 56, 0.9, 1.2)
    goal("reduce", "4 8", "rot b2b", 64, all, 0.45, 0.8)
    goal("gather", "2", both, 65536, all, 0.5, 0.75)
    goal("gather", "2 4 8", "sync rot b2b", 1, 32768, 0.8, 1.15)
    goal("scatter", "2", both, 65536, all, 0.7, 0.9)
    goal("scatter", "2 4 8", "sync rot b2b", 1, 32768, 0.8, 1.15)
}

# without a processor for each rank there is no round trip
FNR > 1 && ($17 + 0 == 0 || ($17 >= least && $17 <= most)) {
    c = $1 SUBSEP $14 SUBSEP $3 SUBSEP $16 SUBSEP $4
    ratios[c] = ratios[c] " " $7
    plain[c] = plain[c] " " $5
    ours[c] = ours[c] " " $6
    quartile[c] = quartile[c] " " $8
    foreign += $12
    noisy += $13
    rows++
    if ($17 > 0) trips = trips " " $17
    if ($2 > launches) launches = $2
}

END {
    if (!rows) { print "node.awk: no rows" > "/dev/stderr"; exit 3 }
    for (c in ratios) cell[c] = median(ratios[c])
    printf "%d launches; others used %.0f %% of the processors; %d blocks although the canary was not as usual\n",
        launches, foreign / rows, noisy
    if (trips) printf "%d rows; from a processor to another and back: %s ns\n", rows, spread(trips)
    print ""
    print "| operation, ranks | modes | sizes | mean of ratios (target) | worst (limit) | at | verdict | worst beside coll/sm (limit) | beside MPICH (limit) |"
    print "|---|---|---|---|---|---|---|---|---|"
    for (i = 1; i <= ngoals; i++) {
        if (!gather(i, "default")) continue
        limit = g_limit[i, "default"]
        verdict = worst > limit ? "missed" : mean > g_target[i] ? "within the limit" : "reached"
        sizes = g_most[i] == 0 ? "-" : name_size(g_least[i]) (g_most[i] == all ? " .." : " .. " name_size(g_most[i]))
        printf "| %s, %s | %s | %s | %.2f (%s) | %.2f (%s) | %s, %s | %s | ", g_operation[i], g_ranks[i],
            g_modes[i], sizes, mean, g_target[i], worst, limit, name_size(worst_size), worst_mode, verdict
        printf "%s | ", beside(i, "sm", g_limit[i, "sm"])
        printf "%s |\n", beside(i, "mpich", g_limit[i, "mpich"])
    }
    print "\nSlower than another library, sync or rot, with three quarters of the blocks:\n"
    print "| competitor | operation | mode | ranks | size | plain_us | preloaded_us | ratio |"
    print "|---|---|---|---|---|---|---|---|"
    sorted = "sort -t '|' -k 3,3 -k 5,5n"
    for (c in cell) {
        split(c, part, SUBSEP)
        if (cell[c] > 1 && median(quartile[c]) > 1 && index(both, part[3])) {
            printf "| %s | %s | %s | %s | %s | %.2f | %.2f | %.2f |\n", part[1], part[2], part[3], part[4],
                name_size(part[5]), median(plain[c]), median(ours[c]), cell[c] | sorted
        }
    }
    close(sorted)
}
