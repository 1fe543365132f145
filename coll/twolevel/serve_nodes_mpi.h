/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SERVE_NODES_MPI_H
#define SERVE_NODES_MPI_H

/*
 * serve_nodes_mpi.h - what operations other than broadcasts need between nodes.
 *
 * Where nobody can leave before all have come, the first rank of a node speaks for it, on a communicator of these. To a root
 * speaks whoever comes last on its node, for all others deposit what they bring and leave.
 */

#include "coll/node/operations.h"
#include "coll/twolevel/serve_mpi.h"

enum {
    SERVE_NODES = HITOP_NODES_MOST,
    SERVE_SUMS = HITOP_NODES_SUMS,
};

/* Prepare: c->leaders and what all ranks know of the nodes. Collective over c->wire. */
void hitop_serve_nodes_create(struct hitop_comm *c, struct hitop_trouble *t);
void hitop_serve_nodes_free(struct hitop_comm *c);

/* 1: all of the nodes can take part in an operation for which a process sees `bytes`. */
static inline int serve_nodes_can(const struct hitop_comm *c, size_t bytes)
{
    return c->nodes_have_lanes && (c->nnodes == 1 || bytes <= HITOP_NODES_BYTES);
}

/* 1: too many for a root to speak to each of them, `most` being how many are not; see serve_many_mpi.h. */
static inline int serve_nodes_are_many(const struct hitop_comm *c, int most)
{
    return c->nnodes > most;
}

/*
 * 1: a way with turns on a node before and after those between nodes is worth it for `bytes`. Where ranks share processors,
 * each turn is one of the scheduler, so that only what is saved between nodes pays for it, `from` so many bytes on.
 */
static inline int serve_nodes_pay(const struct hitop_comm *c, size_t bytes, size_t from)
{
    return c->nnodes == 1 || c->nodes_are_alone || bytes >= from;
}

/* One rank after the last one of a node. Nodes are runs of ranks. */
static inline int serve_nodes_end(const struct hitop_comm *c, int node)
{
    return node + 1 < c->nnodes ? c->first_of[node + 1] : c->size;
}

/* The place of `rank` on its node. */
int hitop_serve_nodes_local(const struct hitop_comm *c, int rank);

/*
 * Each operation on several nodes that ranks may leave before others come begins so: ranks that run ahead of others must
 * not use a tag again that is still on its way. MPI_SUCCESS or an MPI code.
 */
int hitop_serve_nodes_begin(struct hitop_comm *c);

/* `bytes` to `rank`, or from it. */
int hitop_serve_nodes_take(struct hitop_comm *c, void *data, size_t bytes, int rank);
int hitop_serve_nodes_send(struct hitop_comm *c, const void *data, size_t bytes, int rank);

/* The message of another node, whichever comes first, to base + starts[node] up to the next one's. */
int hitop_serve_nodes_receive(struct hitop_comm *c, unsigned char *base, const size_t *starts);

/* Where the blocks of each node begin, of `each` bytes for each rank: nnodes + 1 of them. Nodes are runs of ranks. */
void hitop_serve_nodes_starts(const struct hitop_comm *c, size_t each,
                              size_t starts[SERVE_NODES + 1]);

/*
 * The same for MPI, of blocks that lie one after another: bytes of each node, then where they begin. To be freed; NULL when
 * out of memory, which is the end of the job.
 */
int *hitop_serve_nodes_counts(struct hitop_comm *c, const struct hitop_node_blocks *blocks);

/* What the first rank has goes to all of its node. */
void hitop_serve_nodes_hand_down(struct hitop_comm *c, void *data, size_t bytes);

#endif /* SERVE_NODES_MPI_H */
