# SPDX-License-Identifier: BSD-3-Clause
#
# Prints what a plan injects between two processes, for each kind of pair.
#
#   awk -f vc-truth.awk PLAN
#
# Levels: "host" both on one host, "site" on two hosts of a site, "wan" on hosts of two sites.
# latency_us is one way; bandwidth_MBps is what one flow can have alone, the least of the limits
# on its way: the sender's card, the line between the sites, the receiver's card; "-" = unlimited.

$1 == "host" {
    if (!($3 in size)) site[++sites] = $3
    size[$3]++
    if ($5 > 1) shared[$3] = 1
}
$1 == "link" {
    latency[$2, $3] = latency[$3, $2] = $4
    rate[$2, $3] = rate[$3, $2] = $5
}

function lesser(a, b) { return a > 0 && (b == 0 || a < b) ? a : b }

function row(level, a, b, limit) {
    printf "%s\t%s\t%s\t%g\t%s\n", level, a, b, level == "host" ? 0 : latency[a, b] / 1000,
        (limit > 0 ? sprintf("%g", limit / 1e6) : "-")
}

END {
    print "level\tfrom\tto\tlatency_us\tbandwidth_MBps"
    for (i = 1; i <= sites; i++) {
        a = site[i]
        if (a in shared) row("host", a, a, 0)
        if (size[a] > 1) row("site", a, a, rate[a, a])
    }
    for (i = 1; i <= sites; i++)
        for (j = i + 1; j <= sites; j++) {
            a = site[i]
            b = site[j]
            row("wan", a, b, lesser(rate[a, b], lesser(rate[a, a], rate[b, b])))
        }
}
