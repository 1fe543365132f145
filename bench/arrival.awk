# The table of what bench/arrival.sh measured, and the goals with their numbers, medians where launches were repeated.

# For the second table: what, the number, and the most it may be.
function judge(what, value, limit) {
    if (!(what in numbers)) judged[++njudged] = what
    numbers[what] = numbers[what] sprintf("%s%.2f", numbers[what] == "" ? "" : " ", value)
    limits[what] = limit
}

# On the cluster: no algorithm is slower if all ranks arrive together, and ours are 1.5 times as fast if 4 ranks of a host arrive late.
function judge_cluster(what, ratio) {
    if ($7 == 0) judge(what, ratio, 1)
    if ($7 == 2000 && $4 == 16) judge(what, ratio, 1 / 1.5)
}

function verdict(what,   value) {
    value = median(numbers[what])
    return sprintf("| %s | %.2f | %.2f | %s | %s |", what, value, limits[what], value <= limits[what] ? "reached" : "missed", numbers[what])
}

FNR == 1 {
    print "| part | competitor | ranks, nodes | size | K us | pattern | root | variant | paper us | its least | mean us | its least | efficiency | root us | paper ratio | mean ratio | others % |"
    print "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    next
}

NF != 25 { print "arrival.awk: line " FNR " has " NF " columns instead of 25" > "/dev/stderr"; wrong = 1; exit 3 }

{
    printf "| %s | %s | %d, %d | %s | %g | %s | %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f (%.2f .. %.2f) | %.2f (%.2f .. %.2f) | %s |\n",
        $1, $2, $4, $5, name_size($6), $7, $8, $9, $10, $11, $12, $13, $14, $18, $16, $19, $20, $21, $22, $23, $24, $25
    what = name_size($6) ", K = " $7 " us, " $8 ", " $4 " ranks on " $5 " nodes: " $10
    key = $1 SUBSEP $2 SUBSEP $4 SUBSEP $6 SUBSEP $7 SUBSEP $8 SUBSEP $9
    paper[key, $10] = $11
}

$1 == "node" && $2 == "default" && $10 == "auto" && $7 == 500 && $8 == "uniform" && $6 <= 4096 {
    judge(what ", paper metric over its bound", $12 > 0 ? $11 / $12 : 0, 1.10)
    judge(what ", us of the root (2 and a copy at 2 GB/s)", $16, 2 + $6 / 2000)
}
$1 == "groups" && $4 == 8 && $10 == "auto" {
    if ($7 == 0 && $8 == "uniform") judge(what ", mean over that of leaders by hand", $22, 1.10)
    if ($7 == 500 && $8 == "uniform") judge(what ", mean over that of leaders by hand", $22, $6 <= 1024 ? 0.90 : 0.70)
    if ($7 == 500 && $8 == "late-leader") judge(what ", mean over that of leaders by hand", $22, 0.15)
}
# dyn is the protocol; auto, the default, ceases to announce leaders where all come together.
$1 == "cluster" && ($10 == "dyn" || $10 == "auto") {
    judge_cluster(what ", paper metric over that of p-bt", $19)
}
$1 == "cluster" && $2 == "han" && $10 == "plain" {
    sub(/plain$/, "", what)
    for (i = split("dyn auto", ours, " "); i > 0; i--) {
        judge_cluster(what ours[i] ", paper metric over that of han", paper[key, ours[i]] / $11)
    }
}

END {
    if (wrong) exit 3
    print "\n| goal | is | at most | | of launches |\n|---|---|---|---|---|"
    for (i = 1; i <= njudged; i++) print verdict(judged[i])
}
