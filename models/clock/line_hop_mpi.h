/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINE_HOP_MPI_H
#define LINE_HOP_MPI_H

/* line_hop_mpi.h - the time of a cache line from one rank of a host to another. */

#include <mpi.h>

/*
 * Seconds that a cache line takes from one rank to another on the same host, on the slowest host.
 * NaN where no host has two ranks on different processors, and in a simulation. Takes some
 * milliseconds, at most 0.2 s on busy processors. Collective; the same result on all ranks.
 */
double hitop_line_hop(MPI_Comm comm);

/* The same repeatedly, in less than a millisecond each. */
struct line_hops {
    /* pair: the two ranks of this host that measure; MPI_COMM_NULL on other ranks */
    MPI_Comm comm, pair;
    MPI_Win window;
    struct turn_line *line; /* NULL: this rank does not measure, or there is no shared memory */
};

/* Choose the ranks that measure, open their line; comm stays the caller's. All are collective. */
void hitop_line_hops_open(struct line_hops *hops, MPI_Comm comm);
double hitop_line_hops_now(const struct line_hops *hops);
void hitop_line_hops_close(struct line_hops *hops);

#endif /* LINE_HOP_MPI_H */
