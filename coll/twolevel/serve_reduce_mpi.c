/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_reduce_mpi.c - MPI_Reduce: ranks deposit and leave; whoever comes last on a node combines for it and sends to the
 * root, which combines what the nodes have sent in their order.
 */
#include <config.h>

#include "coll/runtime/types_mpi.h"
#include "coll/twolevel/serve_combine_mpi.h"
#include "coll/twolevel/serve_many_mpi.h"
#include "coll/twolevel/serve_nodes_mpi.h"

#include <stdlib.h>
#include <string.h>

/* Do the first ranks form a tree, or does every node speak to the root? */
static int wants_tree(const struct hitop_comm *c, size_t bytes)
{
    return serve_nodes_are_many(c, bytes > HITOP_NODES_SUM_APART ? 2 : SERVE_SUMS);
}

static int can(const struct hitop_comm *c, const struct call *call)
{
    const size_t bytes = (size_t)call->recv.count * hitop_type_size(call->recv.type);

    const size_t at_root = wants_tree(c, bytes) ? bytes : bytes * (size_t)c->nnodes;

    return serve_nodes_can(c, at_root) && hitop_serve_combine_can(c, call);
}

/* What a node brings goes to the root. */
static int send_up(struct hitop_comm *c, const struct call *call, struct serve_combine *s,
                   size_t bytes)
{
    const void *mine = serve_combine_mine(call);
    unsigned char *sum;
    int code, differs;

    if (c->nlocal == 1) {
        return hitop_serve_nodes_send(c, mine, bytes, call->root);
    }
    hitop_node_begin(&c->shared);
    if (!hitop_node_comes_last(&c->shared)) {
        return serve_combine_code(
            s, hitop_node_reduce(&c->shared, mine, NULL, bytes, HITOP_NODE_LAST, &s->combine));
    }
    sum = malloc(bytes);
    if (!sum) { /* the root waits for it */
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    differs = hitop_node_reduce(&c->shared, mine, sum, bytes, c->shared.me, &s->combine);
    code = hitop_serve_nodes_send(c, sum, bytes, call->root);
    free(sum);
    return code == MPI_SUCCESS ? serve_combine_code(s, differs) : code;
}

/* The root combines: its node's share is in the result already. */
static int combine_nodes(struct hitop_comm *c, const struct call *call, struct serve_combine *s,
                         size_t bytes)
{
    const size_t apart = (bytes + 63) / 64 * 64; /* as the elements are aligned */
    size_t starts[SERVE_SUMS + 1];
    unsigned char *all = aligned_alloc(64, apart * (size_t)c->nnodes), *sum = NULL;
    int code = MPI_SUCCESS;

    if (!all) {
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    for (int k = 0; k <= c->nnodes; k++) {
        starts[k] = (size_t)k * apart;
    }
    for (int k = 1; k < c->nnodes && code == MPI_SUCCESS; k++) {
        code = hitop_serve_nodes_receive(c, all, starts);
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

static int run_over_nodes(struct hitop_comm *c, const struct call *call, struct serve_combine *s,
                          size_t bytes)
{
    const void *mine = serve_combine_mine(call);
    int code = hitop_serve_nodes_begin(c), differs = 0;

    if (code != MPI_SUCCESS) {
        return code;
    }
    if (wants_tree(c, bytes)) {
        return hitop_serve_many_reduce(c, call, s, bytes);
    }
    if (c->node != c->node_of[call->root]) {
        return send_up(c, call, s, bytes);
    }
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        differs = hitop_node_reduce(&c->shared, mine, call->recv.buffer, bytes,
                                    hitop_serve_nodes_local(c, call->root), &s->combine);
    } else if (mine != call->recv.buffer) {
        memcpy(call->recv.buffer, mine, bytes);
    }
    if (c->rank == call->root) {
        code = combine_nodes(c, call, s, bytes);
    }
    return code == MPI_SUCCESS ? serve_combine_code(s, differs) : code;
}

static int on_node(struct hitop_node *node, const struct call *call, struct serve_combine *s,
                   size_t bytes)
{
    return hitop_node_reduce(node, serve_combine_mine(call), call->recv.buffer, bytes, call->root,
                             &s->combine);
}

static int run(struct hitop_comm *c, const struct call *call)
{
    static const struct serve_combine_way way = {on_node, run_over_nodes};

    return hitop_serve_combine_run(c, call, &way);
}

const struct serve hitop_serve_reduce = {can, run};
