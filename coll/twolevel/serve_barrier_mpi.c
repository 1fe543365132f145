/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_barrier_mpi.c - MPI_Barrier: on a node by flags; over nodes all come to the first rank of theirs, which meets the
 * others and then lets go.
 */
#include <config.h>

#include "coll/twolevel/serve_nodes_mpi.h"

static int can(const struct hitop_comm *c, const struct call *call)
{
    (void)call;
    return c->nodes_have_lanes && serve_nodes_pay(c, 0, 1);
}

static int run(struct hitop_comm *c, const struct call *call)
{
    const struct hitop_node_blocks nothing = {.base = NULL};
    unsigned char go = 1;
    int code = MPI_SUCCESS;

    (void)call;
    if (c->nnodes == 1) {
        hitop_node_begin(&c->shared);
        hitop_node_barrier(&c->shared);
        return MPI_SUCCESS;
    }
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        (void)hitop_node_gather(&c->shared, NULL, 0, &nothing, 0);
    }
    if (c->local == 0) {
        code = PMPI_Barrier(c->leaders);
    }
    hitop_serve_nodes_hand_down(c, &go, 1);
    return code;
}

const struct serve hitop_serve_barrier = {can, run};
