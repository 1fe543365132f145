/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_gatherv_mpi.c - MPI_Gatherv: ranks deposit parcels and leave; whoever comes last on a node sends those of the node to
 * the root. Ranks whose block is long send it to the root themselves.
 */
#include <config.h>

#include "parcel_mpi.h"
#include "serve_blocks_mpi.h"
#include "serve_nodes_mpi.h"

#include <stdlib.h>
#include <string.h>

/* The last one of a node: all parcels in one message. */
static int send_node(struct hitop_comm *c, const unsigned char *parcel, size_t bytes, int root)
{
    size_t *starts = malloc(((size_t)c->nlocal + 1) * sizeof(*starts));
    struct hitop_node_blocks all = {.starts = starts};
    int code = MPI_ERR_NO_MEM;

    if (starts) {
        hitop_node_lengths(&c->shared, bytes, starts);
        all.base = malloc(starts[c->nlocal]);
    }
    if (all.base) {
        (void)hitop_node_gather(&c->shared, parcel, bytes, &all, c->shared.me);
        code = serve_nodes_send(c, all.base, starts[c->nlocal], root);
    } else { /* the root waits for it */
        hitop_trouble_abort(c->wire, "out of memory");
    }
    free(all.base);
    free(starts);
    return code;
}

static int send_parcel(struct hitop_comm *c, const unsigned char *parcel, size_t bytes, int root)
{
    const struct hitop_node_blocks none = {.each = 0};

    if (c->nlocal == 1) {
        return serve_nodes_send(c, parcel, bytes, root);
    }
    hitop_node_begin(&c->shared);
    if (hitop_node_comes_last(&c->shared)) {
        return send_node(c, parcel, bytes, root);
    }
    (void)hitop_node_gather(&c->shared, parcel, bytes, &none, HITOP_NODE_LAST);
    return MPI_SUCCESS;
}

static int send_up(struct hitop_comm *c, const struct serve_blocks *b, int root)
{
    const size_t bytes = parcel_bytes(b->bytes);
    unsigned char *parcel = malloc(bytes);
    int code;

    if (!parcel) { /* others wait for it */
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    parcel_pack(parcel, b->mine, b->bytes);
    code = send_parcel(c, parcel, bytes, root);
    free(parcel);
    if (code == MPI_SUCCESS && parcel_is_apart(b->bytes)) {
        code = parcel_send_apart(c, b->mine, b->bytes, root);
    }
    return code;
}

/* The parcels of another node, whichever come first. */
static int take_node(struct hitop_comm *c, const struct serve_blocks *b, int *differs)
{
    unsigned char *parcels;
    const unsigned char *p;
    int from = 0, code = parcel_receive(c, MPI_ANY_SOURCE, &parcels, &from);

    p = parcels;
    for (int r = from >= 0 ? c->first_of[c->node_of[from]] : 0;
         r < c->size && c->node_of[r] == c->node_of[from] && code == MPI_SUCCESS; r++) {
        size_t room;
        unsigned char *at = hitop_node_block(&b->blocks, r, &room);

        code = parcel_open(c, p, r, at, room, differs);
        p += parcel_length(p);
    }
    free(parcels);
    return code;
}

/* On the root's node, where the root knows all lengths. */
static int collect(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    struct hitop_node_blocks own = b->blocks;
    int code = MPI_SUCCESS;

    if (c->rank == root) {
        own = serve_blocks_of_node(c, &b->blocks, c->node);
    }
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        *differs =
            hitop_node_gather(&c->shared, b->mine, b->bytes, &own, serve_nodes_local(c, root));
    } else {
        *differs = serve_blocks_keep(&own, b->mine, b->bytes);
    }
    for (int k = 1; c->rank == root && k < c->nnodes && code == MPI_SUCCESS; k++) {
        code = take_node(c, b, differs);
    }
    return code;
}

static int over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    return c->node == c->node_of[root] ? collect(c, b, root, differs) : send_up(c, b, root);
}

static int run(struct hitop_comm *c, const struct call *call)
{
    static const struct serve_blocks_way way = {serve_blocks_gather, over_nodes};

    return serve_blocks_run(c, call, &way);
}

const struct serve serve_gatherv = {serve_blocks_can, run};
