/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_reduce_mpi.c - MPI_Reduce and MPI_Allreduce.
 *
 * Reduce: ranks post their operands and return; the rank that arrives last on a node combines them
 * and sends the result to the root, which combines the results of the nodes in their order. With
 * many nodes, or with long operands on more than 2 nodes, the first ranks form a tree. Allreduce:
 * the first rank of each node combines, the first ranks call MPI_Allreduce(), and each passes the
 * result down.
 */
#include <config.h>

#include "coll/runtime/short_ops_mpi.h"
#include "coll/runtime/types_mpi.h"
#include "coll/twolevel/serve_mpi.h"

#include <stdlib.h>
#include <string.h>

/* The operand of this rank. */
static const void *operand_of(const struct call *call)
{
    return call->send.buffer == MPI_IN_PLACE ? call->recv.buffer : call->send.buffer;
}

/* The MPI code of an operation that is complete; `differs` is what coll/node returns. */
static int code_of(const struct serve_combine *s, int differs)
{
    return s->code == MPI_SUCCESS && differs ? MPI_ERR_TRUNCATE : s->code;
}

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

static int run(struct hitop_comm *c, const struct call *call, const struct serve *serve)
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
        return serve->combine_over_nodes(c, call, &s, bytes);
    }
    hitop_node_begin(&c->shared);
    return code_of(&s, serve->combine_on_node(&c->shared, call, &s, bytes));
}

/*
 * An element fills its bytes without gaps, in any order. This depends on the type map, not on how
 * the program made the type: ranks may make it differently, and must decide alike.
 */
static int is_dense(MPI_Datatype type, size_t unit)
{
    MPI_Count lb = 0, extent = 0, true_lb = 0, true_extent = 0;

    return hitop_type_is_contiguous(type) || /* that implies it, and is cheap to test */
           (PMPI_Type_get_extent_x(type, &lb, &extent) == MPI_SUCCESS && lb == 0 &&
            (size_t)extent == unit &&
            PMPI_Type_get_true_extent_x(type, &true_lb, &true_extent) == MPI_SUCCESS &&
            true_lb == 0 && (size_t)true_extent == unit);
}

/*
 * 1: elements of this call have no gaps, are small enough to be combined in pieces, and can be
 * combined in rank order if the operation requires that. All ranks pass the same elements, so they
 * agree.
 */
static int can_combine(const struct hitop_comm *c, const struct call *call)
{
    const size_t unit = hitop_type_size(call->recv.type);
    int commutes = 1;

    return unit > 0 && unit <= HITOP_NODE_UNIT && is_dense(call->recv.type, unit) &&
           (c->nodes_are_runs ||
            (PMPI_Op_commutative(call->op, &commutes) == MPI_SUCCESS && commutes));
}

static size_t bytes_of(const struct call *call)
{
    return (size_t)call->recv.count * hitop_type_size(call->recv.type);
}

/* Do the first ranks form a tree, or does every node send to the root? */
static int wants_tree(const struct hitop_comm *c, size_t bytes)
{
    return c->nnodes > (bytes > HITOP_NODES_SUM_APART ? 2 : HITOP_NODES_SUMS);
}

static int can_reduce(const struct hitop_comm *c, const struct call *call)
{
    const size_t bytes = bytes_of(call);

    return serve_nodes_can(c, wants_tree(c, bytes) ? bytes : bytes * (size_t)c->nnodes) &&
           can_combine(c, call);
}

/* Combine on this node and send the result to the root. */
static int send_up(struct hitop_comm *c, const struct call *call, struct serve_combine *s,
                   size_t bytes)
{
    const void *mine = operand_of(call);
    unsigned char *sum;
    int code, differs;

    if (c->nlocal == 1) {
        return hitop_serve_nodes_send(c, mine, bytes, call->root);
    }
    hitop_node_begin(&c->shared);
    if (!hitop_node_comes_last(&c->shared)) {
        return code_of(
            s, hitop_node_reduce(&c->shared, mine, NULL, bytes, HITOP_NODE_LAST, &s->combine));
    }
    sum = hitop_comm_memory(c, bytes);
    differs = hitop_node_reduce(&c->shared, mine, sum, bytes, c->shared.me, &s->combine);
    code = hitop_serve_nodes_send(c, sum, bytes, call->root);
    free(sum);
    return code == MPI_SUCCESS ? code_of(s, differs) : code;
}

/* The root combines the results of the nodes; its own node's result is in the receive buffer. */
static int combine_nodes(struct hitop_comm *c, const struct call *call, struct serve_combine *s,
                         size_t bytes)
{
    const size_t stride = (bytes + 63) / 64 * 64; /* keep the alignment of the elements */
    size_t starts[HITOP_NODES_SUMS + 1];
    unsigned char *all = aligned_alloc(64, stride * (size_t)c->nnodes), *sum = NULL;
    int code = MPI_SUCCESS;

    if (!all) {
        hitop_failure_abort(c->wire, "out of memory");
    }
    for (int k = 0; k <= c->nnodes; k++) {
        starts[k] = (size_t)k * stride;
    }
    for (int k = 1; k < c->nnodes && code == MPI_SUCCESS; k++) {
        code = hitop_serve_nodes_receive_any(c, all, starts);
    }
    for (int k = c->nnodes - 1; k >= 0 && code == MPI_SUCCESS; k--) {
        unsigned char *share = k == c->node ? call->recv.buffer : all + starts[k];

        if (!sum) {
            sum = share;
        } else {
            s->combine.run(s, share, sum, bytes);
        }
    }
    if (code == MPI_SUCCESS && sum != call->recv.buffer) {
        memcpy(call->recv.buffer, sum, bytes);
    }
    free(all);
    return code;
}

/*
 * Combine on the node into `share`, then over the first ranks. `share` is not the result buffer of
 * MPI_Reduce(), because MPICH 4.0.2 crashes in a reduction in place whose root is not rank 0.
 */
static int reduce_first_ranks(struct hitop_comm *c, const struct leader_tree *k,
                              const struct call *call, struct serve_combine *s, void *share,
                              size_t bytes)
{
    const int differs = hitop_serve_node_reduce(c, operand_of(call), share, bytes, 0, s);
    int code = MPI_SUCCESS;

    if (k->data) {
        code = PMPI_Reduce(share, k->is_end ? k->data : NULL, call->recv.count, s->type, s->op,
                           k->end_node, c->leaders);
    }
    if (code == MPI_SUCCESS) {
        code = hitop_leader_tree_move(c, k, call->root, call->recv.buffer, bytes, 1);
    }
    return code == MPI_SUCCESS ? code_of(s, differs) : code;
}

static int reduce_along_tree(struct hitop_comm *c, const struct call *call, struct serve_combine *s,
                             size_t bytes)
{
    struct leader_tree k;
    unsigned char *share;
    int code;

    hitop_leader_tree_open(c, &k, call->root, call->recv.buffer, bytes, bytes);
    share = k.is_end ? hitop_comm_memory(c, bytes) : NULL;
    code = reduce_first_ranks(c, &k, call, s, share ? share : k.data, bytes);
    free(share);
    free(k.buffer);
    return code;
}

static int reduce_over_nodes(struct hitop_comm *c, const struct call *call, struct serve_combine *s,
                             size_t bytes)
{
    int code = hitop_serve_nodes_begin(c), differs;

    if (code != MPI_SUCCESS) {
        return code;
    }
    if (wants_tree(c, bytes)) {
        return reduce_along_tree(c, call, s, bytes);
    }
    if (c->node != c->node_of[call->root]) {
        return send_up(c, call, s, bytes);
    }
    differs = hitop_serve_node_reduce(c, operand_of(call), call->recv.buffer, bytes,
                                      hitop_serve_nodes_local(c, call->root), s);
    if (c->rank == call->root) {
        code = combine_nodes(c, call, s, bytes);
    }
    return code == MPI_SUCCESS ? code_of(s, differs) : code;
}

static int reduce_on_node(struct hitop_node *node, const struct call *call, struct serve_combine *s,
                          size_t bytes)
{
    return hitop_node_reduce(node, operand_of(call), call->recv.buffer, bytes, call->root,
                             &s->combine);
}

const struct serve hitop_serve_reduce = {.can = can_reduce,
                                         .run = run,
                                         .combine_on_node = reduce_on_node,
                                         .combine_over_nodes = reduce_over_nodes};

static int can_allreduce(const struct hitop_comm *c, const struct call *call)
{
    const size_t bytes = bytes_of(call);

    return serve_nodes_can(c, bytes) && serve_nodes_pay(c, bytes, HITOP_NODES_SUM_FROM) &&
           can_combine(c, call);
}

static int allreduce_over_nodes(struct hitop_comm *c, const struct call *call,
                                struct serve_combine *s, size_t bytes)
{
    void *result = call->recv.buffer;
    const int differs = hitop_serve_node_reduce(c, operand_of(call), result, bytes, 0, s);
    int code = MPI_SUCCESS;

    if (c->local == 0) {
        code = PMPI_Allreduce(MPI_IN_PLACE, result, call->recv.count, s->type, s->op, c->leaders);
    }
    hitop_serve_node_share(c, result, bytes);
    return code == MPI_SUCCESS ? code_of(s, differs) : code;
}

static int allreduce_on_node(struct hitop_node *node, const struct call *call,
                             struct serve_combine *s, size_t bytes)
{
    return hitop_node_allreduce(node, operand_of(call), call->recv.buffer, bytes, &s->combine);
}

const struct serve hitop_serve_allreduce = {.can = can_allreduce,
                                            .run = run,
                                            .combine_on_node = allreduce_on_node,
                                            .combine_over_nodes = allreduce_over_nodes};
