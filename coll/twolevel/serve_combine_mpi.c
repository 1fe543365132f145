/* SPDX-License-Identifier: BSD-3-Clause */
/* serve_combine_mpi.c - see serve_combine_mpi.h. */
#include <config.h>

#include "serve_combine_mpi.h"

#include "../runtime/types_mpi.h"

static void combine(void *context, const void *earlier, void *later, size_t bytes)
{
    struct serve_combine *s = context;
    const int code =
        PMPI_Reduce_local(earlier, later, (int)(bytes / s->combine.unit), s->type, s->op);

    if (code != MPI_SUCCESS) {
        s->code = code;
    }
}

int serve_combine_run(struct hitop_comm *c, const struct call *call,
                      const struct serve_combine_way *way)
{
    struct serve_combine s = {
        .combine = {.run = combine, .context = &s, .unit = hitop_type_size(call->recv.type)},
        .op = call->op,
        .type = call->recv.type,
        .code = MPI_SUCCESS};
    const size_t bytes = (size_t)call->recv.count * s.combine.unit;

    if (bytes == 0) {
        return MPI_SUCCESS;
    }
    if (c->nnodes > 1) {
        return way->over_nodes(c, call, &s, bytes);
    }
    hitop_node_begin(&c->shared);
    return serve_combine_code(&s, way->on_node(&c->shared, call, &s, bytes));
}

int serve_combine_can(const struct hitop_comm *c, const struct call *call)
{
    const size_t unit = hitop_type_size(call->recv.type);
    int commutes = 1;

    return unit > 0 && unit <= HITOP_NODE_UNIT && hitop_type_is_contiguous(call->recv.type) &&
           (c->nodes_are_runs ||
            (PMPI_Op_commutative(call->op, &commutes) == MPI_SUCCESS && commutes));
}
