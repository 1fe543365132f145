/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.c - build trees from a formula over virtual ranks, in which the root is virtual rank 0. */
#include <config.h>

#include "coll/trees/shape.h"

#include <stdlib.h>

struct vertex {
    int rank, distance; /* distance: from the root upwards, cyclically */
    int weight;         /* ranks in the subtree */
};

static int compare(const void *a, const void *b)
{
    const struct vertex *x = a, *y = b;

    if (x->weight != y->weight) {
        return x->weight > y->weight ? -1 : 1;
    }
    return (x->distance > y->distance) - (x->distance < y->distance);
}

enum hitop_status hitop_order_by_size(const struct hitop_tree_args *args, const int *parent,
                                      int *order, struct hitop_diag *diag)
{
    const int n = args->size;
    struct vertex *at = calloc((size_t)n, sizeof(*at));

    if (!at) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "tree order: out of memory");
    }
    for (int r = 0; r < n; r++) {
        at[r] = (struct vertex){r, r - args->root + (r < args->root ? n : 0), 1};
    }
    for (int i = n - 1; i > 0; i--) {
        at[parent[order[i]]].weight += at[order[i]].weight;
    }
    qsort(at, (size_t)n, sizeof(*at), compare); /* a parent has a larger weight than its children */
    for (int i = 0; i < n; i++) {
        order[i] = at[i].rank;
    }
    free(at);
    return HITOP_OK;
}

enum hitop_status hitop_shape_build(const struct hitop_tree_args *args, const double *params,
                                    int (*up)(const double *params, int size, int v), int *parent,
                                    int *order, struct hitop_diag *diag)
{
    const int n = args->size;

    for (int v = 0; v < n; v++) {
        order[v] = (int)(((long)v + args->root) % n); /* long: v + root reaches 2n - 2 */
        parent[order[v]] = v > 0 ? order[up(params, n, v)] : HITOP_NO_RANK;
    }
    return hitop_order_by_size(args, parent, order, diag);
}
