# The figures that compare CP with P. Each defines caption and run and reads this file; those of 8 processes a node define
# fewer, the figure of 4.

plot() {
    means p- 500 | curve "P, K = 0.5 ms"
    means cp- 500 | curve "CP, K = 0.5 ms"
    means dyn 500 | curve "dyn, K = 0.5 ms"
    means p- 500 10 | curve "bound, K = 0.5 ms"
    means p- 0 | curve "P, K = 0"
    means cp- 0 | curve "CP, K = 0"
    means dyn 0 | curve "dyn, K = 0"
    draw_sizes
}

compare() {
    late_why="Late processes add $(longer p- 500 p- 0) to P, whose leaders exchange pieces while others are awaited. To CP they add \
$(longer cp- 500 cp- 0), because the root sends nothing before it knows all leaders, and their list costs what it costs where all come together"
    even_why="CP takes $(longer cp- 0 p- 0) longer: a message between ranks needs the leader's number, so each leader announces itself to the \
root, which announces it to others. In the paper a node is one process with one address"
    ratios "Where processes come within 0.5 ms CP is faster than P" below cp- p- 500 "$late_why"
    [ -z "${fewer-}" ] || grows "CP gains more with 8 processes a node than with 4" "$fewer" cp- p- 500
    ratios "Where all come together CP and P take about as long" equal cp- p- 0 "$even_why"
    ratios "(ours) dyn, whose root waits for leaders a limited time, is faster than CP" below dyn cp- 500
    ratios "(ours) dyn is faster than CP where all come together" below dyn cp- 0
}
