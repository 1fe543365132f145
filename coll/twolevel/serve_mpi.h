/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SERVE_MPI_H
#define SERVE_MPI_H

/*
 * serve_mpi.h - operations other than broadcasts in two levels.
 *
 * Each operation is a table of functions. hitop_serve_blocks_run() runs those with blocks (gather,
 * scatter, allgather, alltoall) and passes them the user's buffers where elements are plain bytes,
 * and packed copies elsewhere. Reductions have a run() of their own (serve_reduce_mpi.c).
 *
 * In an operation without a root no rank can return before all have arrived; the first rank of a
 * node sends and receives for it, on the communicator of first ranks. In an operation that sends to
 * a root, the rank that arrives last on a node sends for it; the other ranks post their data and
 * return. With more than HITOP_NODES_MOST nodes the first ranks call MPI, which chooses a tree:
 * log2(nodes) messages one after another instead of nodes - 1 at the root, but a first rank waits
 * for the nodes below it.
 *
 * To add an operation: write its table beside a similar one, and add it to the table in
 * dispatch_mpi.c.
 */

#include "coll/node/node.h"
#include "coll/runtime/call_mpi.h"
#include "coll/twolevel/comm_state_mpi.h"

/* The data of this rank for an operation with blocks. */
struct serve_blocks {
    /* its block: sent by a gather, received by a scatter; its send buffer in an alltoall */
    void *mine;
    size_t bytes; /* of its block */
    int in_place; /* MPI_IN_PLACE, for an alltoall: all ranks pass it alike */
    /* of all ranks, where it has them; the receive buffer in an alltoall */
    struct hitop_node_blocks blocks;
};

/* A reduction for coll/node, which combines bytes; MPI knows their type. */
struct serve_combine {
    struct hitop_combine combine;
    MPI_Op op;
    MPI_Datatype type;
    int code; /* MPI_SUCCESS, or the error of the operation */
};

struct serve {
    /*
     * 1: run() serves this call. The decision uses only what all ranks know alike: the
     * communicator, the root, the operation of a reduction, and lengths where MPI has all ranks
     * pass them. The arguments are valid.
     */
    int (*can)(const struct hitop_comm *c, const struct call *call);

    /*
     * Called on a communicator that is ready; c->seq is the number of this operation. MPI_SUCCESS
     * or an MPI code, which the caller passes to the error handler.
     */
    int (*run)(struct hitop_comm *c, const struct call *call, const struct serve *serve);

    /*
     * Called by run(). *_on_node() is called on one node, after hitop_node_begin(), and returns 1
     * if lengths differ. *_over_nodes() is called on several nodes and returns an MPI code.
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

/* Every operation in two levels begins with this. */
static inline void serve_begin(struct hitop_comm *c, enum hitop_operation_id operation)
{
    c->seq++;
    c->stats.served[operation]++;
    c->served_by = "twolevel";
    if (c->watch) {
        hitop_stats_arrive(c);
    }
}

/* What serves a call if two levels do not. */
enum dispatch_otherwise {
    DISPATCH_MPI,   /* the program calls MPI: MPI serves it */
    DISPATCH_PLANS, /* the program calls hitop_*: the fastest plan */
};

/*
 * Serve any call except a broadcast: by a plan where the program or its user names an algorithm; in
 * two levels where the communicator is ready and the operation is possible; else by `otherwise`.
 * MPI_SUCCESS, or a code that the error handler has seen.
 */
int hitop_dispatch_run(const struct call *call, enum dispatch_otherwise otherwise);

/* The same with the functions of `serve`; NULL: the operation has none for two levels. */
int hitop_dispatch_by(const struct call *call, const struct serve *serve,
                      enum dispatch_otherwise otherwise);

/*
 * A call that must go to MPI, as one with large counts: call the first function before MPI's and
 * the second one after it, for statistics and the watchdog. NULL: nothing is recorded.
 */
struct hitop_comm *hitop_dispatch_pass_begin(enum hitop_operation_id operation, int root,
                                             MPI_Comm comm);
void hitop_dispatch_pass_end(struct hitop_comm *c);

/* run() and can() of operations with blocks. */
int hitop_serve_blocks_run(struct hitop_comm *c, const struct call *call,
                           const struct serve *serve);
int hitop_serve_blocks_can(const struct hitop_comm *c, const struct call *call);

/* The blocks of one node among those of all ranks. Nodes are runs of ranks. */
struct hitop_node_blocks hitop_serve_blocks_of_node(const struct hitop_comm *c,
                                                    const struct hitop_node_blocks *all, int node);

/* Create c->leaders and set what all ranks know about the nodes. Collective over c->wire. */
void hitop_serve_nodes_create(struct hitop_comm *c, struct hitop_failure *t);

/* 1: every node can take part in an operation in which a process handles `bytes`. */
static inline int serve_nodes_can(const struct hitop_comm *c, size_t bytes)
{
    return c->nodes_have_outboxes && (c->nnodes == 1 || bytes <= HITOP_NODES_BYTES);
}

/*
 * 1: the steps on a node before and after the internode steps pay for `bytes`. Where ranks share
 * processors, each step costs a time slice, so that the operation pays only from `from` bytes on.
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

/* The number of `rank` among the ranks of its node. */
int hitop_serve_nodes_local(const struct hitop_comm *c, int rank);

/*
 * Every operation on several nodes begins with this if ranks may return before others arrive: a
 * rank that runs ahead must not reuse a tag while a message with it may be pending. MPI_SUCCESS or
 * an MPI code.
 */
int hitop_serve_nodes_begin(struct hitop_comm *c);

/*
 * An operation among the ranks of this node with the local rank `root`; a copy if the rank is alone
 * there. Returns 1 where lengths differ.
 */
int hitop_serve_node_gather(struct hitop_comm *c, const void *mine, size_t bytes,
                            const struct hitop_node_blocks *to, int root);
int hitop_serve_node_scatter(struct hitop_comm *c, const struct hitop_node_blocks *from, void *mine,
                             size_t bytes, int root);
int hitop_serve_node_reduce(struct hitop_comm *c, const void *mine, void *sum, size_t bytes,
                            int root, struct serve_combine *s);

/* Broadcast the data of the first rank on its node. */
void hitop_serve_node_share(struct hitop_comm *c, void *data, size_t bytes);

/* Receive `bytes` from `rank`, or send them to it. */
int hitop_serve_nodes_receive(struct hitop_comm *c, void *data, size_t bytes, int rank);
int hitop_serve_nodes_send(struct hitop_comm *c, const void *data, size_t bytes, int rank);

/* Receive a message from any other node to base + starts[node]. */
int hitop_serve_nodes_receive_any(struct hitop_comm *c, unsigned char *base, const size_t *starts);

/*
 * Counts and displacements for MPI, for blocks one after another: the bytes of each node, then
 * where they begin. The caller frees them. Nodes are runs of ranks.
 */
int *hitop_serve_nodes_counts(struct hitop_comm *c, const struct hitop_node_blocks *blocks);

/* The tree of first ranks, as this rank needs it. */
struct leader_tree {
    int end_node;          /* the node at the top of the tree: the root's */
    int end;               /* the first rank of that node */
    int is_end;            /* this rank is `end` */
    unsigned char *data;   /* NULL on other than first ranks */
    unsigned char *buffer; /* the caller frees it; NULL where `data` is the user's memory */
};

/*
 * Set s->data on first ranks: on the root, its buffer; on another first rank of the root's node,
 * `all` new bytes; on other nodes, `bytes` new bytes.
 */
void hitop_leader_tree_open(struct hitop_comm *c, struct leader_tree *s, int root, void *of_root,
                            size_t bytes, size_t all);

/*
 * If the root is not the first rank of its node, move the data from the top of the tree to the root
 * (to_root: 1), or from the root to the top (0).
 */
int hitop_leader_tree_move(struct hitop_comm *c, const struct leader_tree *s, int root,
                           void *of_root, size_t bytes, int to_root);

#endif /* SERVE_MPI_H */
