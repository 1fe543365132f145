/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SERVE_MPI_H
#define SERVE_MPI_H

/*
 * serve_mpi.h - operations other than broadcasts in two levels.
 *
 * An operation is a row of functions. Those with blocks (gather, scatter, allgather, alltoall) run
 * by hitop_serve_blocks_run(), which hands them the user's buffers where elements are plain bytes
 * and packed copies elsewhere; reductions run by hitop_serve_combine_run().
 *
 * Where no rank can leave before all have come, the first rank of a node speaks for it, on the
 * communicator of first ranks. To a root speaks the rank that comes last on its node: the others
 * deposit what they bring and leave. Of more than HITOP_NODES_MOST nodes the first ranks form a
 * tree, which MPI makes, because it knows which tree suits what it runs on: log2(nodes) messages
 * one after another instead of nodes - 1 at the root, but a first rank waits for the nodes below.
 *
 * To add one: write it beside those of its kind, and put it into the table of dispatch_mpi.c.
 */

#include "coll/node/node.h"
#include "coll/runtime/call_mpi.h"
#include "coll/twolevel/comm_state_mpi.h"

/* What this rank has for an operation with blocks. */
struct serve_blocks {
    void *mine;   /* its block, brought to a gather or got of a scatter; its part of an alltoall */
    size_t bytes; /* of its block */
    int in_place; /* of an alltoall, where all ranks say so alike */
    struct hitop_node_blocks blocks; /* of all ranks, where it has them; what an alltoall gets */
};

/* A reduction for the node's engine, which combines bytes; MPI knows what they are. */
struct serve_combine {
    struct hitop_combine combine;
    MPI_Op op;
    MPI_Datatype type;
    int code; /* MPI_SUCCESS, or what the operation failed with */
};

struct serve {
    /*
     * 1: run() serves this call. Decided from nothing but what all ranks know alike: the
     * communicator, the root, the operation to combine with, and lengths where MPI has all ranks
     * pass them. The arguments are in order.
     */
    int (*can)(const struct hitop_comm *c, const struct call *call);

    /*
     * On a communicator that is ready, c->seq being the number of this operation. MPI_SUCCESS or
     * an MPI code, which the caller hands to the error handler.
     */
    int (*run)(struct hitop_comm *c, const struct call *call, const struct serve *serve);

    /*
     * What run() calls: on one node, where the operation has begun, a function that returns 1 where
     * lengths differ; on several one that returns an MPI code.
     */
    int (*blocks_on_node)(struct hitop_node *node, const struct serve_blocks *b, int root);
    int (*blocks_over_nodes)(struct hitop_comm *c, const struct serve_blocks *b, int root,
                             int *differs);
    int (*combine_on_node)(struct hitop_node *node, const struct call *call,
                           struct serve_combine *s, size_t bytes);
    int (*combine_over_nodes)(struct hitop_comm *c, const struct call *call,
                              struct serve_combine *s, size_t bytes);
};

extern const struct serve hitop_serve_allgather, hitop_serve_allreduce, hitop_serve_alltoall,
    hitop_serve_barrier, hitop_serve_gather, hitop_serve_gatherv, hitop_serve_reduce,
    hitop_serve_scatter, hitop_serve_scatterv;

/* Where a call goes that two levels do not serve. */
enum dispatch_otherwise {
    DISPATCH_MPI,   /* a program that calls MPI: what it would have had */
    DISPATCH_PLANS, /* a program that calls hitop_*: the fastest plan */
};

/*
 * Serve any call but a broadcast: by a plan where the program or its user names an algorithm; in two
 * levels where the communicator is ready and the operation can be made so; else as the caller says.
 * MPI_SUCCESS or a code that the error handler has seen.
 */
int hitop_dispatch_run(const struct call *call, enum dispatch_otherwise otherwise);

/* The run() of operations with blocks, and a can() for them. */
int hitop_serve_blocks_run(struct hitop_comm *c, const struct call *call,
                           const struct serve *serve);
int hitop_serve_blocks_can(const struct hitop_comm *c, const struct call *call);

/* Of the blocks of all ranks, those of a node. Nodes are runs of ranks. */
struct hitop_node_blocks hitop_serve_blocks_of_node(const struct hitop_comm *c,
                                                    const struct hitop_node_blocks *all, int node);

/* Prepare: c->leaders and what all ranks know of the nodes. Collective over c->wire. */
void hitop_serve_nodes_create(struct hitop_comm *c, struct hitop_failure *t);

/* 1: all of the nodes can take part in an operation for which a process sees `bytes`. */
static inline int serve_nodes_can(const struct hitop_comm *c, size_t bytes)
{
    return c->nodes_have_lanes && (c->nnodes == 1 || bytes <= HITOP_NODES_BYTES);
}

/*
 * 1: turns on a node before and after those between nodes are worth it for `bytes`. Where ranks
 * share processors, each turn is one of the scheduler, so that only what is saved between nodes
 * pays for it, from `from` bytes on.
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
 * Each operation on several nodes that ranks may leave before others come begins so: ranks that run
 * ahead of others must not use a tag again that is still on its way. MPI_SUCCESS or an MPI code.
 */
int hitop_serve_nodes_begin(struct hitop_comm *c);

/*
 * An operation of the ranks of this node with the local rank `root`; of a rank that is alone there,
 * a copy. 1 where lengths differ.
 */
int hitop_serve_node_gather(struct hitop_comm *c, const void *mine, size_t bytes,
                            const struct hitop_node_blocks *to, int root);
int hitop_serve_node_scatter(struct hitop_comm *c, const struct hitop_node_blocks *from, void *mine,
                             size_t bytes, int root);
int hitop_serve_node_reduce(struct hitop_comm *c, const void *mine, void *sum, size_t bytes,
                            int root, struct serve_combine *s);

/* What the first rank has goes to all of its node. */
void hitop_serve_node_share(struct hitop_comm *c, void *data, size_t bytes);

/* `bytes` to `rank`, or from it. */
int hitop_serve_nodes_take(struct hitop_comm *c, void *data, size_t bytes, int rank);
int hitop_serve_nodes_send(struct hitop_comm *c, const void *data, size_t bytes, int rank);

/* The message of another node, whichever comes first, to base + starts[node]. */
int hitop_serve_nodes_receive(struct hitop_comm *c, unsigned char *base, const size_t *starts);

/*
 * For MPI, of blocks that lie one after another: bytes of each node, then where they begin. To be
 * freed; NULL when out of memory, which is the end of the job. Nodes are runs of ranks.
 */
int *hitop_serve_nodes_counts(struct hitop_comm *c, const struct hitop_node_blocks *blocks);

/* The tree of first ranks: what this rank has of it. */
struct speaker {
    int end_node;        /* where the tree ends: that of the root, */
    int end;             /* and its first rank */
    int is_end;          /* this rank is that */
    unsigned char *data; /* NULL on ranks that do not speak */
    unsigned char *room; /* to be freed: NULL where data is the user's */
};

/*
 * First ranks get memory, `bytes` on all nodes but the root's, where it is `all`; there the root's
 * own if it is first.
 */
int hitop_speaker_open(struct hitop_comm *c, struct speaker *s, int root, void *of_root,
                       size_t bytes, size_t all);

/* Between the end of the tree and a root that is another rank of its node. */
int hitop_speaker_to_root(struct hitop_comm *c, const struct speaker *s, int root, void *of_root,
                          size_t bytes);
int hitop_speaker_from_root(struct hitop_comm *c, const struct speaker *s, int root,
                            const void *of_root, size_t bytes);

#endif /* SERVE_MPI_H */
