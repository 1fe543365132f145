/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EAGER_MPI_H
#define EAGER_MPI_H

/*
 * eager_mpi.h - how long a message to another node may be that leaves without its receiver.
 *
 * Idea:   the first rank of each node sends messages to that of the next one, which receives them only when all have
 *         said which of theirs have left.
 * Cost:   two messages of a node, and a reduction; once for a process, then a reduction for each communicator.
 */

#include "coll/twolevel/comm_state_mpi.h"

enum {
    EAGER_SURE = 4000, /* bytes: no MPI has a lower limit */
};

/* Sets c->eager: at least EAGER_SURE, and HITOP_ROUTE_SEGMENT at most. Collective over c->wire. */
void hitop_eager_find(struct hitop_comm *c, struct hitop_trouble *t);

#endif /* EAGER_MPI_H */
