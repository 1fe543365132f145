# gnuplot 'p-times.gp'
reset
set encoding utf8
if (GPVAL_VERSION >= 5.4) set micro
set terminal svg noenhanced size 1320,400 font 'Helvetica,Arial,sans-serif,13' background rgb 'white'
set output 'p-times.svg'
data = 'p-times.dat'
heading = 'piecewise.json: piecewise, 8 ranks - one-way time of a message'
set multiplot layout 1,3 title heading."\nlines: formula, of other levels in grey; ○ measured median with its interval; △ a segment begins" noenhanced
set grid lw 0.5
set border lw 0.8
set tics nomirror
unset key
set logscale x
set xlabel 'message size'
set xrange [0.3:1.57286e+06]
set xtics ('0' 0.5, '1' 1, '16' 16, '256' 256, '4KiB' 4096, '64KiB' 65536, '1MiB' 1048576)
set logscale y
set ylabel 'one-way time'
set format y '%.0s %cs'
set yrange [1e-07:0.01]
set title 'root (1 link)'
plot for [i=0:2] data index i using 1:2 with lines lw 1 lc rgb '#c8c8c8', \
    data index 0 using 1:2 with lines lw 1.8 lc rgb '#0072b2', \
    data index 3 using 1:2:3:4 with yerrorbars pt 6 ps 0.7 lc rgb '#0072b2', \
    data index 4 using 1:2 with points pt 8 ps 1.3 lc rgb '#0072b2'
set title 'cluster (1 link)'
plot for [i=0:2] data index i using 1:2 with lines lw 1 lc rgb '#c8c8c8', \
    data index 1 using 1:2 with lines lw 1.8 lc rgb '#d55e00', \
    data index 5 using 1:2:3:4 with yerrorbars pt 6 ps 0.7 lc rgb '#d55e00', \
    data index 6 using 1:2 with points pt 8 ps 1.3 lc rgb '#d55e00'
set title 'host (1 link)'
plot for [i=0:2] data index i using 1:2 with lines lw 1 lc rgb '#c8c8c8', \
    data index 2 using 1:2 with lines lw 1.8 lc rgb '#009e73', \
    data index 7 using 1:2:3:4 with yerrorbars pt 6 ps 0.7 lc rgb '#009e73', \
    data index 8 using 1:2 with points pt 8 ps 1.3 lc rgb '#009e73'
unset multiplot
