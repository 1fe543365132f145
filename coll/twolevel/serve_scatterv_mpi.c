/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_scatterv_mpi.c - MPI_Scatterv: parcels of each node go to its first rank, which hands them out. Long blocks go from
 * the root to their ranks.
 */
#include <config.h>

#include "parcel_mpi.h"
#include "serve_blocks_mpi.h"
#include "serve_nodes_mpi.h"

#include <stdlib.h>
#include <string.h>

/* The parcels of a node; to be freed. NULL when out of memory. */
static unsigned char *pack_node(const struct hitop_comm *c, const struct hitop_node_blocks *from,
                                int node, size_t *bytes)
{
    unsigned char *parcels = NULL;

    for (int filling = 0; filling < 2; filling++) {
        size_t at = 0, n;
        for (int r = c->first_of[node]; r < serve_nodes_end(c, node); r++) {
            const unsigned char *block = hitop_node_block(from, r, &n);
            if (parcels) {
                parcel_pack(parcels + at, block, n);
            }
            at += parcel_bytes(n);
        }
        *bytes = at;
        parcels = filling ? parcels : malloc(at);
    }
    return parcels;
}

/* Is the block of `rank` one that goes there by itself? */
static int is_apart(const struct hitop_comm *c, const struct hitop_node_blocks *from, int rank,
                    const unsigned char **block, size_t *bytes)
{
    *block = hitop_node_block(from, rank, bytes);
    return c->node_of[rank] != c->node && parcel_is_apart(*bytes);
}

/* Long blocks, after all parcels are on their way: at once, so that nobody waits for a rank that comes late. */
static int send_long(struct hitop_comm *c, const struct hitop_node_blocks *from)
{
    MPI_Request *request;
    const unsigned char *block;
    size_t n, messages = 0;
    int code = MPI_SUCCESS;

    for (int r = 0; r < c->size; r++) {
        messages += is_apart(c, from, r, &block, &n) ? parcel_messages(n) : 0;
    }
    if (messages == 0) {
        return MPI_SUCCESS;
    }
    request = malloc(messages * sizeof(*request));
    if (!request) { /* those ranks wait for them */
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    messages = 0;
    for (int r = 0; r < c->size && code == MPI_SUCCESS; r++) {
        if (is_apart(c, from, r, &block, &n)) {
            code = parcel_start_apart(c, block, n, r, request + messages);
            messages += parcel_messages(n);
        }
    }
    for (size_t i = 0; i < messages && code == MPI_SUCCESS; i++) {
        code = PMPI_Wait(&request[i], MPI_STATUS_IGNORE);
    }
    free(request);
    return code;
}

static int scatter_on_root_node(struct hitop_comm *c, const struct serve_blocks *b, int root)
{
    struct hitop_node_blocks own = b->blocks;

    if (c->rank == root) {
        own = serve_blocks_of_node(c, &b->blocks, c->node);
    }
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        return hitop_node_scatter(&c->shared, &own, b->mine, b->bytes, serve_nodes_local(c, root));
    }
    return serve_blocks_fetch(&own, b->mine, b->bytes);
}

static int send_down(struct hitop_comm *c, const struct serve_blocks *b, int *differs)
{
    unsigned char *parcels[SERVE_NODES] = {NULL};
    MPI_Request request[SERVE_NODES];
    int code = MPI_SUCCESS, n = 0;

    for (int k = 0; k < c->nnodes && code == MPI_SUCCESS; k++) {
        size_t bytes;
        if (k == c->node) {
            continue;
        }
        parcels[n] = pack_node(c, &b->blocks, k, &bytes);
        if (!parcels[n]) { /* that node waits for them */
            hitop_trouble_abort(c->wire, "out of memory");
            return MPI_ERR_NO_MEM;
        }
        code = PMPI_Isend(parcels[n], (int)bytes, MPI_BYTE, c->first_of[k],
                          hitop_comm_tag(c, HITOP_TAG_SEGMENT), c->wire, &request[n]);
        n++;
    }
    if (code == MPI_SUCCESS) {
        *differs = scatter_on_root_node(c, b, c->rank);
        code = send_long(c, &b->blocks);
    }
    for (int i = 0; i < n && code == MPI_SUCCESS; i++) {
        code = PMPI_Wait(&request[i], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < n; i++) {
        free(parcels[i]);
    }
    return code;
}

/* The first rank of another node hands out what it gets; its own parcel to `mine`. */
static int pass_down(struct hitop_comm *c, unsigned char *mine, size_t bytes, int root)
{
    size_t *starts = malloc(((size_t)c->nlocal + 1) * sizeof(*starts));
    struct hitop_node_blocks all = {.starts = starts};
    int from, code;

    if (!starts) { /* its node waits for it */
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    code = parcel_receive(c, root, &all.base, &from);
    if (code == MPI_SUCCESS) {
        starts[0] = 0;
        for (int i = 0; i < c->nlocal; i++) {
            starts[i + 1] = starts[i] + parcel_length(all.base + starts[i]);
        }
        if (c->nlocal > 1) {
            hitop_node_begin(&c->shared);
            (void)hitop_node_scatter(&c->shared, &all, mine, bytes, 0);
        } else {
            (void)serve_blocks_fetch(&all, mine, bytes);
        }
    }
    free(all.base);
    free(starts);
    return code;
}

/* On another node than the root's: a parcel of the length that is expected, of which the beginning counts. */
static int take_parcel(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    static const struct hitop_node_blocks none;
    const size_t bytes = parcel_bytes(b->bytes);
    unsigned char *parcel = malloc(bytes);
    int code = MPI_SUCCESS, cut = 0;

    if (!parcel) { /* others wait for us */
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    if (c->local == 0) {
        code = pass_down(c, parcel, bytes, root);
    } else {
        hitop_node_begin(&c->shared);
        (void)hitop_node_scatter(&c->shared, &none, parcel, bytes, 0);
    }
    if (code == MPI_SUCCESS) {
        cut = parcel_length(parcel) > bytes;
        code = cut ? MPI_SUCCESS : parcel_open(c, parcel, root, b->mine, b->bytes, differs);
    }
    *differs |= cut;
    free(parcel);
    return code;
}

static int over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    if (c->rank == root) {
        return send_down(c, b, differs);
    }
    if (c->node != c->node_of[root]) {
        return take_parcel(c, b, root, differs);
    }
    *differs = scatter_on_root_node(c, b, root);
    return MPI_SUCCESS;
}

static int run(struct hitop_comm *c, const struct call *call)
{
    static const struct serve_blocks_way way = {serve_blocks_scatter, over_nodes};

    return serve_blocks_run(c, call, &way);
}

const struct serve serve_scatterv = {serve_blocks_can, run};
