# Figures 18 and 19: messages up to 768 kB. As in the paper CP is CP-BT below 12 kB (cp-rdaas takes the tree there), CP-RDAAS up
# to 512 kB, and CP-RingAAS beyond.
messages='up to 768 kB'

. "$here/figures/against_mvapich2.sh"

run() {
    broadcasts 16 8 "$interval" mpi,cp-rdaas,auto 8 64 512 4000 12000 48000 192000
    broadcasts 16 8 "$interval" mpi,cp-ringaas,auto 768000
}

compare() {
    ring_why="from 512 kB on CP exchanges pieces in a ring of 15 steps"
    compare_pair "Where all come together both take about as long" equal \
        "CP takes $(longer cp- 0 mpi 0) longer: leaders announce themselves to the root first; $ring_why" "$ring_why"
}
