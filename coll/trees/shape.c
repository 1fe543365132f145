/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.c - turn a formula over virtual ranks so that the root comes first. */
#include <config.h>

#include "coll/trees/shape.h"

#include "coll/trees/order.h"

enum hitop_status hitop_shape_build(const struct hitop_tree_args *args, const double *params,
                                    int (*up)(const double *params, int size, int v), int *parent,
                                    int *order, struct hitop_diag *diag)
{
    const int n = args->size;

    parent[args->root] = HITOP_NO_RANK;
    for (int v = 1; v < n; v++) {
        /* long: v + root reaches 2n - 2 */
        const long place = ((long)v + args->root) % n;
        const long above = ((long)up(params, n, v) + args->root) % n;
        parent[place] = (int)above;
    }
    return hitop_order_by_size(n, args->root, parent, order, diag);
}
