/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flat_sort.c - who is quick to serve.
 *
 * Source: CPM's sorted flat scatterv and gatherv, which serve in this order, or from its end.
 */
#include <config.h>

#include "coll/trees/flat_sort.h"

#include "coll/trees/blocks.h"

#include <stdlib.h>

struct served {
    int rank;
    double seconds;
};

static int compare(const void *a, const void *b)
{
    const struct served *x = a, *y = b;

    if (x->seconds < y->seconds || x->seconds > y->seconds) {
        return x->seconds < y->seconds ? -1 : 1;
    }
    return (x->rank > y->rank) - (x->rank < y->rank);
}

enum hitop_status hitop_flat_sort(const struct hitop_tree_args *args, int *order,
                                  struct hitop_diag *diag)
{
    const struct hitop_cost *cost = args->cost;
    struct served *others = calloc((size_t)args->size, sizeof(*others));
    int n = 0;

    if (!others) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "flat order: out of memory");
    }
    for (int rank = 0; rank < args->size; rank++) {
        if (rank != args->root) {
            others[n++] = (struct served){
                rank, cost->p2p(cost->self, args->root, rank, block_of(args, rank))};
        }
    }
    qsort(others, (size_t)n, sizeof(*others), compare);
    for (int i = 0; i < n; i++) {
        order[i] = others[i].rank;
    }
    free(others);
    return HITOP_OK;
}
