/* SPDX-License-Identifier: BSD-3-Clause */
/* serve_gather_mpi.c - MPI_Gather and MPI_Gatherv on a node. */
#include <config.h>

#include "serve_blocks_mpi.h"

static int engine(struct hitop_node *node, const struct serve_blocks *b, int root)
{
    return hitop_node_gather(node, b->mine, b->bytes, &b->blocks, root);
}

static int can(const struct hitop_comm *c, const struct call *call)
{
    (void)call;
    return c->nnodes == 1 && c->nodes_have_lanes;
}

static int run(struct hitop_comm *c, const struct call *call)
{
    return serve_blocks_run(c, call, engine);
}

const struct serve serve_gather = {can, run};
