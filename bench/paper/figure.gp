# A picture of figure.sh: curves, their number n, caption, svg, xname, yname and more are given with -e.
set terminal svg size 760,480 dynamic background rgb "white" font "sans,12" noenhanced
set output svg
set title system("cat " . caption) font ",11"
set autoscale xfix
set xlabel xname
set ylabel yname
set grid ytics lc rgb "#dddddd"
set key outside bottom center horizontal samplen 2 font ",11"
set linetype 1 lw 2 pt 7 lc rgb "#c0392b"
set linetype 2 lw 2 pt 5 lc rgb "#2468b0"
set linetype 3 lw 2 pt 9 lc rgb "#1e8449"
set linetype 4 lw 1 pt 0 dt 3 lc rgb "#555555"
set linetype 5 lw 1 pt 6 dt 2 lc rgb "#c0392b"
set linetype 6 lw 1 pt 4 dt 2 lc rgb "#2468b0"
set linetype 7 lw 1 pt 8 dt 2 lc rgb "#1e8449"
style = "linespoints" # or what more sets
eval more
set macros
plot for [i = 0 : n - 1] curves index i using 1:2 with @style lt i + 1 title columnheader(1)
