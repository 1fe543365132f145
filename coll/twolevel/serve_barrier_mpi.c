/* SPDX-License-Identifier: BSD-3-Clause */
/* serve_barrier_mpi.c - MPI_Barrier on a node. */
#include <config.h>

#include "../node/operations.h"
#include "serve_mpi.h"

static int can(const struct hitop_comm *c, const struct call *call)
{
    (void)call;
    return hitop_comm_has_lanes(c);
}

static int run(struct hitop_comm *c, const struct call *call)
{
    (void)call;
    hitop_node_begin(&c->shared);
    hitop_node_barrier(&c->shared);
    return MPI_SUCCESS;
}

const struct serve serve_barrier = {can, run};
