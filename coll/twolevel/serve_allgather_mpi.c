/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_allgather_mpi.c - MPI_Allgather, on one node MPI_Allgatherv as well: the first ranks of nodes gather from theirs,
 * exchange what they have and hand it down.
 */
#include <config.h>

#include "serve_blocks_mpi.h"
#include "serve_nodes_mpi.h"

#include <string.h>

static int exchange(struct hitop_comm *c, const struct serve_blocks *b, const size_t *starts)
{
    int counts[SERVE_NODES], displs[SERVE_NODES];

    for (int k = 0; k < c->nnodes; k++) {
        displs[k] = (int)starts[k];
        counts[k] = (int)(starts[k + 1] - starts[k]);
    }
    return PMPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b->blocks.base, counts, displs,
                           MPI_BYTE, c->leaders);
}

static int over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    struct hitop_node_blocks own = b->blocks;
    size_t starts[SERVE_NODES + 1];
    int code = MPI_SUCCESS;

    (void)root;
    serve_nodes_starts(c, b->blocks.each, starts);
    own.base += starts[c->node];
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        *differs = hitop_node_gather(&c->shared, b->mine, b->bytes, &own, 0);
    } else if (own.base != b->mine) {
        memcpy(own.base, b->mine, b->bytes);
    }
    if (c->local == 0) {
        code = exchange(c, b, starts);
    }
    serve_nodes_hand_down(c, b->blocks.base, starts[c->nnodes]);
    return code;
}

static int on_node(struct hitop_node *node, const struct serve_blocks *b, int root)
{
    (void)root;
    return hitop_node_allgather(node, b->mine, b->bytes, &b->blocks);
}

static int run(struct hitop_comm *c, const struct call *call)
{
    static const struct serve_blocks_way way = {on_node, over_nodes};

    return serve_blocks_run(c, call, &way);
}

const struct serve serve_allgather = {serve_blocks_can, run};
