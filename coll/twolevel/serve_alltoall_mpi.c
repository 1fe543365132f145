/* SPDX-License-Identifier: BSD-3-Clause */
/* serve_alltoall_mpi.c - MPI_Alltoall on one node: over several all bytes cross the network whatever is done. */
#include <config.h>

#include "serve_blocks_mpi.h"

static int engine(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    (void)root;
    hitop_node_begin(&c->shared);
    *differs =
        hitop_node_alltoall(&c->shared, b->mine, b->blocks.base, b->blocks.each, b->in_place);
    return MPI_SUCCESS;
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

const struct serve serve_alltoall = {can, run};
