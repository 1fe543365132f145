# gnuplot 'p-times.gp'
set encoding utf8
set terminal svg noenhanced size 1000,560 font 'Helvetica,Arial,sans-serif,13' background rgb 'white'
set output 'p-times.svg'
data = 'p-times.dat'
heading = 'piecewise.json: piecewise, 8 ranks - one-way time of a message'
set title heading noenhanced
set grid lw 0.5
set key outside right top reverse Left samplen 2
set logscale x
set xlabel 'message size'
set xrange [0.375:1.57286e+06]
set xtics ('0' 0.5, '1' 1, '4' 4, '16' 16, '64' 64, '256' 256, '1KiB' 1024, '4KiB' 4096, '16KiB' 16384, '64KiB' 65536, '256KiB' 262144, '1MiB' 1048576)
set logscale y
set ylabel 'one-way time'
set format y '%.0s %cs'
plot \
    data index 0 using 1:2 with lines lw 1.5 lc rgb '#0072b2' title 'root (1 link)', \
    data index 1 using 1:2:3:4 with yerrorbars pt 6 ps 0.6 lc rgb '#0072b2' notitle, \
    data index 2 using 1:2 with points pt 8 ps 1.2 lc rgb '#0072b2' notitle, \
    data index 3 using 1:2 with lines lw 1.5 lc rgb '#d55e00' title 'cluster (1 link)', \
    data index 4 using 1:2:3:4 with yerrorbars pt 6 ps 0.6 lc rgb '#d55e00' notitle, \
    data index 5 using 1:2 with points pt 8 ps 1.2 lc rgb '#d55e00' notitle, \
    data index 6 using 1:2 with lines lw 1.5 lc rgb '#009e73' title 'host (1 link)', \
    data index 7 using 1:2:3:4 with yerrorbars pt 6 ps 0.6 lc rgb '#009e73' notitle, \
    data index 8 using 1:2 with points pt 8 ps 1.2 lc rgb '#009e73' notitle, \
    NaN with points pt 6 ps 0.6 lc rgb '#777777' title 'measured median, interval', \
    NaN with points pt 8 ps 1.2 lc rgb '#777777' title 'segment begins'
