/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STATS_MPI_H
#define STATS_MPI_H

/* stats_mpi.h - recording and telling the statistics of a communicator. */

#include "coll/twolevel/comm_state_mpi.h"

/* A call that is served, c->seq being its number. */
static inline void stats_call(struct hitop_comm *c, enum hitop_operation_id operation)
{
    c->stats.served[operation]++;
    c->served_by = "twolevel";
    if (c->watch) {
        hitop_arrivals_note(&c->watch->arrivals, c->seq, hitop_wait_clock());
    }
}

/* All ranks have agreed that somebody wants to hear. */
void hitop_stats_begin(struct hitop_comm *c);

/* The communicator is about to go: tell, once. Collective where it was served. */
void hitop_stats_end(struct hitop_comm *c);

#endif /* STATS_MPI_H */
