/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tree_binary_in_order.c - a binary tree that keeps the order of the ranks, for any root.
 *
 * Idea:   each subtree is an interval of ranks, led by the rank in its middle. The root divides
 *         the others into the lower and the higher ranks; each other rank does the same with its
 *         interval.
 * Cost:   depth at most 1 + floor(log2 n); every inner rank sends twice at most.
 * Use:    reductions with operations that do not commute; segmented messages of medium length.
 *
 *         n = 8, root 2          2
 *                               / \
 *                              5   1     2 sends to 5 first: the larger interval
 *                             / \   \
 *                            4   7   0
 *                            |   |
 *                            3   6
 */
#include <config.h>

#include "hitop/sys/tree.h"

#include <stdlib.h>

/* The ranks first .. last - 1 of a subtree. */
struct interval {
    int first, last;
};

/* Attach the middle rank of an interval below `up`, as the next one in order[]. */
static void attach(struct interval ranks, int up, struct interval *below, int *parent, int *order,
                   int *norder)
{
    const int middle = ranks.first + (ranks.last - ranks.first) / 2;

    if (ranks.first < ranks.last) {
        parent[middle] = up;
        below[middle] = ranks;
        order[(*norder)++] = middle;
    }
}

static enum hitop_status binary_in_order_build(const struct hitop_tree_args *args,
                                               const double *params, int *parent, int *order,
                                               struct hitop_diag *diag)
{
    struct interval *below = calloc((size_t)args->size, sizeof(*below)); /* its subtree */
    int norder = 0;

    (void)params;
    if (!below) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "binary_in_order: out of memory");
    }
    parent[args->root] = HITOP_NO_RANK;
    below[args->root] = (struct interval){0, args->size};
    order[norder++] = args->root;
    for (int i = 0; i < norder; i++) {
        const int rank = order[i];
        const struct interval low = {below[rank].first, rank}, high = {rank + 1, below[rank].last};
        const int low_first = low.last - low.first >= high.last - high.first;
        attach(low_first ? low : high, rank, below, parent, order, &norder);
        attach(low_first ? high : low, rank, below, parent, order, &norder);
    }
    free(below);
    return HITOP_OK;
}

const struct hitop_tree_builder hitop_tree_binary_in_order = {
    .name = "binary_in_order",
    .summary = "binary tree whose subtrees are intervals of ranks",
    .build = binary_in_order_build,
};
