/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter_tree.c - scatter down a tree: each link carries the blocks of the ranks below it.
 *
 * Idea:   a rank receives the blocks of its subtree in one message, keeps its own and passes each
 *         child that child's part, which is a stretch of the message.
 * Cost:   depth latencies, and the bytes of each subtree over the link to it.
 * Use:    flat for long blocks, where the links of the root carry all blocks anyway; binomial trees
 *         for short ones. The root copies the blocks of subtrees that are no run of ranks.
 * Needs:  a tree. Any number of ranks, any lengths of blocks.
 * Source: CPM, scatter and scatterv over trees.
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/tree_blocks.h"
#include "coll/algorithms/tree_counts.h"

static const struct hitop_param scatter_tree_params[TREE_COUNTS_NPARAMS] = {[TREE_COUNTS] =
                                                                                TREE_COUNTS_PARAM};

/* The blocks of a child's subtree, copied together behind *packed bytes of work memory. */
static struct hitop_span collect(const struct hitop_coll_args *a, struct hitop_sched *sched,
                                 int child, size_t *packed)
{
    const int first = hitop_tree_first_place(a->tree, child);
    const int end = first + hitop_tree_weight(a->tree, child);
    const size_t begin = *packed;

    for (int place = first; place < end; place++) {
        const int rank = hitop_tree_rank_at(a->tree, place);
        const size_t bytes = hitop_block_bytes(a, rank, 1);
        hitop_sched_copy(sched, hitop_span_send(hitop_block_start(a, rank), bytes),
                         hitop_span_work(*packed, bytes));
        *packed += bytes;
    }
    return hitop_span_work(begin, *packed - begin);
}

static void send_from_root(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const size_t own = hitop_block_bytes(a, a->rank, 1);
    size_t packed = 0;
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    for (int i = 0; i < n; i++) {
        struct hitop_span span = hitop_span_send(0, 0);
        if (!hitop_tree_blocks_are_run(a, child[i], &span)) {
            span = collect(a, sched, child[i], &packed);
        }
        message_send_down(sched, a->tree, child[i], span);
    }
    hitop_sched_copy(sched, hitop_span_send(hitop_block_start(a, a->rank), own),
                     hitop_span_recv(0, own));
    hitop_sched_fence(sched);
}

/* Receive the subtree's blocks, send each child its part, keep the own one. */
static void pass_on(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const int parent = hitop_tree_parent(a->tree, a->rank);
    const size_t own = hitop_block_bytes(a, a->rank, 1), all = hitop_tree_blocks_of(a, a->rank);
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    if (all > 0) {
        hitop_sched_recv(sched, parent, n == 0 ? hitop_span_recv(0, own) : hitop_span_work(0, all));
        hitop_sched_fence(sched);
    }
    for (int i = 0; i < n; i++) {
        message_send_down(sched, a->tree, child[i], hitop_tree_blocks_part(a, child[i]));
    }
    if (n > 0) {
        const int first = hitop_tree_first_place(a->tree, a->rank);
        const size_t before = hitop_tree_blocks_bytes(a, first, hitop_tree_place(a->tree, a->rank));
        hitop_sched_copy(sched, hitop_span_work(before, own), hitop_span_recv(0, own));
        hitop_sched_fence(sched);
    }
}

static enum hitop_status scatter_tree_plan(const struct hitop_coll_args *a, const double *params,
                                           struct hitop_sched *sched, struct hitop_diag *diag)
{
    (void)diag;
    hitop_tree_counts_down(a, (enum tree_counts)params[TREE_COUNTS], sched);
    if (a->rank == a->root) {
        send_from_root(a, sched);
    } else {
        pass_on(a, sched);
    }
    return hitop_sched_status(sched);
}

const struct hitop_coll_type hitop_scatter_tree = {
    .name = "scatter_tree",
    .summary = "scatter down any tree",
    .family = "scatter",
    .needs = HITOP_NEED_TREE,
    .in_place = 1,
    .below = 1,
    .params = scatter_tree_params,
    .nparams = TREE_COUNTS_NPARAMS,
    .plan = scatter_tree_plan,
};
