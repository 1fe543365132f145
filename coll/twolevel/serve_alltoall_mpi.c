/* SPDX-License-Identifier: BSD-3-Clause */
/* serve_alltoall_mpi.c - MPI_Alltoall on one node: over several all bytes cross the network whatever is done. */
#include <config.h>

#include "serve_blocks_mpi.h"

static int on_node(struct hitop_node *node, const struct serve_blocks *b, int root)
{
    (void)root;
    return hitop_node_alltoall(node, b->mine, b->blocks.base, b->blocks.each, b->in_place);
}

static int can(const struct hitop_comm *c, const struct call *call)
{
    (void)call;
    return c->nnodes == 1 && c->nodes_have_lanes;
}

static int run(struct hitop_comm *c, const struct call *call)
{
    static const struct serve_blocks_way way = {on_node, NULL};

    return serve_blocks_run(c, call, &way);
}

const struct serve serve_alltoall = {can, run};
