/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SERVE_BLOCKS_MPI_H
#define SERVE_BLOCKS_MPI_H

/*
 * serve_blocks_mpi.h - the buffers of gather, scatter, allgather and alltoall as the node's engine wants them: the user's
 * where elements are plain bytes, packed copies elsewhere.
 */

#include "coll/node/operations.h"
#include "coll/twolevel/serve_mpi.h"

/* What this rank has for the engine. */
struct serve_blocks {
    void *
        mine; /* its block, brought to a gather or got of a scatter; what it brings to an alltoall */
    size_t bytes; /* of its block */
    int in_place; /* of an alltoall, where all ranks say so alike */

    /* Those of all ranks, where it has them; what it gets of an alltoall. */
    struct hitop_node_blocks blocks;
};

/* What serves a call with these buffers, the user's or copies. */
struct serve_blocks_way {
    /* On one node: 1 where lengths differ. The operation has begun. */
    int (*on_node)(struct hitop_node *node, const struct serve_blocks *b, int root);
    /* On several: an MPI code; *differs becomes 1. */
    int (*over_nodes)(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs);
};

/* MPI_SUCCESS or an MPI code. */
int hitop_serve_blocks_run(struct hitop_comm *c, const struct call *call,
                           const struct serve_blocks_way *way);

/* The first of these for gathers and for scatters. */
int hitop_serve_blocks_gather(struct hitop_node *node, const struct serve_blocks *b, int root);
int hitop_serve_blocks_scatter(struct hitop_node *node, const struct serve_blocks *b, int root);

/* 1: blocks of this call can go over the nodes if there are several. */
int hitop_serve_blocks_can(const struct hitop_comm *c, const struct call *call);

/* A rank that is alone on its node: its block goes where it belongs, or comes from there. 1 where lengths differ. */
int hitop_serve_blocks_keep(const struct hitop_node_blocks *to, const void *mine, size_t bytes);
int hitop_serve_blocks_fetch(const struct hitop_node_blocks *from, void *mine, size_t bytes);

/* Of the blocks of all ranks, those of a node. Nodes are runs of ranks. */
struct hitop_node_blocks hitop_serve_blocks_of_node(const struct hitop_comm *c,
                                                    const struct hitop_node_blocks *all, int node);

#endif /* SERVE_BLOCKS_MPI_H */
