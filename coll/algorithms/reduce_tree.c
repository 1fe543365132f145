/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_tree.c - reduce up a tree, optionally in segments.
 *
 * Idea:   a rank combines the operands of its children with its own, segment by segment: segment i
 *         + 1 of the children arrives while segment i is combined and sent.
 * Cost:   that of a broadcast down the same tree, and fan-out combinations of each byte at every
 *         level.
 * Use:    without segments up a shallow tree for short messages, in segments up a chain or a
 *         binary tree for long ones.
 * Needs:  a tree; one in rank order where operands do not commute. Memory for two segments of each
 *         child.
 */
#include <config.h>

#include "coll/algorithms/tree_steps.h"

/* The reduction of one rank. Operands of its children arrive in work memory. */
struct reduction {
    const struct hitop_coll_args *args;
    struct hitop_sched *sched;
    struct segments segments;
    int parent;
    const int *child;
    int nchildren;
    struct hitop_span result;
};

/* Where segment k of a child arrives: each child has two slots, used in turn. */
static struct hitop_span slot(const struct reduction *r, size_t k, int child)
{
    const size_t place = (k % 2) * (size_t)r->nchildren + (size_t)child;

    return hitop_span_work(place * r->segments.longest,
                           segments_of(&r->segments, HITOP_BUFFER_SEND, k).bytes);
}

/*
 * Post the receive from the last child in send order first: it has the least to combine, so its
 * message arrives first.
 */
static void post(const struct reduction *r, size_t k)
{
    for (int i = r->nchildren - 1; i >= 0 && k < r->segments.count; i--) {
        hitop_sched_recv(r->sched, r->child[i], slot(r, k, i));
    }
}

/* The index of the child with the highest rank below `below`, or -1. */
static int next_lower(const struct reduction *r, int below)
{
    int best = -1;

    for (int i = 0; i < r->nchildren; i++) {
        if (r->child[i] < below && (best < 0 || r->child[i] > r->child[best])) {
            best = i;
        }
    }
    return best;
}

/*
 * Combine segment k of this rank and its children in rank order, from the right. The result
 * replaces the rightmost operand: in the slot of a child, which needs no copy, or in a copy of the
 * own operand.
 */
static struct hitop_span combine(const struct reduction *r, size_t k)
{
    const int rank = r->args->rank;
    const struct hitop_span own = segments_of(&r->segments, HITOP_BUFFER_SEND, k);
    int child = next_lower(r, r->args->size);
    int added = child < 0 || r->child[child] < rank; /* the own operand is combined */
    struct hitop_span sum;

    if (added) {
        sum = hitop_span_work(2 * (size_t)r->nchildren * r->segments.longest, own.bytes);
        hitop_sched_copy(r->sched, own, sum);
    } else {
        sum = slot(r, k, child);
        child = next_lower(r, r->child[child]);
    }
    while (child >= 0 || !added) {
        if (!added && (child < 0 || r->child[child] < rank)) {
            hitop_sched_reduce(r->sched, own, sum);
            added = 1;
        } else {
            hitop_sched_reduce(r->sched, slot(r, k, child), sum);
            child = next_lower(r, r->child[child]);
        }
    }
    return sum;
}

/* The rank without a parent combines operands that commute where the result belongs. */
static void combine_in_result(const struct reduction *r, size_t k)
{
    const struct hitop_span sum = segments_cut(&r->segments, r->result, k);

    hitop_sched_copy(r->sched, segments_of(&r->segments, HITOP_BUFFER_SEND, k), sum);
    for (int i = r->nchildren - 1; i >= 0; i--) {
        hitop_sched_reduce(r->sched, slot(r, k, i), sum);
    }
}

static void finish(const struct reduction *r, size_t k)
{
    const struct hitop_span own = segments_of(&r->segments, HITOP_BUFFER_SEND, k);

    if (r->parent == HITOP_NO_RANK && !r->args->ordered) {
        combine_in_result(r, k);
    } else if (r->parent == HITOP_NO_RANK) {
        hitop_sched_copy(r->sched, combine(r, k), segments_cut(&r->segments, r->result, k));
    } else {
        hitop_sched_send(r->sched, r->parent, r->nchildren == 0 ? own : combine(r, k));
    }
}

void hitop_reduce_up(const struct hitop_coll_args *a, const struct reduce_place *place,
                     const struct segments *segments, struct hitop_sched *sched)
{
    struct reduction r = {.args = a, .sched = sched, .segments = *segments};

    r.parent = place->parent;
    r.child = place->child;
    r.nchildren = place->nchildren;
    r.result = place->result;
    if (r.nchildren > 0 && segments->count > 0) { /* fill the pipeline */
        post(&r, 0);
        hitop_sched_fence(sched);
    }
    for (size_t k = 0; k < segments->count; k++) {
        post(&r, k + 1);
        finish(&r, k);
        if (r.nchildren > 0 || k + 1 == segments->count) {
            hitop_sched_fence(sched);
        }
    }
}

void hitop_tree_reduce(const struct hitop_coll_args *a, const struct segments *segments,
                       struct hitop_sched *sched)
{
    struct reduce_place place = {.parent = hitop_tree_parent(a->tree, a->rank),
                                 .result = hitop_span_recv(0, a->bytes)};

    place.child = hitop_tree_children(a->tree, a->rank, &place.nchildren);
    hitop_reduce_up(a, &place, segments, sched);
}

static void reduce_tree_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const struct segments segments = hitop_segments_make(a, a->bytes, sched);

    hitop_tree_reduce(a, &segments, sched);
}

const struct hitop_coll_type hitop_reduce_tree = {
    .name = "reduce_tree",
    .summary = "reduce up any tree, optionally in segments",
    .family = "reduce",
    .needs = HITOP_NEED_TREE | HITOP_NEED_TREE_IN_ORDER,
    .in_place = 1,
    .params = hitop_segment_param,
    .nparams = 1,
    .up = HITOP_PASS_MESSAGE,
    .plan = reduce_tree_plan,
};
