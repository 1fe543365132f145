# The table of figures.sh: means over the seeds, how far these are apart, and CP beside P, dyn beside CP.
NR == 1 { next }
{
    row = $1 SUBSEP $3 SUBSEP $4 SUBSEP $7
    if (!(row in seen)) { seen[row] = ++rows; name[rows] = row }
    kind = $6 ~ /^p-/ ? "p" : $6 ~ /^cp-/ ? "cp" : $6
    n[row, kind]++
    sum[row, kind] += $8
    if (!((row, kind) in low) || $8 < low[row, kind]) low[row, kind] = $8
    if ($8 > high[row, kind]) high[row, kind] = $8
    least[row] += $11
    nleast[row]++
}
function mean(row, kind) { return sum[row, kind] / n[row, kind] }
END {
    print "| figure | ranks a node | K, us | size, B | P, us | CP, us | dyn, us | auto, us | bound, us | CP/P | dyn/CP | seeds differ by |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for (r = 1; r <= rows; r++) {
        split(name[r], f, SUBSEP)
        row = name[r]
        if (!n[row, "p"] || !n[row, "cp"] || !n[row, "dyn"]) continue # a run that was ended
        apart = 0
        for (i = split("p cp dyn", kinds, " "); i > 0; i--) {
            d = (high[row, kinds[i]] - low[row, kinds[i]]) / mean(row, kinds[i])
            apart = d > apart ? d : apart
        }
        auto = n[row, "auto"] ? sprintf("%.1f", mean(row, "auto")) : ""
        printf "| %s | %d | %d | %d | %.1f | %.1f | %.1f | %s | %.1f | %.2f | %.2f | %.1f %% |\n", f[1], f[2], f[3], f[4], \
            mean(row, "p"), mean(row, "cp"), mean(row, "dyn"), auto, least[row] / nleast[row], \
            mean(row, "cp") / mean(row, "p"), mean(row, "dyn") / mean(row, "cp"), 100 * apart
    }
}
