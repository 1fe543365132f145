# Binomial trees of all processes, and of nodes with fixed and with competing leaders: for messages below 12 kB, as in the paper.
caption='binomial trees, 16 nodes of 8 processes'
mpi_bcast=binomial_tree mpi_name=BT

run() {
    broadcasts 16 8 '0 500' mpi,p-bt,cp-bt 8 512 1000 4000 8000 11900
}

plot() {
    means mpi 500 | curve "BT, K = 0.5 ms"
    means cp- 500 | curve "CP-BT, K = 0.5 ms"
    means p- 500 | curve "P-BT, K = 0.5 ms"
    means p- 500 10 | curve "bound, K = 0.5 ms"
    means mpi 0 | curve "BT, K = 0"
    means cp- 0 | curve "CP-BT, K = 0"
    means p- 0 | curve "P-BT, K = 0"
    draw_sizes
}

compare() {
    ratios "Late processes slow the pipelined BT, too: it is hardly faster than BT" 0.8..1.2 p- mpi 500
    ratios "CP-BT is faster than BT where processes are late" below cp- mpi 500
    ratios "CP-BT is faster than P-BT where processes are late" below cp- p- 500
}
