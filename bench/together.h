/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TOGETHER_H
#define TOGETHER_H

/*
 * together.h - ranks of one machine: whether each has a processor, memory that they share, starting
 * at one time.
 */

#include <mpi.h>
#include <stdatomic.h>

struct together {
    MPI_Comm comm;
    int rank, size;
    int oversubscribed; /* some ranks take turns on their processors */
    void *base;         /* of the shared lines; NULL: ranks believe to be on several hosts */
    MPI_Win window;
    unsigned long count;
};

/* Collective, as all of these. */
void together_init(struct together *t, MPI_Comm comm);
void together_fini(struct together *t);

/* A word that ranks 0 and 1 share, 0 at first; if base is not NULL. */
_Atomic unsigned long *together_line(const struct together *t, int rank);

/*
 * The time on one_clock_now() when all shall begin, `lead` seconds after the last rank has come or,
 * where no memory is shared, up to a message or two later.
 */
double together_start(struct together *t, double lead);

/*
 * A lead with which all ranks begin in time: without shared memory the last one receives the start
 * time some latencies after the first, and it may sleep if ranks are oversubscribed.
 */
double together_lead(struct together *t);

#endif /* TOGETHER_H */
