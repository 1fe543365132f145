/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_scatterv_mpi.c - MPI_Scatterv: parcels of each node go to its first rank, which hands them out; of many nodes, those
 * of a branch, which it also passes on. Long blocks go from the root to their ranks.
 */
#include <config.h>

#include "coll/twolevel/parcel_branch_mpi.h"
#include "coll/twolevel/serve_blocks_mpi.h"
#include "coll/twolevel/serve_nodes_mpi.h"

#include <stdlib.h>
#include <string.h>

/* On their way to other nodes. */
struct sending {
    MPI_Request *request;
    int n;
};

static int send_branch(struct hitop_comm *c, struct sending *s, const unsigned char *data,
                       size_t bytes, int rank)
{
    return PMPI_Isend(data, (int)bytes, MPI_BYTE, rank, hitop_comm_tag(c, HITOP_TAG_SEGMENT),
                      c->wire, &s->request[s->n++]);
}

/*
 * To the nodes below `place`, those of the longest branches first; data and starts are those of the places from it, or of
 * the root from 1, to `end`.
 */
static int start_sending(struct hitop_comm *c, struct sending *s, int place, int end, int root,
                         const unsigned char *data, const size_t *starts)
{
    int *children = malloc((size_t)(end - place) * sizeof(*children)), n = 0, code = MPI_SUCCESS;

    *s = (struct sending){malloc((size_t)(end - place) * sizeof(*s->request)), 0};
    if (!children || !s->request) { /* those nodes wait for us */
        free(children);
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    for (int next = place + 1; next < end; next = hitop_parcel_branch_end(data + starts[next])) {
        children[n++] = next;
    }
    while (n-- > 0 && code == MPI_SUCCESS) {
        const size_t from = starts[children[n]];

        code = send_branch(c, s, data + from, starts[hitop_parcel_branch_end(data + from)] - from,
                           parcel_speaker(c, children[n], root));
    }
    free(children);
    return code;
}

static int finish_sending(struct sending *s, int code)
{
    /* not MPI_Waitall(): compilers take MPICH's MPI_STATUSES_IGNORE for an address */
    for (int i = 0; i < s->n && code == MPI_SUCCESS; i++) {
        code = PMPI_Wait(&s->request[i], MPI_STATUS_IGNORE);
    }
    free(s->request);
    return code;
}

/* Is the block of `rank` one that goes there by itself? */
static int is_apart(const struct hitop_comm *c, const struct hitop_node_blocks *from, int rank,
                    const unsigned char **block, size_t *bytes)
{
    *block = hitop_node_block(from, rank, bytes);
    return c->node_of[rank] != c->node && hitop_parcel_is_apart(c, *bytes);
}

/* Long blocks, after all parcels are on their way: at once, so that nobody waits for a rank that comes late. */
static int send_long(struct hitop_comm *c, const struct hitop_node_blocks *from)
{
    MPI_Request *request;
    const unsigned char *block;
    size_t n, messages = 0;
    int code = MPI_SUCCESS;

    for (int r = 0; r < c->size; r++) {
        messages += is_apart(c, from, r, &block, &n) ? hitop_parcel_messages(c, n) : 0;
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
            code = hitop_parcel_start_apart(c, block, n, r, request + messages);
            messages += hitop_parcel_messages(c, n);
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
        own = hitop_serve_blocks_of_node(c, &b->blocks, c->node);
    }
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        return hitop_node_scatter(&c->shared, &own, b->mine, b->bytes,
                                  hitop_serve_nodes_local(c, root));
    }
    return hitop_serve_blocks_fetch(&own, b->mine, b->bytes);
}

static int send_down(struct hitop_comm *c, const struct serve_blocks *b, int *differs)
{
    size_t *starts = malloc(((size_t)c->nnodes + 1) * sizeof(*starts));
    unsigned char *parcels =
        starts ? hitop_parcel_branches_pack(c, &b->blocks, c->rank, starts) : NULL;
    struct sending s = {NULL, 0};
    int code = MPI_ERR_NO_MEM;

    if (parcels) {
        code = start_sending(c, &s, 0, c->nnodes, c->rank, parcels, starts);
    } else { /* all nodes wait for them */
        hitop_trouble_abort(c->wire, "out of memory");
    }
    if (code == MPI_SUCCESS) {
        *differs = scatter_on_root_node(c, b, c->rank);
        code = send_long(c, &b->blocks);
    }
    code = finish_sending(&s, code);
    free(parcels);
    free(starts);
    return code;
}

/* The first rank of another node passes on what it gets, and hands out its node's; its own parcel to `mine`. */
static int pass_down(struct hitop_comm *c, unsigned char *mine, size_t bytes, int root)
{
    const int place = parcel_place(c, c->node, root);
    size_t *starts = malloc(((size_t)c->nnodes + 1) * sizeof(*starts));
    size_t *of_node = malloc(((size_t)c->nlocal + 1) * sizeof(*of_node));
    struct parcels got = {.data = NULL};
    struct sending s = {NULL, 0};
    int code;

    if (!starts || !of_node) { /* its node waits for it */
        free(starts);
        free(of_node);
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    code = hitop_parcel_receive(c, MPI_ANY_SOURCE, &got); /* from the root, or a node above */
    if (code == MPI_SUCCESS) {
        hitop_parcel_branch_starts(c, got.data, place, root, starts, of_node);
        code =
            start_sending(c, &s, place, hitop_parcel_branch_end(got.data), root, got.data, starts);
    }
    if (code == MPI_SUCCESS) {
        const struct hitop_node_blocks own = {.base = got.data, .starts = of_node};
        if (c->nlocal > 1) {
            hitop_node_begin(&c->shared);
            (void)hitop_node_scatter(&c->shared, &own, mine, bytes, 0);
        } else {
            (void)hitop_serve_blocks_fetch(&own, mine, bytes);
        }
    }
    code = finish_sending(&s, code);
    free(got.data);
    free(of_node);
    free(starts);
    return code;
}

/* On another node than the root's: a parcel of the length that is expected, of which the beginning counts. */
static int take_parcel(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    static const struct hitop_node_blocks none;
    const size_t bytes = hitop_parcel_bytes(c, b->bytes);
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
        cut = hitop_parcel_length(c, parcel) > bytes;
        code = cut ? MPI_SUCCESS : hitop_parcel_open(c, parcel, root, b->mine, b->bytes, differs);
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
    static const struct serve_blocks_way way = {hitop_serve_blocks_scatter, over_nodes};

    return hitop_serve_blocks_run(c, call, &way);
}

const struct serve hitop_serve_scatterv = {hitop_serve_blocks_can, run};
