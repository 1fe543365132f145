/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_scatter_mpi.c - MPI_Scatter: each node's blocks go to its first rank, which hands
 * them out; ranks wait for nobody but it, and it for nobody but the root.
 */
#include <config.h>

#include "coll/twolevel/serve_blocks_mpi.h"
#include "coll/twolevel/serve_many_mpi.h"
#include "coll/twolevel/serve_nodes_mpi.h"

#include <stdlib.h>
#include <string.h>

static int scatter_on_node(struct hitop_comm *c, unsigned char *base, const struct serve_blocks *b,
                           int local_root)
{
    const struct hitop_node_blocks blocks = {.base = base, .each = b->bytes};

    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        return hitop_node_scatter(&c->shared, &blocks, b->mine, b->bytes, local_root);
    }
    if (b->mine && b->mine != base) {
        memcpy(b->mine, base, b->bytes);
    }
    return 0;
}

static int send_down(struct hitop_comm *c, const struct serve_blocks *b, int *differs)
{
    MPI_Request request[SERVE_NODES];
    size_t starts[SERVE_NODES + 1];
    int code = MPI_SUCCESS, n = 0;

    hitop_serve_nodes_starts(c, b->blocks.each, starts);
    for (int k = 0; k < c->nnodes && code == MPI_SUCCESS; k++) {
        if (k != c->node) {
            code = PMPI_Isend(b->blocks.base + starts[k], (int)(starts[k + 1] - starts[k]),
                              MPI_BYTE, c->first_of[k], hitop_comm_tag(c, HITOP_TAG_SEGMENT),
                              c->wire, &request[n++]);
        }
    }
    if (code == MPI_SUCCESS) {
        *differs = scatter_on_node(c, b->blocks.base + starts[c->node], b, c->local);
    }
    /* not MPI_Waitall(): compilers take MPICH's MPI_STATUSES_IGNORE for an address */
    for (int i = 0; i < n && code == MPI_SUCCESS; i++) {
        code = PMPI_Wait(&request[i], MPI_STATUS_IGNORE);
    }
    return code;
}

/* The first rank of another node than the root's. */
static int pass_down(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    const size_t bytes = b->bytes * (size_t)c->nlocal;
    unsigned char *blocks = malloc(bytes);
    int code;

    if (!blocks) { /* its node waits for it */
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    code = PMPI_Recv(blocks, (int)bytes, MPI_BYTE, root, hitop_comm_tag(c, HITOP_TAG_SEGMENT),
                     c->wire, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS) {
        *differs = scatter_on_node(c, blocks, b, 0);
    }
    free(blocks);
    return code;
}

static int over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    if (serve_nodes_are_many(c, SERVE_NODES)) {
        return hitop_serve_many_scatter(c, b, root, differs);
    }
    if (c->rank == root) {
        return send_down(c, b, differs);
    }
    if (c->node != c->node_of[root] && c->local == 0) {
        return pass_down(c, b, root, differs);
    }
    *differs = scatter_on_node(c, NULL, b,
                               c->node == c->node_of[root] ? hitop_serve_nodes_local(c, root) : 0);
    return MPI_SUCCESS;
}

static int run(struct hitop_comm *c, const struct call *call)
{
    static const struct serve_blocks_way way = {hitop_serve_blocks_scatter, over_nodes};

    return hitop_serve_blocks_run(c, call, &way);
}

const struct serve hitop_serve_scatter = {hitop_serve_blocks_can, run};
