# One picture of figures.sh: csv, svg and figures are given with -e.
set terminal svg size 1000,420 dynamic background rgb "white" font "sans,13"
set output svg
set datafile separator ","
set multiplot layout 1,2
set logscale x
set grid ytics lc rgb "#dddddd"
set xlabel "bytes" offset 0,0.6
set ylabel "largest mean time of a rank, us"
highest = system(sprintf("awk -F, '$1 == \"%s\" && $8 > m { m = $8 } END { print m }' %s", figures, csv)) + 0
set yrange [0:1.05 * highest]
set key outside bottom center horizontal samplen 2 font ",11"
nodes = figures eq "ringaas" ? 10 : 16
set xtics (8, 64, 512, "4k" 4000, "12k" 12000, "27k" 27000, "61k" 60750, "92k" 92000, "137k" 137000, "308k" 308000)
points(each, interval, style, column) = sprintf("< awk -F, -v OFS=, '$1 == \"%s\" && $3 == %d && $4 == %d && $6 == \"%s\" { s[$7] += $%d; n[$7]++ } END { for (b in s) print b, s[b] / n[b] }' %s | sort -n", figures, each, interval, style, column, csv)
do for [each in "4 8"] {
    set title sprintf("%s, %d nodes of %s ranks", figures, nodes, each)
    plot points(each + 0, 500, "p-" . figures, 8) with linespoints lw 2 pt 7 lc rgb "#c0392b" title "P, K = 0.5 ms", \
         points(each + 0, 500, "cp-" . figures, 8) with linespoints lw 2 pt 5 lc rgb "#2468b0" title "CP, K = 0.5 ms", \
         points(each + 0, 500, "dyn", 8) with linespoints lw 2 pt 9 lc rgb "#1e8449" title "dyn, K = 0.5 ms", \
         points(each + 0, 500, "dyn", 11) with lines lw 1 dt 3 lc rgb "#555555" title "bound, K = 0.5 ms", \
         points(each + 0, 0, "p-" . figures, 8) with linespoints lw 1 dt 2 pt 6 lc rgb "#c0392b" title "P, K = 0", \
         points(each + 0, 0, "cp-" . figures, 8) with linespoints lw 1 dt 2 pt 4 lc rgb "#2468b0" title "CP, K = 0", \
         points(each + 0, 0, "dyn", 8) with linespoints lw 1 dt 2 pt 8 lc rgb "#1e8449" title "dyn, K = 0"
}
unset multiplot
