/* SPDX-License-Identifier: BSD-3-Clause */
/* parcel_tree.c - see parcel_tree.h. */
#include <config.h>

#include "coll/twolevel/parcel_tree.h"

#include "coll/node/thresholds.h"
#include "coll/twolevel/exchange.h"

_Static_assert((int)HITOP_NODES_MOST <= (int)PARCEL_CHILDREN + 1,
               "a root has room for its children");

static int is_flat(int nnodes)
{
    return nnodes <= HITOP_NODES_MOST;
}

int hitop_parcel_tree_parent(int nnodes, int place)
{
    return is_flat(nnodes) ? 0 : hitop_scatter_parent(place);
}

int hitop_parcel_tree_children(int nnodes, int place, int *children)
{
    if (!is_flat(nnodes)) {
        return hitop_scatter_children(nnodes, place, children);
    }
    for (int i = 1; place == 0 && i < nnodes; i++) {
        children[i - 1] = i;
    }
    return place == 0 ? nnodes - 1 : 0;
}

int hitop_parcel_tree_end(int nnodes, int place)
{
    const struct hitop_block branch = hitop_scatter_block(nnodes, place);

    return place == 0 ? nnodes : is_flat(nnodes) ? place + 1 : branch.first + branch.count;
}
