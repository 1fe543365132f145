/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SERVE_COMBINE_MPI_H
#define SERVE_COMBINE_MPI_H

/* serve_combine_mpi.h - MPI's operations for the node's engine: it combines bytes, MPI knows what they are. */

#include "coll/node/operations.h"
#include "coll/twolevel/serve_mpi.h"

struct serve_combine {
    struct hitop_combine combine; /* for the engine */
    MPI_Op op;
    MPI_Datatype type;
    int code; /* MPI_SUCCESS, or what the operation failed with */
};

/*
 * 1: elements of this call have no gaps, are small enough to be combined in pieces, and come in their order if that
 * matters. All ranks name the same elements, so that they agree.
 */
int hitop_serve_combine_can(const struct hitop_comm *c, const struct call *call);

/* A reduction that serves a call: on one node, where it has begun, 1 where lengths differ; on several an MPI code. */
struct serve_combine_way {
    int (*on_node)(struct hitop_node *node, const struct call *call, struct serve_combine *s,
                   size_t bytes);
    int (*over_nodes)(struct hitop_comm *c, const struct call *call, struct serve_combine *s,
                      size_t bytes);
};

int hitop_serve_combine_run(struct hitop_comm *c, const struct call *call,
                            const struct serve_combine_way *way);

/* What a rank brings to a reduction. */
static inline const void *serve_combine_mine(const struct call *call)
{
    return call->send.buffer == MPI_IN_PLACE ? call->recv.buffer : call->send.buffer;
}

/* MPI code of an operation that came to its end: `differs` is what the engine says. */
static inline int serve_combine_code(const struct serve_combine *s, int differs)
{
    return s->code == MPI_SUCCESS && differs ? MPI_ERR_TRUNCATE : s->code;
}

#endif /* SERVE_COMBINE_MPI_H */
