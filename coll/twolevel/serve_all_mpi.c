/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_all_mpi.c - MPI_Barrier, MPI_Allgather(v), MPI_Alltoall: operations without a root.
 *
 * One node uses shared memory. With several nodes the first ranks gather from their nodes, exchange
 * the data and pass them down, so that two nodes exchange one message instead of one for each pair
 * of their ranks.
 */
#include <config.h>

#include "coll/runtime/types_mpi.h"
#include "coll/twolevel/serve_mpi.h"

#include <stdlib.h>
#include <string.h>

static int can_barrier(const struct hitop_comm *c, const struct call *call)
{
    (void)call;
    return c->nodes_have_outboxes && serve_nodes_pay(c, 0, 1);
}

static int barrier(struct hitop_comm *c, const struct call *call, const struct serve *serve)
{
    const struct hitop_node_blocks nothing = {.base = NULL};
    unsigned char go = 1;
    int code = MPI_SUCCESS;

    (void)call;
    (void)serve;
    if (c->nnodes == 1) {
        hitop_node_begin(&c->shared);
        hitop_node_barrier(&c->shared);
        return MPI_SUCCESS;
    }
    (void)hitop_serve_node_gather(c, NULL, 0, &nothing, 0);
    if (c->local == 0) {
        code = PMPI_Barrier(c->leaders);
    }
    hitop_serve_node_share(c, &go, 1);
    return code;
}

const struct serve hitop_serve_barrier = {.can = can_barrier, .run = barrier};

/* The blocks of all ranks without gaps, in the order of ranks, as they are sent. */
struct packed {
    struct hitop_node_blocks blocks;
    size_t *starts;        /* NULL: all blocks have one length */
    unsigned char *buffer; /* NULL: the user's memory has this layout already */
};

/*
 * Blocks of one length have the layout already. Blocks with displacements have it or not; if not,
 * allocate memory for a copy.
 */
static void pack(const struct hitop_comm *c, const struct hitop_node_blocks *from, struct packed *p)
{
    unsigned char *const first = hitop_node_block(from, 0).at;
    int is_contiguous = 1;

    *p = (struct packed){.blocks = *from};
    if (!from->counts) {
        return;
    }
    p->starts = hitop_comm_memory(c, ((size_t)c->size + 1) * sizeof(*p->starts));
    p->starts[0] = 0;
    for (int r = 0; r < c->size; r++) {
        const struct hitop_node_block block = hitop_node_block(from, r);

        is_contiguous &= block.at == first + p->starts[r];
        p->starts[r + 1] = p->starts[r] + block.bytes;
    }
    p->buffer = is_contiguous ? NULL : hitop_comm_memory(c, p->starts[c->size] + 1);
    p->blocks =
        (struct hitop_node_blocks){.base = is_contiguous ? first : p->buffer, .starts = p->starts};
}

static void unpack(const struct hitop_comm *c, const struct packed *p,
                   const struct hitop_node_blocks *to)
{
    for (int r = 0; p->buffer && r < c->size; r++) {
        const struct hitop_node_block block = hitop_node_block(to, r);

        memcpy(block.at, p->buffer + p->starts[r], block.bytes);
    }
}

/* Exchange the nodes' blocks, so that every node has all blocks. */
static int exchange(struct hitop_comm *c, const struct hitop_node_blocks *blocks)
{
    int *counts, code;

    if (c->nodes_are_even && !blocks->starts) { /* MPI has more algorithms for equal counts */
        return PMPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, blocks->base,
                              (int)(blocks->each * (size_t)c->nlocal), MPI_BYTE, c->leaders);
    }
    counts = hitop_serve_nodes_counts(c, blocks);
    code = PMPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, blocks->base, counts,
                           counts + c->nnodes, MPI_BYTE, c->leaders);
    free(counts);
    return code;
}

static int allgather_over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root,
                                int *differs)
{
    struct hitop_node_blocks own;
    struct packed p;
    size_t all;
    int code;

    (void)root;
    pack(c, &b->blocks, &p);
    own = hitop_serve_blocks_of_node(c, &p.blocks, c->node);
    all = p.blocks.starts ? p.blocks.starts[c->size] : (size_t)c->size * p.blocks.each;
    *differs = hitop_serve_node_gather(c, b->mine, b->bytes, &own, 0);
    code = c->local == 0 ? exchange(c, &p.blocks) : MPI_SUCCESS;
    if (all > 0) {
        hitop_serve_node_share(c, p.blocks.base, all);
    }
    unpack(c, &p, &b->blocks);
    free(p.buffer);
    free(p.starts);
    return code;
}

static int allgather_on_node(struct hitop_node *node, const struct serve_blocks *b, int root)
{
    (void)root;
    return hitop_node_allgather(node, b->mine, b->bytes, &b->blocks);
}

const struct serve hitop_serve_allgather = {.can = hitop_serve_blocks_can,
                                            .run = hitop_serve_blocks_run,
                                            .blocks_on_node = allgather_on_node,
                                            .blocks_over_nodes = allgather_over_nodes};

/*
 * The memory of a node's first rank in an alltoall. Both parts have first all blocks from the node,
 * then all blocks to it: one ordered by the ranks of this node, the other by nodes.
 */
struct exchange {
    unsigned char *by_rank, *by_node;
};

/* Reorder the blocks from this node, from an order by sending rank to one by receiving node. */
static void rows_to_nodes(const struct hitop_comm *c, const struct exchange *exchange, size_t each)
{
    const size_t row = (size_t)c->size * each;
    unsigned char *to = exchange->by_node;

    hitop_wait_charge((size_t)c->nlocal * row);
    for (int k = 0; k < c->nnodes; k++) {
        const size_t start = (size_t)c->first_of[k] * each;
        const size_t bytes = (size_t)serve_nodes_end(c, k) * each - start;

        for (int l = 0; l < c->nlocal; l++) {
            memcpy(to, exchange->by_rank + (size_t)l * row + start, bytes);
            to += bytes;
        }
    }
}

/* Reorder the blocks for this node, from an order by sending node to one by receiving rank. */
static void nodes_to_rows(const struct hitop_comm *c, const struct exchange *exchange, size_t each)
{
    const unsigned char *from = exchange->by_node;

    hitop_wait_charge((size_t)c->nlocal * (size_t)c->size * each);
    for (int r = 0; r < c->size; r++) { /* nodes are runs of ranks */
        for (int l = 0; l < c->nlocal; l++) {
            memcpy(exchange->by_rank + ((size_t)l * (size_t)c->size + (size_t)r) * each, from,
                   each);
            from += each;
        }
    }
}

/* Exchange the rows; a node sends as many bytes to another node as it receives from there. */
static int exchange_rows(struct hitop_comm *c, struct exchange *exchange, size_t each)
{
    const struct hitop_node_blocks for_rank = {.each = (size_t)c->nlocal * each};
    unsigned char *got = exchange->by_rank;
    int code;

    rows_to_nodes(c, exchange, each);
    if (c->nodes_are_even) { /* MPI has more algorithms for equal counts */
        const int n = (int)(for_rank.each * (size_t)c->nlocal);
        code = PMPI_Alltoall(exchange->by_node, n, MPI_BYTE, got, n, MPI_BYTE, c->leaders);
    } else {
        int *counts = hitop_serve_nodes_counts(c, &for_rank);
        const int *starts = counts + c->nnodes;
        code = PMPI_Alltoallv(exchange->by_node, counts, starts, MPI_BYTE, got, counts, starts,
                              MPI_BYTE, c->leaders);
        free(counts);
    }
    exchange->by_rank = exchange->by_node;
    exchange->by_node = got;
    nodes_to_rows(c, exchange, each);
    return code;
}

static int alltoall_over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root,
                               int *differs)
{
    const size_t each = b->blocks.each, row = (size_t)c->size * each;
    const size_t bytes = (size_t)c->nlocal * row;
    unsigned char *memory = c->local == 0 ? hitop_comm_memory(c, 2 * bytes) : NULL;
    struct exchange exchange = {memory, memory + (memory ? bytes : 0)};
    struct hitop_node_blocks rows = {.base = exchange.by_rank, .each = row};
    int code = MPI_SUCCESS;

    (void)root;
    *differs = hitop_serve_node_gather(c, b->mine, row, &rows, 0);
    if (c->local == 0) {
        code = exchange_rows(c, &exchange, each);
        rows.base = exchange.by_rank;
    }
    *differs |= hitop_serve_node_scatter(c, &rows, b->blocks.base, row, 0);
    free(memory);
    return code;
}

static int alltoall_on_node(struct hitop_node *node, const struct serve_blocks *b, int root)
{
    (void)root;
    return hitop_node_alltoall(node, b->mine, b->blocks.base, b->blocks.each, b->in_place);
}

/*
 * With several nodes the first rank of a node needs memory for all blocks from its node, and as
 * much for all blocks to it.
 */
static int can_alltoall(const struct hitop_comm *c, const struct call *call)
{
    const size_t each = (size_t)call->recv.count * hitop_type_size(call->recv.type);

    if (c->nnodes == 1) {
        return c->nodes_have_outboxes;
    }
    return c->nnodes < c->size && each <= HITOP_NODES_EXCHANGE_TO && serve_nodes_pay(c, 0, 1) &&
           serve_nodes_can(c, (size_t)c->nodes_most * (size_t)c->size * each) &&
           hitop_serve_blocks_can(c, call);
}

const struct serve hitop_serve_alltoall = {.can = can_alltoall,
                                           .run = hitop_serve_blocks_run,
                                           .blocks_on_node = alltoall_on_node,
                                           .blocks_over_nodes = alltoall_over_nodes};
