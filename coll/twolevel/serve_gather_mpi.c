/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_gather_mpi.c - MPI_Gather and MPI_Gatherv.
 *
 * Gather: ranks post their blocks and return; the rank that arrives last on a node sends the node's
 * blocks to the root. With many nodes the first ranks form a tree.
 *
 * Gatherv: the same with packed blocks, because only the root knows all lengths. With many nodes
 * the nodes form a tree: the first rank of a node with others below it waits for them and combines
 * the packed blocks of the branch. A rank whose block is long sends it to the root itself. Only the
 * root knows whether blocks are short, so the tree serves all sizes: on 128 ranks of 32 simulated
 * hosts it takes 0.17 times as long as MPI's for 8 B, 0.77 for 1 KiB, 0.99 for 8 KiB, 1.03 for 64
 * KiB (bench/cluster/over_nodes.sh).
 */
#include <config.h>

#include "coll/twolevel/packed_block_mpi.h"
#include "coll/twolevel/serve_mpi.h"

#include <stdlib.h>
#include <string.h>

/* Gather on the root's node, where the root knows all lengths. */
static int gather_own(struct hitop_comm *c, const struct serve_blocks *b, int root)
{
    const struct hitop_node_blocks own =
        c->rank == root ? hitop_serve_blocks_of_node(c, &b->blocks, c->node) : b->blocks;

    return hitop_serve_node_gather(c, b->mine, b->bytes, &own, hitop_serve_nodes_local(c, root));
}

static int gather_on_node(struct hitop_node *node, const struct serve_blocks *b, int root)
{
    return hitop_node_gather(node, b->mine, b->bytes, &b->blocks, root);
}

/* Another node than the root's: gather on the node and send to the root. */
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
    all.base = hitop_comm_memory(c, bytes);
    *differs = hitop_node_gather(&c->shared, b->mine, b->bytes, &all, c->shared.me);
    code = hitop_serve_nodes_send(c, all.base, bytes, root);
    free(all.base);
    return code;
}

static int receive_nodes(struct hitop_comm *c, const struct serve_blocks *b)
{
    size_t starts[HITOP_NODES_MOST + 1];
    int code = MPI_SUCCESS;

    for (int k = 0; k < c->nnodes; k++) {
        starts[k] = (size_t)c->first_of[k] * b->blocks.each;
    }
    starts[c->nnodes] = (size_t)c->size * b->blocks.each;
    for (int k = 1; k < c->nnodes && code == MPI_SUCCESS; k++) {
        code = hitop_serve_nodes_receive_any(c, b->blocks.base, starts);
    }
    return code;
}

static int gather_first_ranks(struct hitop_comm *c, const struct leader_tree *k, size_t each)
{
    const struct hitop_node_blocks all = {.each = each};
    void *const from = k->is_end ? MPI_IN_PLACE : k->data;
    const int n = (int)(each * (size_t)c->nlocal);
    int *counts, code;

    if (c->nodes_are_even) { /* MPI has more algorithms for equal counts */
        return PMPI_Gather(from, n, MPI_BYTE, k->data, n, MPI_BYTE, k->end_node, c->leaders);
    }
    counts = hitop_serve_nodes_counts(c, &all);
    code = PMPI_Gatherv(from, n, MPI_BYTE, k->data, counts, counts + c->nnodes, MPI_BYTE,
                        k->end_node, c->leaders);
    free(counts);
    return code;
}

static int gather_along_tree(struct hitop_comm *c, const struct serve_blocks *b, int root,
                             int *differs)
{
    const size_t each = b->bytes, all = each * (size_t)c->size;
    struct hitop_node_blocks share = {.each = each};
    struct leader_tree k;
    int code = MPI_SUCCESS;

    hitop_leader_tree_open(c, &k, root, b->blocks.base, each * (size_t)c->nlocal, all);
    share.base = k.data;
    if (k.is_end) {
        share = hitop_serve_blocks_of_node(c, &share, c->node);
    }
    *differs = hitop_serve_node_gather(c, b->mine, each, &share, 0);
    if (k.data) {
        code = gather_first_ranks(c, &k, each);
    }
    if (code == MPI_SUCCESS) {
        code = hitop_leader_tree_move(c, &k, root, b->blocks.base, all, 1);
    }
    free(k.buffer);
    return code;
}

static int gather_over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root,
                             int *differs)
{
    if (c->nnodes > HITOP_NODES_MOST) {
        return gather_along_tree(c, b, root, differs);
    }
    if (c->node != c->node_of[root]) {
        return send_up(c, b, root, differs);
    }
    *differs = gather_own(c, b, root);
    return c->rank == root ? receive_nodes(c, b) : MPI_SUCCESS;
}

const struct serve hitop_serve_gather = {.can = hitop_serve_blocks_can,
                                         .run = hitop_serve_blocks_run,
                                         .blocks_on_node = gather_on_node,
                                         .blocks_over_nodes = gather_over_nodes};

/* The packed blocks of this node, at the rank that arrives last; the other ranks get none. */
static void collect_packed(struct hitop_comm *c, const unsigned char *packed, size_t bytes,
                           struct packed_blocks *out)
{
    static const struct hitop_node_blocks none;
    size_t *starts;
    struct hitop_node_blocks all = {.base = NULL};

    hitop_node_begin(&c->shared);
    if (!hitop_node_comes_last(&c->shared)) {
        (void)hitop_node_gather(&c->shared, packed, bytes, &none, HITOP_NODE_LAST);
        return;
    }
    starts = hitop_comm_memory(c, ((size_t)c->nlocal + 1) * sizeof(*starts));
    hitop_node_lengths(&c->shared, bytes, starts);
    all.starts = starts;
    all.base = hitop_comm_memory(c, starts[c->nlocal]);
    (void)hitop_node_gather(&c->shared, packed, bytes, &all, c->shared.me);
    *out = (struct packed_blocks){all.base, starts[c->nlocal], c->rank};
    free(starts);
}

/* Send the packed blocks of the whole branch, in the order of places, to the node above. */
static int send_branch(struct hitop_comm *c, const struct packed_blocks *parts, int nparts, int to)
{
    unsigned char *all;
    size_t bytes = 0, at = 0;
    int code;

    for (int i = 0; i < nparts; i++) {
        bytes += parts[i].bytes;
    }
    all = hitop_comm_memory(c, bytes);
    for (int i = 0; i < nparts; at += parts[i++].bytes) {
        memcpy(all + at, parts[i].data, parts[i].bytes);
    }
    code = hitop_serve_nodes_send(c, all, bytes, to);
    free(all);
    return code;
}

/* The rank to which this node sends its packed blocks and those of the nodes below it. */
static int rank_above(const struct hitop_comm *c, int root)
{
    const int place = packed_place(c, c->node, root);

    return packed_leader(c, hitop_packed_tree_parent(c->nnodes, place), root);
}

/*
 * The first rank of a node with other nodes below it: receive their packed blocks and send those of
 * the whole branch up. *own has the packed blocks of this node if this rank arrived there last, and
 * is freed here; otherwise the rank that arrived last sends them.
 */
static int pass_on(struct hitop_comm *c, struct packed_blocks *own, int root)
{
    struct packed_blocks parts[PACKED_CHILDREN + 1] = {*own}, got;
    int children[PACKED_CHILDREN], code = MPI_SUCCESS;
    const int n = hitop_packed_tree_children(c->nnodes, packed_place(c, c->node, root), children);

    own->data = NULL;
    for (int missing = n + !parts[0].data; missing > 0 && code == MPI_SUCCESS; missing--) {
        int i = 0;
        code = hitop_packed_receive(c, MPI_ANY_SOURCE, &got);
        if (code == MPI_SUCCESS && c->node_of[got.from] != c->node) {
            while (children[n - 1 - i] != packed_place(c, c->node_of[got.from], root)) {
                i++; /* children[] has falling places, parts[] rising ones */
            }
            i++;
        }
        parts[i] = got;
    }
    if (code == MPI_SUCCESS) {
        code = send_branch(c, parts, n + 1, rank_above(c, root));
    }
    for (int i = 0; i <= n; i++) {
        free(parts[i].data);
    }
    return code;
}

static int send_packed(struct hitop_comm *c, const unsigned char *packed, size_t bytes, int root)
{
    const int place = packed_place(c, c->node, root), first = c->first_of[c->node];
    const int passes_on = hitop_packed_tree_end(c->nnodes, place) > place + 1;
    struct packed_blocks own = {.data = NULL};
    int code = MPI_SUCCESS;

    if (c->nlocal > 1) {
        collect_packed(c, packed, bytes, &own);
    } else if (passes_on) {
        own = (struct packed_blocks){hitop_comm_memory(c, bytes), bytes, c->rank};
        memcpy(own.data, packed, bytes);
    } else {
        return hitop_serve_nodes_send(c, packed, bytes, rank_above(c, root));
    }
    if (passes_on && c->rank == first) {
        code = pass_on(c, &own, root);
    } else if (own.data) {
        code =
            hitop_serve_nodes_send(c, own.data, own.bytes, passes_on ? first : rank_above(c, root));
    }
    free(own.data);
    return code;
}

/* Another node than the root's: send a packed block, and then a long block by itself. */
static int send_up_packed(struct hitop_comm *c, const struct serve_blocks *b, int root)
{
    const size_t bytes = hitop_packed_bytes(c, b->bytes);
    unsigned char *packed = hitop_comm_memory(c, bytes);
    int code;

    hitop_packed_pack(c, packed, b->mine, b->bytes);
    code = send_packed(c, packed, bytes, root);
    free(packed);
    if (code == MPI_SUCCESS && hitop_packed_is_separate(c, b->bytes)) {
        code = hitop_packed_send_separate(c, b->mine, b->bytes, root);
    }
    return code;
}

/* The root: receive the packed blocks of any one branch. */
static int receive_branch(struct hitop_comm *c, const struct serve_blocks *b, int root,
                          int *differs)
{
    struct packed_blocks got;
    const unsigned char *p;
    int code = hitop_packed_receive(c, MPI_ANY_SOURCE, &got), place;

    if (code != MPI_SUCCESS) {
        free(got.data);
        return code;
    }
    p = got.data;
    place = packed_place(c, c->node_of[got.from], root);
    for (const int end = hitop_packed_tree_end(c->nnodes, place); place < end; place++) {
        const int node = packed_node(c, place, root);
        for (int r = c->first_of[node]; r < serve_nodes_end(c, node) && code == MPI_SUCCESS; r++) {
            const struct hitop_node_block block = hitop_node_block(&b->blocks, r);

            code = hitop_packed_open(c, p, r, block.at, block.bytes, differs);
            p += hitop_packed_length(c, p);
        }
    }
    free(got.data);
    return code;
}

static int gatherv_over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root,
                              int *differs)
{
    int children[PACKED_CHILDREN], code = MPI_SUCCESS;

    if (c->node != c->node_of[root]) {
        return send_up_packed(c, b, root);
    }
    *differs = gather_own(c, b, root);
    if (c->rank == root) {
        int k = hitop_packed_tree_children(c->nnodes, 0, children);

        while (k-- > 0 && code == MPI_SUCCESS) {
            code = receive_branch(c, b, root, differs);
        }
    }
    return code;
}

const struct serve hitop_serve_gatherv = {.can = hitop_serve_blocks_can,
                                          .run = hitop_serve_blocks_run,
                                          .blocks_on_node = gather_on_node,
                                          .blocks_over_nodes = gatherv_over_nodes};
