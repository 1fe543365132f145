/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * serve_allgather_mpi.c - MPI_Allgather and MPI_Allgatherv: the first ranks of nodes gather from theirs, exchange what they
 * have and hand it down.
 */
#include <config.h>

#include "coll/twolevel/serve_blocks_mpi.h"
#include "coll/twolevel/serve_nodes_mpi.h"

#include <stdlib.h>
#include <string.h>

/* The blocks of all ranks one after another, as they travel. */
struct packed {
    struct hitop_node_blocks blocks;
    size_t *starts;      /* NULL: all have one length */
    unsigned char *room; /* NULL: they lie so in the user's memory */
};

/* Even blocks and packed copies lie so already; of others what the program says of their places decides. */
static int pack(const struct hitop_comm *c, const struct hitop_node_blocks *from, struct packed *p)
{
    size_t bytes;
    unsigned char *first;
    int lie_packed = 1;

    *p = (struct packed){.blocks = *from};
    if (!from->counts) {
        return 1;
    }
    first = hitop_node_block(from, 0, &bytes);
    p->starts = malloc(((size_t)c->size + 1) * sizeof(*p->starts));
    if (!p->starts) {
        return 0;
    }
    p->starts[0] = 0;
    for (int r = 0; r < c->size; r++) {
        lie_packed &= hitop_node_block(from, r, &bytes) == first + p->starts[r];
        p->starts[r + 1] = p->starts[r] + bytes;
    }
    p->room = lie_packed ? NULL : malloc(p->starts[c->size] + 1);
    p->blocks =
        (struct hitop_node_blocks){.base = lie_packed ? first : p->room, .starts = p->starts};
    return lie_packed || p->room;
}

static void unpack(const struct hitop_comm *c, const struct packed *p,
                   const struct hitop_node_blocks *to)
{
    for (int r = 0; p->room && r < c->size; r++) {
        size_t bytes;
        unsigned char *at = hitop_node_block(to, r, &bytes);

        memcpy(at, p->room + p->starts[r], bytes);
    }
}

static size_t start_of(const struct packed *p, int rank)
{
    return p->blocks.starts ? p->blocks.starts[rank] : (size_t)rank * p->blocks.each;
}

static int exchange(struct hitop_comm *c, const struct packed *p)
{
    int *counts, code = MPI_ERR_NO_MEM;

    if (c->nodes_are_even && !p->blocks.starts) { /* MPI knows more ways for these */
        return PMPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, p->blocks.base,
                              (int)(p->blocks.each * (size_t)c->nlocal), MPI_BYTE, c->leaders);
    }
    counts = hitop_serve_nodes_counts(c, &p->blocks);
    if (counts) {
        code = PMPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, p->blocks.base, counts,
                               counts + c->nnodes, MPI_BYTE, c->leaders);
    }
    free(counts);
    return code;
}

static int go_over_nodes(struct hitop_comm *c, const struct serve_blocks *b, const struct packed *p,
                         int *differs)
{
    const struct hitop_node_blocks own = hitop_serve_blocks_of_node(c, &p->blocks, c->node);
    int code = MPI_SUCCESS;

    if (c->nlocal > 1) {
        hitop_node_begin(&c->shared);
        *differs = hitop_node_gather(&c->shared, b->mine, b->bytes, &own, 0);
    } else {
        *differs = hitop_serve_blocks_keep(&own, b->mine, b->bytes);
    }
    if (c->local == 0) {
        code = exchange(c, p);
    }
    if (start_of(p, c->size) > 0) {
        hitop_serve_nodes_hand_down(c, p->blocks.base, start_of(p, c->size));
    }
    return code;
}

static int over_nodes(struct hitop_comm *c, const struct serve_blocks *b, int root, int *differs)
{
    struct packed p;
    int code = MPI_ERR_NO_MEM;

    (void)root;
    if (pack(c, &b->blocks, &p)) {
        code = go_over_nodes(c, b, &p, differs);
        unpack(c, &p, &b->blocks);
    } else { /* the others wait for it */
        hitop_trouble_abort(c->wire, "out of memory");
    }
    free(p.room);
    free(p.starts);
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

    return hitop_serve_blocks_run(c, call, &way);
}

const struct serve hitop_serve_allgather = {hitop_serve_blocks_can, run};
