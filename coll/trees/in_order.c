/* SPDX-License-Identifier: BSD-3-Clause */
/* in_order.c - a subtree's ranks are consecutive when the first to the last are as many as it has. */
#include <config.h>

#include "in_order.h"

#include <stdlib.h>

/* What is known of a subtree. */
struct extent {
    int first, last; /* its lowest and its highest rank */
    int count;
};

enum hitop_status hitop_find_in_order(int size, const int *parent, const int *order, int *in_order,
                                      struct hitop_diag *diag)
{
    struct extent *at = calloc((size_t)size, sizeof(*at));

    if (!at) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "tree over %d ranks: out of memory", size);
    }
    for (int r = 0; r < size; r++) {
        at[r] = (struct extent){r, r, 1};
    }
    *in_order = 1;
    for (int i = size - 1; i > 0; i--) { /* children come before their parents */
        const struct extent *below = &at[order[i]];
        struct extent *above = &at[parent[order[i]]];
        above->first = below->first < above->first ? below->first : above->first;
        above->last = below->last > above->last ? below->last : above->last;
        above->count += below->count;
        *in_order = *in_order && below->last - below->first + 1 == below->count;
    }
    free(at);
    return HITOP_OK;
}
