/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gather_tree.c - gather up a tree: each link carries the blocks of the ranks below it.
 *
 * Idea:   the mirror of scatter_tree: a rank receives the blocks of its children's subtrees side by
 *         side, adds its own and sends them on in one message.
 * Cost:   depth latencies, and the bytes of each subtree over the link from it.
 * Use:    flat for long blocks, binomial trees for short ones.
 * Needs:  a tree. Any number of ranks, any lengths of blocks.
 * Source: CPM, gather and gatherv over trees.
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/tree_blocks.h"
#include "coll/algorithms/tree_counts.h"
#include "coll/algorithms/tree_steps.h"

static const struct hitop_param gather_tree_params[TREE_COUNTS_NPARAMS] = {[TREE_COUNTS] =
                                                                               TREE_COUNTS_PARAM};

/* Take the blocks of a child's subtree apart that begin at byte `from` of the work memory. */
static void spread(const struct hitop_coll_args *a, struct hitop_sched *sched, int child,
                   size_t from)
{
    const int first = hitop_tree_first_place(a->tree, child);
    const int end = first + hitop_tree_weight(a->tree, child);

    for (int place = first; place < end; place++) {
        const int rank = hitop_tree_rank_at(a->tree, place);
        const size_t bytes = hitop_block_bytes(a, rank, 1);
        hitop_sched_copy(sched, hitop_span_work(from, bytes),
                         hitop_span_recv(hitop_block_start(a, rank), bytes));
        from += bytes;
    }
}

/* The last child in send order has the least to collect, so it is the first to come. */
static void receive_at_root(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const size_t own = hitop_block_bytes(a, a->rank, 1);
    size_t packed = 0;
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    for (int i = n - 1; i >= 0; i--) {
        struct hitop_span span = hitop_span_recv(0, 0);
        if (!hitop_tree_blocks_are_run(a, child[i], &span)) {
            span = hitop_span_work(packed, hitop_tree_blocks_of(a, child[i]));
            packed += span.bytes;
        }
        message_recv(sched, child[i], span);
    }
    hitop_sched_copy(sched, hitop_span_send(0, own),
                     hitop_span_recv(hitop_block_start(a, a->rank), own));
    hitop_sched_fence(sched);
    packed = 0;
    for (int i = n - 1; i >= 0; i--) {
        struct hitop_span span = hitop_span_recv(0, 0);
        if (!hitop_tree_blocks_are_run(a, child[i], &span)) {
            spread(a, sched, child[i], packed);
            packed += hitop_tree_blocks_of(a, child[i]);
        }
    }
    if (packed > 0) {
        hitop_sched_fence(sched);
    }
}

static void pass_on(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const size_t own = hitop_block_bytes(a, a->rank, 1), all = hitop_tree_blocks_of(a, a->rank);
    const int parent = hitop_tree_parent(a->tree, a->rank);
    int n;
    const int *child = hitop_tree_children(a->tree, a->rank, &n);

    if (all == 0) {
        return;
    }
    if (n > 0) {
        const int first = hitop_tree_first_place(a->tree, a->rank);
        const size_t before = hitop_tree_blocks_bytes(a, first, hitop_tree_place(a->tree, a->rank));
        for (int i = n - 1; i >= 0; i--) {
            message_recv(sched, child[i], hitop_tree_blocks_part(a, child[i]));
        }
        hitop_sched_copy(sched, hitop_span_send(0, own), hitop_span_work(before, own));
        hitop_sched_fence(sched);
    }
    hitop_sched_send(sched, parent, n == 0 ? hitop_span_send(0, own) : hitop_span_work(0, all));
    hitop_sched_fence(sched);
}

void hitop_tree_gather(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    if (a->rank == a->root) {
        receive_at_root(a, sched);
    } else {
        pass_on(a, sched);
    }
}

static enum hitop_status gather_tree_plan(const struct hitop_coll_args *a, const double *params,
                                          struct hitop_sched *sched, struct hitop_diag *diag)
{
    (void)diag;
    hitop_tree_counts_up(a, (enum tree_counts)params[TREE_COUNTS], sched);
    hitop_tree_gather(a, sched);
    return hitop_sched_status(sched);
}

const struct hitop_coll_type hitop_gather_tree = {
    .name = "gather_tree",
    .summary = "gather up any tree",
    .family = "gather",
    .needs = HITOP_NEED_TREE,
    .in_place = 1,
    .below = 1,
    .params = gather_tree_params,
    .nparams = TREE_COUNTS_NPARAMS,
    .plan = gather_tree_plan,
};
