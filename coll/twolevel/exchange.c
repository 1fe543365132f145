/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c - the tree that scatters, before any exchange. */
#include <config.h>

#include "coll/twolevel/exchange.h"

/* The nodes of a whole binomial tree below this one, and itself. */
static int reach(int n, int node)
{
    int low = 1;

    while (node > 0 ? !(node & low) : low < n) {
        low <<= 1;
    }
    return low;
}

struct hitop_block hitop_scatter_block(int n, int node)
{
    const int low = reach(n, node);

    return (struct hitop_block){.first = node, .count = low < n - node ? low : n - node};
}

int hitop_scatter_parent(int node)
{
    return node > 0 ? node & (node - 1) : -1;
}

int hitop_scatter_children(int n, int node, int *children)
{
    int nchildren = 0;

    for (int half = reach(n, node) >> 1; half > 0; half >>= 1) {
        if (half < n - node) {
            children[nchildren++] = node + half;
        }
    }
    return nchildren;
}

struct hitop_block hitop_exchange_unless_there(int n, int node, struct hitop_block pieces)
{
    const struct hitop_block there = hitop_scatter_block(n, node);

    if (pieces.first >= there.first && pieces.first + pieces.count <= there.first + there.count) {
        pieces.count = 0;
    }
    return pieces;
}
