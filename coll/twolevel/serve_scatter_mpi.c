/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_scatter_mpi.c - MPI_Scatter and MPI_Scatterv.
 *
 * Scatter: the root sends each node's blocks to its first rank, which scatters them; a rank waits
 * only for its first rank, and a first rank only for the root. With many nodes the first ranks form
 * a tree.
 *
 * Scatterv: the same with packed blocks, because only the root knows all lengths; with many nodes a
 * first rank gets the packed blocks of a branch and forwards them. The root sends long blocks to
 * their ranks directly.
 */
#include <config.h>

#include "coll/twolevel/packed_block_mpi.h"
#include "coll/twolevel/serve_mpi.h"

#include <stdlib.h>
#include <string.h>

/* Scatter on the root's node. */
static int scatter_own(struct hitop_comm *c, const struct serve_blocks *b, int root)
{
    const struct hitop_node_blocks own =
        c->rank == root ? hitop_serve_blocks_of_node(c, &b->blocks, c->node) : b->blocks;

    return hitop_serve_node_scatter(c, &own, b->mine, b->bytes, hitop_serve_nodes_local(c, root));
}

/* Another node: the first rank scatters its blocks. */
static int scatter_from_first(struct hitop_comm *c, const struct serve_blocks *b,
                              unsigned char *base)
{
    const struct hitop_node_blocks blocks = {.base = base, .each = b->bytes};

    return hitop_serve_node_scatter(c, &blocks, b->mine, b->bytes, 0);
}

static int scatter_on_node(struct hitop_node *node, const struct serve_blocks *b, int root)
{
    return hitop_node_scatter(node, &b->blocks, b->mine, b->bytes, root);
}

/* Messages that are being sent to other nodes. */
struct sending {
    MPI_Request *request;
    int n;
};

static int start(struct hitop_comm *c, struct sending *s, const unsigned char *data, size_t bytes,
                 int rank)
{
    return PMPI_Isend(data, (int)bytes, MPI_BYTE, rank, hitop_comm_tag(c, HITOP_TAG_SEGMENT),
                      c->wire, &s->request[s->n++]);
}

/*
 * Not MPI_Waitall(): compilers warn of MPICH's MPI_STATUSES_IGNORE, which they take for an address.
 */
static int finish(const struct sending *s, int code)
{
    for (int i = 0; i < s->n && code == MPI_SUCCESS; i++) {
        code = PMPI_Wait(&s->request[i], MPI_STATUS_IGNORE);
    }
    return code;
}

static int send_down(struct hitop_comm *c, const struct serve_blocks *b, int *differs)
{
    MPI_Request request[HITOP_NODES_MOST];
    struct sending s = {request, 0};
    int code = MPI_SUCCESS;

    for (int k = 0; k < c->nnodes && code == MPI_SUCCESS; k++) {
        const size_t first = (size_t)c->first_of[k], n = (size_t)serve_nodes_end(c, k) - first;

        if (k != c->node) {
            code = start(c, &s, b->blocks.base + first * b->blocks.each, n * b->blocks.each,
                         c->first_of[k]);
        }
    }
    if (code == MPI_SUCCESS) {
        *differs = scatter_own(c, b, c->rank);
    }
    return finish(&s, code);
}

/* The first rank of another node than the root's: receive and scatter. */
static int pass_down(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    const size_t bytes = b->bytes * (size_t)c->nlocal;
    unsigned char *blocks = hitop_comm_memory(c, bytes);
    int code;

    code = hitop_serve_nodes_receive(c, blocks, bytes, root);
    if (code == MPI_SUCCESS) {
        *differs = scatter_from_first(c, b, blocks);
    }
    free(blocks);
    return code;
}

static int scatter_first_ranks(struct hitop_comm *c, const struct leader_tree *k, size_t each)
{
    const struct hitop_node_blocks all = {.each = each};
    void *const to = k->is_end ? MPI_IN_PLACE : k->data;
    const int n = (int)(each * (size_t)c->nlocal);
    int *counts, code;

    if (c->nodes_are_even) { /* MPI has more algorithms for equal counts */
        return PMPI_Scatter(k->data, n, MPI_BYTE, to, n, MPI_BYTE, k->end_node, c->leaders);
    }
    counts = hitop_serve_nodes_counts(c, &all);
    code = PMPI_Scatterv(k->data, counts, counts + c->nnodes, MPI_BYTE, to, n, MPI_BYTE,
                         k->end_node, c->leaders);
    free(counts);
    return code;
}

static int scatter_along_tree(struct hitop_comm *c, const struct serve_blocks *b, int root,
                              int *differs)
{
    const size_t each = b->bytes, all = each * (size_t)c->size;
    struct leader_tree k;
    int code;

    hitop_leader_tree_open(c, &k, root, b->blocks.base, each * (size_t)c->nlocal, all);
    code = hitop_leader_tree_move(c, &k, root, b->blocks.base, all, 0);
    if (code == MPI_SUCCESS && k.data) {
        code = scatter_first_ranks(c, &k, each);
    }
    /* the root has its node's blocks; on other nodes the first rank has them */
    if (code == MPI_SUCCESS) {
        *differs =
            c->node == k.end_node ? scatter_own(c, b, root) : scatter_from_first(c, b, k.data);
    }
    free(k.buffer);
    return code;
}

static int scatter_over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root,
                              int *differs)
{
    if (c->nnodes > HITOP_NODES_MOST) {
        return scatter_along_tree(c, b, root, differs);
    }
    if (c->rank == root) {
        return send_down(c, b, differs);
    }
    if (c->node == c->node_of[root]) {
        *differs = scatter_own(c, b, root);
        return MPI_SUCCESS;
    }
    if (c->local == 0) {
        return pass_down(c, b, root, differs);
    }
    *differs = scatter_from_first(c, b, NULL);
    return MPI_SUCCESS;
}

const struct serve hitop_serve_scatter = {.can = hitop_serve_blocks_can,
                                          .run = hitop_serve_blocks_run,
                                          .blocks_on_node = scatter_on_node,
                                          .blocks_over_nodes = scatter_over_nodes};

/*
 * Start sends to the nodes below `place`, longest branches first. `data` and `starts` have the
 * places from `place` (the root: from 1) to end - 1.
 */
static int start_branches(struct hitop_comm *c, struct sending *s, int place, int end, int root,
                          const unsigned char *data, const size_t *starts)
{
    const size_t most = (size_t)(end - place);
    int *children = hitop_comm_memory(c, most * sizeof(*children)), n = 0, code = MPI_SUCCESS;

    *s = (struct sending){hitop_comm_memory(c, most * sizeof(*s->request)), 0};
    for (int next = place + 1; next < end; next = hitop_packed_branch_end(data + starts[next])) {
        children[n++] = next;
    }
    while (n-- > 0 && code == MPI_SUCCESS) {
        const size_t from = starts[children[n]];

        code = start(c, s, data + from, starts[hitop_packed_branch_end(data + from)] - from,
                     packed_leader(c, children[n], root));
    }
    free(children);
    return code;
}

/* Is the block of `rank` sent by itself? */
static int is_separate(const struct hitop_comm *c, const struct hitop_node_blocks *from, int rank,
                       const unsigned char **block, size_t *bytes)
{
    const struct hitop_node_block b = hitop_node_block(from, rank);

    *block = b.at;
    *bytes = b.bytes;
    return c->node_of[rank] != c->node && hitop_packed_is_separate(c, *bytes);
}

/*
 * Send long blocks after all packed blocks, all concurrently, so that none waits for a late rank.
 */
static int send_long(struct hitop_comm *c, const struct hitop_node_blocks *from)
{
    struct sending s = {NULL, 0};
    const unsigned char *block;
    size_t n, messages = 0;
    int code = MPI_SUCCESS;

    for (int r = 0; r < c->size; r++) {
        messages += is_separate(c, from, r, &block, &n) ? hitop_packed_messages(c, n) : 0;
    }
    if (messages == 0) {
        return MPI_SUCCESS;
    }
    s.request = hitop_comm_memory(c, messages * sizeof(*s.request));
    for (int r = 0; r < c->size && code == MPI_SUCCESS; r++) {
        if (is_separate(c, from, r, &block, &n)) {
            code = hitop_packed_start_separate(c, block, n, r, s.request + s.n);
            s.n += (int)hitop_packed_messages(c, n);
        }
    }
    code = finish(&s, code);
    free(s.request);
    return code;
}

static int send_down_packed(struct hitop_comm *c, const struct serve_blocks *b, int *differs)
{
    size_t *starts = hitop_comm_memory(c, ((size_t)c->nnodes + 1) * sizeof(*starts));
    unsigned char *packed_blocks = hitop_packed_branches_pack(c, &b->blocks, c->rank, starts);
    struct sending s;
    int code = start_branches(c, &s, 0, c->nnodes, c->rank, packed_blocks, starts);

    if (code == MPI_SUCCESS) {
        *differs = scatter_own(c, b, c->rank);
        code = send_long(c, &b->blocks);
    }
    code = finish(&s, code);
    free(s.request);
    free(packed_blocks);
    free(starts);
    return code;
}

/*
 * The first rank of another node forwards what it gets, scatters its node's packed blocks, and
 * copies its own to `mine`.
 */
static int pass_down_packed(struct hitop_comm *c, unsigned char *mine, size_t bytes, int root)
{
    const int place = packed_place(c, c->node, root);
    size_t *starts = hitop_comm_memory(c, ((size_t)c->nnodes + 1) * sizeof(*starts));
    size_t *of_node = hitop_comm_memory(c, ((size_t)c->nlocal + 1) * sizeof(*of_node));
    struct packed_blocks got = {.data = NULL};
    struct sending s = {NULL, 0};
    /* the root or a node above sends the packed blocks */
    int code = hitop_packed_receive(c, MPI_ANY_SOURCE, &got);

    if (code == MPI_SUCCESS) {
        hitop_packed_branch_starts(c, got.data, place, root, starts, of_node);
        code =
            start_branches(c, &s, place, hitop_packed_branch_end(got.data), root, got.data, starts);
    }
    if (code == MPI_SUCCESS) {
        const struct hitop_node_blocks own = {.base = got.data, .starts = of_node};

        (void)hitop_serve_node_scatter(c, &own, mine, bytes, 0);
    }
    code = finish(&s, code);
    free(s.request);
    free(got.data);
    free(of_node);
    free(starts);
    return code;
}

/*
 * Another node: receive a packed block into memory for the expected length; the packed block begins
 * with the real length.
 */
static int receive_packed(struct hitop_comm *c, const struct serve_blocks *b, int root,
                          int *differs)
{
    static const struct hitop_node_blocks none;
    const size_t bytes = hitop_packed_bytes(c, b->bytes);
    unsigned char *packed = hitop_comm_memory(c, bytes);
    int code = MPI_SUCCESS, cut = 0;

    if (c->local == 0) {
        code = pass_down_packed(c, packed, bytes, root);
    } else {
        (void)hitop_serve_node_scatter(c, &none, packed, bytes, 0);
    }
    if (code == MPI_SUCCESS) {
        cut = hitop_packed_length(c, packed) > bytes;
        code = cut ? MPI_SUCCESS : hitop_packed_open(c, packed, root, b->mine, b->bytes, differs);
    }
    *differs |= cut;
    free(packed);
    return code;
}

static int scatterv_over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root,
                               int *differs)
{
    if (c->rank == root) {
        return send_down_packed(c, b, differs);
    }
    if (c->node != c->node_of[root]) {
        return receive_packed(c, b, root, differs);
    }
    *differs = scatter_own(c, b, root);
    return MPI_SUCCESS;
}

const struct serve hitop_serve_scatterv = {.can = hitop_serve_blocks_can,
                                           .run = hitop_serve_blocks_run,
                                           .blocks_on_node = scatter_on_node,
                                           .blocks_over_nodes = scatterv_over_nodes};
