# gnuplot 'p-residuals.gp'
reset
set encoding utf8
if (GPVAL_VERSION >= 5.4) set micro
set terminal svg noenhanced size 1320,400 font 'Helvetica,Arial,sans-serif,13' background rgb 'white'
set output 'p-residuals.svg'
data = 'p-residuals.dat'
heading = 'piecewise.json: piecewise, 8 ranks - measured time against the formula'
set multiplot layout 1,3 title heading."\n○ measured median with its interval; ▲ ▼ beyond the panel, with its number" noenhanced
set grid lw 0.5
set border lw 0.8
set tics nomirror
unset key
set logscale x
set xlabel 'message size'
set xrange [0.3:1.57286e+06]
set xtics ('0' 0.5, '1' 1, '16' 16, '256' 256, '4KiB' 4096, '64KiB' 65536, '1MiB' 1048576)
set ylabel 'deviation of the measured median [%]'
set title 'root (1 link)'
set yrange [-6.25:6.25]
plot 0 with lines lw 1 lc rgb '#777777', \
    data index 0 using 1:2 with lines lw 0.7 lc rgb '#0072b2', \
    data index 0 using 1:2:3:4 with yerrorbars pt 6 ps 0.7 lc rgb '#0072b2'
set title 'cluster (1 link)'
set yrange [-6.25:6.25]
plot 0 with lines lw 1 lc rgb '#777777', \
    data index 1 using 1:2 with lines lw 0.7 lc rgb '#d55e00', \
    data index 1 using 1:2:3:4 with yerrorbars pt 6 ps 0.7 lc rgb '#d55e00'
set title 'host (1 link)'
set yrange [-6.25:6.25]
plot 0 with lines lw 1 lc rgb '#777777', \
    data index 2 using 1:2 with lines lw 0.7 lc rgb '#009e73', \
    data index 2 using 1:2:3:4 with yerrorbars pt 6 ps 0.7 lc rgb '#009e73'
unset multiplot
