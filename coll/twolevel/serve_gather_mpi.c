/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_gather_mpi.c - MPI_Gather: ranks deposit and leave; whoever comes last on a node
 * sends what the node has to the root.
 */
#include <config.h>

#include "coll/twolevel/serve_blocks_mpi.h"
#include "coll/twolevel/serve_many_mpi.h"
#include "coll/twolevel/serve_nodes_mpi.h"

#include <stdlib.h>
#include <string.h>

/* What a node brings goes to the root. */
static int send_up(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    const size_t bytes = b->bytes * (size_t)c->nlocal;
    struct hitop_node_blocks all = {.each = b->bytes};
    int code;

    if (c->nlocal == 1) {
        return hitop_serve_nodes_send(c, b->mine, b->bytes, root);
    }
    hitop_node_begin(&c->shared);
    if (!hitop_node_comes_last(&c->shared)) {
        *differs = hitop_node_gather(&c->shared, b->mine, b->bytes, &all, HITOP_NODE_LAST);
        return MPI_SUCCESS;
    }
    all.base = malloc(bytes);
    if (!all.base) { /* the root waits for it */
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    *differs = hitop_node_gather(&c->shared, b->mine, b->bytes, &all, c->shared.me);
    code = hitop_serve_nodes_send(c, all.base, bytes, root);
    free(all.base);
    return code;
}

/* On the root's node. */
static int collect(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    struct hitop_node_blocks own = b->blocks;
    size_t starts[SERVE_NODES + 1];
    int code = MPI_SUCCESS;

    if (c->rank == root) {
        hitop_serve_nodes_starts(c, own.each, starts);
        own.base += starts[c->node];
    }
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        *differs = hitop_node_gather(&c->shared, b->mine, b->bytes, &own,
                                     hitop_serve_nodes_local(c, root));
    } else if (own.base != b->mine) {
        memcpy(own.base, b->mine, b->bytes);
    }
    for (int k = 1; c->rank == root && k < c->nnodes && code == MPI_SUCCESS; k++) {
        code = hitop_serve_nodes_receive(c, b->blocks.base, starts);
    }
    return code;
}

static int over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    if (serve_nodes_are_many(c, SERVE_NODES)) {
        return hitop_serve_many_gather(c, b, root, differs);
    }
    return c->node == c->node_of[root] ? collect(c, b, root, differs)
                                       : send_up(c, b, root, differs);
}

static int run(struct hitop_comm *c, const struct call *call)
{
    static const struct serve_blocks_way way = {hitop_serve_blocks_gather, over_nodes};

    return hitop_serve_blocks_run(c, call, &way);
}

const struct serve hitop_serve_gather = {hitop_serve_blocks_can, run};
