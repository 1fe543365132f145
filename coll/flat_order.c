/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flat_order.c - who is quick to serve.
 *
 * Source:  CPM's sorted flat scatterv and gatherv, which serve in this order, or from its end.
 */
#include <config.h>

#include "hitop/closed_form.h"

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

enum hitop_status hitop_flat_order(const struct hitop_model *model, int root, const size_t *blocks,
                                   int *order, struct hitop_diag *diag)
{
    const int nranks = hitop_model_nranks(model);
    struct served *others;
    int n = 0;

    if (root < 0 || root >= nranks) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "flat order: root %d is not in 0..%d", root,
                          nranks - 1);
    }
    others = calloc((size_t)nranks, sizeof(*others));
    if (!others) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "flat order: out of memory");
    }
    for (int rank = 0; rank < nranks; rank++) {
        if (rank != root) {
            others[n++] = (struct served){rank, hitop_model_p2p(model, root, rank, blocks[rank])};
        }
    }
    qsort(others, (size_t)n, sizeof(*others), compare);
    for (int i = 0; i < n; i++) {
        order[i] = others[i].rank;
    }
    free(others);
    return HITOP_OK;
}
