/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_alltoall_mpi.c - MPI_Alltoall: on a node in shared memory; short blocks over nodes go through the first rank of each,
 * so that nodes exchange one message where ranks would exchange many.
 */
#include <config.h>

#include "coll/twolevel/serve_blocks_mpi.h"
#include "coll/twolevel/serve_nodes_mpi.h"

#include "coll/runtime/types_mpi.h"

#include <stdlib.h>
#include <string.h>

/* What a first rank has: all blocks from its node and all blocks for it, as ranks and as nodes have them in turns. */
struct room {
    unsigned char *by_rank, *by_node;
};

/* Of each rank of this node all blocks, to those for each node. */
static void pack(const struct hitop_comm *c, const struct room *room, size_t each)
{
    const size_t row = (size_t)c->size * each;
    unsigned char *to = room->by_node;

    hitop_wait_charge((size_t)c->nlocal * row);
    for (int k = 0; k < c->nnodes; k++) {
        const size_t start = (size_t)c->first_of[k] * each;
        const size_t bytes = (size_t)serve_nodes_end(c, k) * each - start;

        for (int l = 0; l < c->nlocal; l++) {
            memcpy(to, room->by_rank + (size_t)l * row + start, bytes);
            to += bytes;
        }
    }
}

/* Of the ranks of each node blocks for this one, to those for each rank. */
static void unpack(const struct hitop_comm *c, const struct room *room, size_t each)
{
    const unsigned char *from = room->by_node;

    hitop_wait_charge((size_t)c->nlocal * (size_t)c->size * each);
    for (int r = 0; r < c->size; r++) { /* nodes are runs of ranks */
        for (int l = 0; l < c->nlocal; l++) {
            memcpy(room->by_rank + ((size_t)l * (size_t)c->size + (size_t)r) * each, from, each);
            from += each;
        }
    }
}

/* As many bytes go from one node to another as come from there. */
static int exchange(struct hitop_comm *c, struct room *room, size_t each)
{
    const struct hitop_node_blocks for_rank = {.each = (size_t)c->nlocal * each};
    unsigned char *got = room->by_rank;
    int *counts, code = MPI_ERR_NO_MEM;

    pack(c, room, each);
    if (c->nodes_are_even) { /* MPI knows more ways for these */
        const int n = (int)(for_rank.each * (size_t)c->nlocal);
        code = PMPI_Alltoall(room->by_node, n, MPI_BYTE, got, n, MPI_BYTE, c->leaders);
    } else if ((counts = hitop_serve_nodes_counts(c, &for_rank))) {
        const int *starts = counts + c->nnodes;
        code = PMPI_Alltoallv(room->by_node, counts, starts, MPI_BYTE, got, counts, starts,
                              MPI_BYTE, c->leaders);
        free(counts);
    }
    room->by_rank = room->by_node;
    room->by_node = got;
    unpack(c, room, each);
    return code;
}

static int over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    const size_t each = b->blocks.each, row = (size_t)c->size * each;
    const size_t bytes = (size_t)c->nlocal * row;
    unsigned char *memory = c->local == 0 ? malloc(2 * bytes) : NULL;
    struct room room = {memory, memory + (memory ? bytes : 0)};
    struct hitop_node_blocks rows = {.base = room.by_rank, .each = row};
    int code = MPI_SUCCESS;

    (void)root;
    if (c->local == 0 && !memory) { /* its node waits for it */
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        *differs = hitop_node_gather(&c->shared, b->mine, row, &rows, 0);
    } else {
        *differs = hitop_serve_blocks_keep(&rows, b->mine, row);
    }
    if (c->local == 0) {
        code = exchange(c, &room, each);
        rows.base = room.by_rank;
    }
    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        *differs |= hitop_node_scatter(&c->shared, &rows, b->blocks.base, row, 0);
    } else {
        *differs |= hitop_serve_blocks_fetch(&rows, b->blocks.base, row);
    }
    free(memory);
    return code;
}

static int on_node(struct hitop_node *node, const struct serve_blocks *b, int root)
{
    (void)root;
    return hitop_node_alltoall(node, b->mine, b->blocks.base, b->blocks.each, b->in_place);
}

/* All blocks from a node and all for it are in the memory of its first rank. */
static int pays_over_nodes(const struct hitop_comm *c, const struct call *call)
{
    const size_t each = (size_t)call->recv.count * hitop_type_size(call->recv.type);

    return c->nnodes < c->size && each <= HITOP_NODES_EXCHANGE_TO && serve_nodes_pay(c, 0, 1) &&
           serve_nodes_can(c, (size_t)c->nodes_most * (size_t)c->size * each) &&
           hitop_serve_blocks_can(c, call);
}

static int can(const struct hitop_comm *c, const struct call *call)
{
    return c->nnodes == 1 ? c->nodes_have_lanes : pays_over_nodes(c, call);
}

static int run(struct hitop_comm *c, const struct call *call)
{
    static const struct serve_blocks_way way = {on_node, over_nodes};

    return hitop_serve_blocks_run(c, call, &way);
}

const struct serve hitop_serve_alltoall = {can, run};
