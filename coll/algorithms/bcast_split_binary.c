/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bcast_split_binary.c - one half of the message down each of two trees, then pairs of ranks
 * exchange their halves.
 *
 * Idea:   the root's two subtrees have the odd and the even virtual ranks (tree_kary.c with k = 2).
 *         The first half of the message goes down the first one, in segments, the second half down
 *         the other. Then ranks 2i - 1 and 2i exchange halves; with an even number of ranks the
 *         last one gets its second half from the root.
 * Cost:   half of that of a segmented binary tree, and T(m / 2).
 * Use:    long messages.
 * Needs:  nothing. Any number of ranks and any length.
 * Source: the split binary tree algorithm of Open MPI (coll/base).
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/segments.h"

/* A virtual rank, and what it does with a half of the message. */
struct place {
    const struct hitop_coll_args *args;
    struct hitop_sched *sched;
    struct segments segments;
    struct hitop_span half[2];
    int v;
};

static int rank_of(const struct place *p, int v)
{
    return (int)(((long)v + p->args->root) % p->args->size);
}

/* Ranks 2^l - 1 .. 2^(l + 1) - 2 are level l; the next level is 2^l and 2^(l + 1) further. */
static int level_length(int v)
{
    int length = 1;

    while (2 * length - 1 <= v) {
        length *= 2;
    }
    return length;
}

static int parent_of(int v)
{
    const int above = level_length(v) / 2, first = above - 1;

    return first + (v - (2 * above - 1)) % above;
}

/* Send segment k of the half that each child gets. */
static void send_down(const struct place *p, size_t k)
{
    for (int i = 0; i < 2; i++) {
        const long child = (long)p->v + (long)(i + 1) * level_length(p->v);
        if (child < p->args->size) {
            message_send(p->sched, rank_of(p, (int)child),
                         segments_cut(&p->segments, p->half[p->v > 0 ? p->v % 2 == 0 : i], k));
        }
    }
}

/* Receive the own half from the parent and forward it. */
static void pass(const struct place *p)
{
    const int parent = rank_of(p, parent_of(p->v)), mine = p->v % 2 == 0;

    message_recv(p->sched, parent, segments_cut(&p->segments, p->half[mine], 0));
    hitop_sched_fence(p->sched);
    for (size_t k = 0; k < p->segments.count; k++) {
        message_recv(p->sched, parent, segments_cut(&p->segments, p->half[mine], k + 1));
        send_down(p, k);
        hitop_sched_fence(p->sched);
    }
}

/* Get the other half. */
static void exchange(const struct place *p)
{
    const int n = p->args->size, v = p->v, mine = v % 2 == 0;
    const int is_last_of_even = v > 0 && n % 2 == 0 && v == n - 1;

    if (v == 0 && n % 2 == 0) {
        message_send(p->sched, rank_of(p, n - 1), p->half[1]);
    } else if (is_last_of_even) {
        message_recv(p->sched, rank_of(p, 0), p->half[1]);
    } else if (v > 0) {
        const int peer = rank_of(p, mine ? v - 1 : v + 1);
        message_recv(p->sched, peer, p->half[!mine]);
        message_send(p->sched, peer, p->half[mine]);
    }
    hitop_sched_fence(p->sched);
}

static void bcast_split_binary_plan(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const size_t first = hitop_part_start(a->bytes, hitop_unit(a), 2, 1);
    struct place p = {.args = a,
                      .sched = sched,
                      .segments = hitop_segments_make(a, first, sched),
                      .half = {hitop_span_recv(0, first), hitop_span_recv(first, a->bytes - first)},
                      .v = (a->rank - a->root + a->size) % a->size};

    if (a->size == 1 || a->bytes == 0) {
        return;
    }
    if (p.v > 0) {
        pass(&p);
    }
    for (size_t k = 0; k < p.segments.count && p.v == 0; k++) {
        send_down(&p, k);
        hitop_sched_fence(sched);
    }
    exchange(&p);
}

const struct hitop_coll_type hitop_bcast_split_binary = {
    .name = "bcast_split_binary",
    .summary = "halves down two binary trees, then pairs exchange them",
    .family = "bcast",
    .params = hitop_segment_param,
    .nparams = 1,
    .cut = HITOP_CUT_HALF,
    .plan = bcast_split_binary_plan,
};
