/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_HOP_MPI_H
#define BENCHMARK_HOP_MPI_H

#include <mpi.h>

/*
 * How long a cache line takes from a rank to another one on the same host, in seconds: that of the slowest host. NaN, where no
 * host has two ranks on different processors, or in a simulation. Takes some milliseconds, a fifth of a second at most where others
 * use the processors. Collective; the same on all ranks.
 */
double benchmark_hop(MPI_Comm comm);

/* The same again and again, in less than a millisecond. Private. */
struct benchmark_hops {
    MPI_Comm comm,
        pair; /* pair: of the two ranks of this host that measure, MPI_COMM_NULL elsewhere */
    MPI_Win window;
    struct court *court; /* NULL: there is no memory for both */
};

/* Who measures, and where; `comm` stays the caller's. Collective, as are the others. */
void benchmark_hops_open(struct benchmark_hops *hops, MPI_Comm comm);
double benchmark_hops_now(const struct benchmark_hops *hops);
void benchmark_hops_close(struct benchmark_hops *hops);

#endif /* BENCHMARK_HOP_MPI_H */
