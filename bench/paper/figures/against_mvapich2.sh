# The figures that compare CP with MVAPICH2, a pair for short and a pair for long messages: the first of a pair defines
# interval=0, the second interval=500. Each pair defines messages, run and compare and reads this file.
mpi_bcast=mvapich2
within=0
[ "$interval" = 0 ] || within='0.5 ms'
caption="MPIActor (CP) against MVAPICH2, 16 nodes of 8 processes, K = $within, messages $messages"

plot() {
    means mpi "$interval" | curve "MVAPICH2"
    means cp- "$interval" | curve "CP"
    means auto "$interval" | curve "auto"
    means mpi "$interval" 10 | curve "bound"
    draw_sizes "set logscale y"
}

# What the paper states for K = 0 differs between the pairs; for K = 0.5 ms it is the same.
compare_pair() { # compare_pair STATEMENT EXPECTED WHY WHY-LATE
    if [ "$interval" = 0 ]; then
        ratios "$1" "$2" cp- mpi 0 "$3"
    else
        ratios "Where processes come within 0.5 ms CP is faster than MVAPICH2" below cp- mpi "$interval" "$4"
    fi
    ratios "(ours) auto is faster than MVAPICH2" below auto mpi "$interval"
}
