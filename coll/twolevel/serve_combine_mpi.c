/* SPDX-License-Identifier: BSD-3-Clause */
/* serve_combine_mpi.c - see serve_combine_mpi.h. */
#include <config.h>

#include "coll/twolevel/serve_combine_mpi.h"

#include "coll/runtime/short_ops_mpi.h"
#include "coll/runtime/types_mpi.h"

static void combine(void *context, const void *earlier, void *later, size_t bytes)
{
    struct serve_combine *s = context;
    const short_op op = bytes <= SHORT_OP_BYTES ? short_op_of(s->op, s->type) : NULL;
    int code;

    if (op) {
        op(earlier, later, bytes);
        return;
    }
    code = PMPI_Reduce_local(earlier, later, (int)(bytes / s->combine.unit), s->type, s->op);
    if (code != MPI_SUCCESS) {
        s->code = code;
    }
}

int hitop_serve_combine_run(struct hitop_comm *c, const struct call *call,
                            const struct serve_combine_way *way)
{
    struct serve_combine s = {.combine = {.run = combine,
                                          .context = &s,
                                          .unit = hitop_type_size(call->recv.type),
                                          .is_alike = short_op_is_alike(call->op, call->recv.type)},
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

/*
 * An element fills its bytes, in whatever order. A property of what the type is, not of how it was made: ranks may make it
 * differently, and must decide alike.
 */
static int is_dense(MPI_Datatype type, size_t unit)
{
    MPI_Count lb = 0, extent = 0, true_lb = 0, true_extent = 0;

    return hitop_type_is_contiguous(type) || /* which is dense, and quickly known */
           (PMPI_Type_get_extent_x(type, &lb, &extent) == MPI_SUCCESS && lb == 0 &&
            (size_t)extent == unit &&
            PMPI_Type_get_true_extent_x(type, &true_lb, &true_extent) == MPI_SUCCESS &&
            true_lb == 0 && (size_t)true_extent == unit);
}

int hitop_serve_combine_can(const struct hitop_comm *c, const struct call *call)
{
    const size_t unit = hitop_type_size(call->recv.type);
    int commutes = 1;

    return unit > 0 && unit <= HITOP_NODE_UNIT && is_dense(call->recv.type, unit) &&
           (c->nodes_are_runs ||
            (PMPI_Op_commutative(call->op, &commutes) == MPI_SUCCESS && commutes));
}
