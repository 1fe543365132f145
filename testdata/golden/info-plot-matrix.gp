# gnuplot 'p-matrix.gp'
set encoding utf8
set terminal svg noenhanced size 1226,520 font 'Helvetica,Arial,sans-serif,13' background rgb 'white'
set output 'p-matrix.svg'
data = 'p-matrix.dat'
heading = 'piecewise.json: piecewise, 8 ranks - hosts with each other'
set multiplot layout 1,2 title heading noenhanced margins screen 0.1436,0.8980,0.0962,0.8654 spacing screen 0.1020
unset key
set palette defined (0 '#440154', 1 '#3b528b', 2 '#21918c', 3 '#5ec962', 4 '#fde725')
set xrange [-0.5:3.5]
set yrange [3.5:-0.5]
set xlabel 'hosts in the order of the hierarchy'
unset xtics
set ytics ('alpha01.site1.org' 0, 'alpha02.site1.org' 1, 'betas01.site2.org' 2, 'betas02.site2.org' 3) scale 0
set object 1 rectangle from 1.5,1.5 to 3.5,3.5 front fillstyle empty border lc rgb 'white' lw 1.5
set object 2 rectangle from -0.5,-0.5 to 1.5,1.5 front fillstyle empty border lc rgb 'white' lw 1.5
set title 'latency' noenhanced
set logscale cb
set format cb '%.0s %cs'
set cbrange [8e-07:6e-05]
plot data index 0 matrix using 1:2:($3 < 0 ? NaN : $3) with image pixels notitle
unset ytics
set title 'bandwidth of the second half of 1MiB' noenhanced
set logscale cb
set format cb '%.0s %cB/s'
set cbrange [8.5034e+08:1.13379e+10]
plot data index 1 matrix using 1:2:($3 < 0 ? NaN : $3) with image pixels notitle
unset multiplot
