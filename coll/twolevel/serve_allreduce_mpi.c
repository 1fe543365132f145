/* SPDX-License-Identifier: BSD-3-Clause */
/* serve_allreduce_mpi.c - MPI_Allreduce on a node. */
#include <config.h>

#include "serve_combine_mpi.h"

static int can(const struct hitop_comm *c, const struct call *call)
{
    return hitop_comm_has_lanes(c) && serve_combine_can(call);
}

static int run(struct hitop_comm *c, const struct call *call)
{
    struct serve_combine s;
    size_t bytes;
    int differs;

    serve_combine_init(&s, call);
    bytes = (size_t)call->recv.count * s.combine.unit;
    if (bytes == 0) {
        return MPI_SUCCESS;
    }
    hitop_node_begin(&c->shared);
    differs = hitop_node_allreduce(&c->shared, serve_combine_mine(call), call->recv.buffer, bytes,
                                   &s.combine);
    return serve_combine_code(&s, differs);
}

const struct serve serve_allreduce = {can, run};
