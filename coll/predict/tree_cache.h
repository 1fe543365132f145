/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TREE_CACHE_H
#define TREE_CACHE_H

/* tree_cache.h - the trees that a search has built, so that each size of segments finds them. */

#include "hitop/plan.h"

struct kept_tree;

/* All zero when empty; release with hitop_tree_cache_fini(). */
struct tree_cache {
    struct kept_tree *kept; /* [count], the oldest first */
    size_t count;
    size_t nranks; /* of all trees together */
};

/*
 * The tree of a plan without starts, from the cache or built. It belongs to the cache and is valid
 * until the next call. Plans of one cache have the same cost.
 */
enum hitop_status hitop_tree_cache_find(struct tree_cache *cache,
                                        const struct hitop_plan_args *args,
                                        const struct hitop_tree **out, struct hitop_diag *diag);
void hitop_tree_cache_fini(struct tree_cache *cache);

#endif /* TREE_CACHE_H */
