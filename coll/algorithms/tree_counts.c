/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_counts.c - lengths of blocks along a tree, in the order of its line. */
#include <config.h>

#include "coll/algorithms/tree_counts.h"

enum { COUNT_BYTES = 8 };

/* The lengths of a subtree among those of this rank's subtree. */
static struct hitop_span counts_of(const struct hitop_coll_args *a, int top)
{
    const int before =
        hitop_tree_first_place(a->tree, top) - hitop_tree_first_place(a->tree, a->rank);

    return hitop_span_work((size_t)before * COUNT_BYTES,
                           (size_t)hitop_tree_weight(a->tree, top) * COUNT_BYTES);
}

/* Those of each subtree, or those of all ranks to everybody. */
static void pass_down(const struct hitop_coll_args *a, int everything, struct hitop_sched *sched)
{
    const struct hitop_span all = hitop_span_work(0, (size_t)a->size * COUNT_BYTES);
    const int parent = hitop_tree_parent(a->tree, a->rank);
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    if (parent != HITOP_NO_RANK) {
        hitop_sched_recv(sched, parent, everything ? all : counts_of(a, a->rank));
        hitop_sched_fence(sched);
    }
    for (int i = 0; i < n; i++) {
        hitop_sched_send(sched, child[i], everything ? all : counts_of(a, child[i]));
    }
    hitop_sched_fence(sched);
}

static void pass_up(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const int parent = hitop_tree_parent(a->tree, a->rank);
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    if (a->rank == a->root) {
        return;
    }
    for (int i = n - 1; i >= 0; i--) {
        hitop_sched_recv(sched, child[i], counts_of(a, child[i]));
    }
    hitop_sched_fence(sched);
    if (parent != a->root) {
        hitop_sched_send(sched, parent, counts_of(a, a->rank));
        hitop_sched_fence(sched);
    }
}

void hitop_tree_counts_down(const struct hitop_coll_args *a, enum tree_counts how,
                            struct hitop_sched *sched)
{
    if (a->starts && how != TREE_COUNTS_KNOWN) {
        pass_down(a, how == TREE_COUNTS_BROADCAST, sched);
    }
}

void hitop_tree_counts_up(const struct hitop_coll_args *a, enum tree_counts how,
                          struct hitop_sched *sched)
{
    if (a->starts && how == TREE_COUNTS_BROADCAST) {
        pass_down(a, 1, sched);
    } else if (a->starts && how == TREE_COUNTS_PROPAGATED) {
        pass_up(a, sched);
    }
}
