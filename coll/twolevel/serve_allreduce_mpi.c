/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_allreduce_mpi.c - MPI_Allreduce: on a node in shared memory; over nodes the first rank of each combines for its
 * node and hands down what the first ranks have made of it.
 */
#include <config.h>

#include "coll/runtime/types_mpi.h"
#include "coll/twolevel/serve_combine_mpi.h"
#include "coll/twolevel/serve_nodes_mpi.h"

#include <string.h>

static int can(const struct hitop_comm *c, const struct call *call)
{
    const size_t bytes = (size_t)call->recv.count * hitop_type_size(call->recv.type);

    return serve_nodes_can(c, bytes) && serve_nodes_pay(c, bytes, HITOP_NODES_SUM_FROM) &&
           hitop_serve_combine_can(c, call);
}

static int run_over_nodes(struct hitop_comm *c, const struct call *call, struct serve_combine *s,
                          size_t bytes)
{
    const void *mine = serve_combine_mine(call);
    int code = MPI_SUCCESS, differs = 0;

    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        differs = hitop_node_reduce(&c->shared, mine, call->recv.buffer, bytes, 0, &s->combine);
    } else if (mine != call->recv.buffer) {
        memcpy(call->recv.buffer, mine, bytes);
    }
    if (c->local == 0) {
        code = PMPI_Allreduce(MPI_IN_PLACE, call->recv.buffer, call->recv.count, call->recv.type,
                              call->op, c->leaders);
    }
    hitop_serve_nodes_hand_down(c, call->recv.buffer, bytes);
    return code == MPI_SUCCESS ? serve_combine_code(s, differs) : code;
}

static int on_node(struct hitop_node *node, const struct call *call, struct serve_combine *s,
                   size_t bytes)
{
    return hitop_node_allreduce(node, serve_combine_mine(call), call->recv.buffer, bytes,
                                &s->combine);
}

static int run(struct hitop_comm *c, const struct call *call)
{
    static const struct serve_combine_way way = {on_node, run_over_nodes};

    return hitop_serve_combine_run(c, call, &way);
}

const struct serve hitop_serve_allreduce = {can, run};
