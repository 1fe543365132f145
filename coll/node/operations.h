/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_OPERATIONS_H
#define HITOP_NODE_OPERATIONS_H

/*
 * operations.h - collectives other than broadcasts among the processes that share a segment.
 *
 * hitop_node_begin() precedes each call, in all processes alike. Of a rooted operation only the root waits for others;
 * what they bring is deposited, and they leave, unless their lane is full of what nobody has taken yet. Lengths are the
 * same in all processes where they are not said per process; where one brings another length than was expected of
 * it, the shorter counts and whoever notices returns 1, all others 0. No process is left waiting for that.
 */

#include "coll/node/node.h"

/* How two operands become one. Elements are never divided. */
struct hitop_combine {
    /* later = earlier op later, `bytes` a multiple of unit; memory is aligned as the elements are */
    void (*run)(void *context, const void *earlier, void *later, size_t bytes);
    void *context;
    size_t unit;  /* bytes of an element, 1 to HITOP_NODE_UNIT */
    int is_alike; /* a op b and b op a have the same bits, though maybe not those of NaNs */
};

enum { HITOP_NODE_UNIT = 4096 };

/*
 * Blocks of the processes in the memory of one: `each` bytes one after another, or from starts[r] to starts[r + 1], or
 * counts[r] units at displs[r] units.
 */
struct hitop_node_blocks {
    unsigned char *base;
    size_t each;
    const size_t *starts;
    const int *counts, *displs;
    size_t unit;
};

static inline unsigned char *hitop_node_block(const struct hitop_node_blocks *b, int rank,
                                              size_t *bytes)
{
    if (b->starts) {
        *bytes = b->starts[rank + 1] - b->starts[rank];
        return b->base + b->starts[rank];
    }
    if (b->counts) {
        *bytes = (size_t)b->counts[rank] * b->unit;
        return b->base + (ptrdiff_t)b->displs[rank] * (ptrdiff_t)b->unit;
    }
    *bytes = b->each;
    return b->base + (size_t)rank * b->each;
}

void hitop_node_barrier(struct hitop_node *node);

/*
 * Reductions and gathers to whoever comes last, who then need not wait for anybody: each process asks once whether that is
 * itself, which then passes its own rank as root; all others pass HITOP_NODE_LAST. hitop_node_last() is the rank of the last
 * one, or HITOP_NODE_LAST while it has not come.
 */
int hitop_node_comes_last(struct hitop_node *node);
int hitop_node_last(const struct hitop_node *node);

/*
 * Combine `mine` of all processes in the order of their ranks, whoever comes first: a[0] op (a[1] op (...)). The result
 * has the same bits in all processes. `mine` may be `result`. bytes > 0.
 */
int hitop_node_allreduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         const struct hitop_combine *combine);
int hitop_node_reduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                      int root, const struct hitop_combine *combine);

/*
 * Blocks to one process, from one, to all, from each to each. Of blocks that are not even some may be empty. `mine`, the
 * process's own block, may be where it goes to or comes from.
 */
int hitop_node_gather(struct hitop_node *node, const void *mine, size_t bytes,
                      const struct hitop_node_blocks *to, int root);
/* Whoever has come last to a gather with `bytes`, before it gathers: where the blocks of all begin one after another. */
void hitop_node_lengths(struct hitop_node *node, size_t bytes, size_t *starts);
int hitop_node_scatter(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                       size_t bytes, int root);
int hitop_node_allgather(struct hitop_node *node, const void *mine, size_t bytes,
                         const struct hitop_node_blocks *to);
/* each > 0 bytes from each to each; in_place, the same in all processes: `from` may be `to` */
int hitop_node_alltoall(struct hitop_node *node, const void *from, void *to, size_t each,
                        int in_place);

#endif /* HITOP_NODE_OPERATIONS_H */
