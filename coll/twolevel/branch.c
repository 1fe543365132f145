/* SPDX-License-Identifier: BSD-3-Clause */
/* branch.c - see branch.h. */
#include <config.h>

#include "coll/twolevel/branch.h"

static int list_below(const struct hitop_tree *tree, int top, const int *rank,
                      struct hitop_branch *out)
{
    int nchildren, n = 0;
    const int *children = hitop_tree_children(tree, top, &nchildren);

    for (int i = 0; i < nchildren; i++) {
        struct hitop_branch *entry = &out[n++];
        entry->rank = rank[children[i]];
        entry->below = list_below(tree, children[i], rank, out + n);
        n += entry->below;
    }
    return n;
}

int hitop_branch_list(const struct hitop_tree *tree, const int *rank, struct hitop_branch *out)
{
    return list_below(tree, hitop_tree_root(tree), rank, out);
}
