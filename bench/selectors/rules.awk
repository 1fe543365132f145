# SPDX-License-Identifier: BSD-3-Clause
# rules.awk - the rules of one number of ranks in a file of export_tuning --format openmpi-tuned, as lines of a text of
# doc/mpi-defaults.md: what the library does with them.
# usage: awk -v ranks=N -f rules.awk openmpi-4.1.txt FILE
# A rule holds from its bytes, of some operations those of all blocks, up to those of the next one. Algorithm 0 leaves the choice
# to the library.

BEGIN { split("allgather alltoall reduce_scatter reduce_scatter_block", list, " "); for (i in list) of_all[list[i]] }
FNR == NR {
    if ($1 == "algorithm" && !(($2, $3) in name)) name[$2, $3] = $4
    next
}
/^[0-9]+ +# (all|bcast|scatter|gather|reduce|barrier)/ && NF == 3 { operation = $3; here = 0; next }
{ words = $0; sub(/#.*/, "", words); n = split(words, w, " ") }
n == 2 { flush(); here = w[1] == ranks; next }
n == 4 && here {
    flush(w[1] - 1)
    from = w[1]; algorithm = w[2]; fanout = w[3]; segment = w[4]; open = 1
}
END { flush() }

function flush(last) {
    if (open && algorithm > 0) {
        size = operation in of_all ? "total" : "bytes"
        parameters = (segment > 0 ? " segment=" segment : "") (fanout > 0 ? " fanout=" fanout : "")
        print "choose " operation " ranks " ranks " " size " " from ".." last " : " name[operation, algorithm] parameters
    }
    open = 0
}
