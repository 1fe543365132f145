/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reduce_scatter_butterfly.c - exchange halves, quarters, ... of consecutive blocks with ranks at
 * doubling or at halving distance: reduce_scatter_butterfly, reduce_scatter_distance_halving.
 *
 * Idea:   members exchange halves of what they have and combine them, until each has the sum of one
 *         part. butterfly: the nearest members first, so that sums are those of consecutive ranks;
 *         a member then has the part of the member whose number has its bits in reverse, and both
 *         exchange their results. distance_halving: the farthest members first, so that each member
 *         ends with its own part. Beyond a power of two of ranks, each even rank of the first ones
 *         sends its operands to the odd rank after it, which acts for it, and receives its result.
 * Cost:   log2 n latencies, (n - 1) m bytes for blocks of m bytes, as many combined; butterfly one
 *         exchange of a block more. With surplus ranks T(n m) + T(m) more.
 * Use:    to compare with what a library does.
 * Needs:  distance_halving: operands that commute. Any number of ranks, any lengths of blocks.
 *         Memory for twice all blocks.
 * Source: Träff, An improved algorithm for (non-commutative) reduce-scatter with an application
 *         (EuroPVM/MPI 2005); the algorithms butterfly and recursive halving of Open MPI, recursive
 *         halving of MPICH.
 */
#include <config.h>

#include "coll/algorithms/messages.h"
#include "coll/algorithms/sums.h"

/* A reduction of the parts of consecutive members. */
struct halving {
    const struct hitop_coll_args *args;
    struct hitop_sched *sched;
    struct team team;
    struct parts parts;
    struct sums sums;
};

static struct hitop_span own_result(const struct halving *h)
{
    return hitop_span_recv(0, hitop_block_bytes(h->args, h->args->rank, 1));
}

/* Block i of the sum. */
static struct hitop_span sum_of(const struct halving *h, int i)
{
    return sums_part(h->sums.sum, hitop_block_start(h->args, i), hitop_block_bytes(h->args, i, 1));
}

static struct halving begin(const struct hitop_coll_args *a, struct hitop_sched *sched)
{
    const size_t bytes = hitop_block_start(a, a->size);
    struct halving h = {.args = a, .sched = sched, .team = hitop_team_of_power_odd(a, 0)};

    h.parts = parts_of_blocks(a, h.team.pairs);
    h.sums = (struct sums){hitop_span_work(0, bytes), hitop_span_work(bytes, bytes), a->ordered};
    hitop_sums_begin(&h.sums, &h.team, sched);
    return h;
}

/* Exchange parts with a member: get `count` from `keep` on and give as many from `give` on. */
static void exchange(struct halving *h, int member, int keep, int give, int count)
{
    const struct hitop_span kept = parts_span(&h->parts, h->sums.spare, keep, keep + count);
    const int peer = hitop_team_rank(&h->team, member);

    message_recv(h->sched, peer, kept);
    message_send(h->sched, peer, parts_span(&h->parts, h->sums.sum, give, give + count));
    hitop_sched_fence(h->sched);
    hitop_sums_take(&h->sums, h->sched, kept.offset - h->sums.spare.offset, kept.bytes,
                    member < h->team.me);
}

/* The number with its bits in reverse, of as many as there are for the members. */
static int mirrored(const struct halving *h, int member)
{
    int mirror = 0;

    for (int bit = 1; bit < h->team.size; bit *= 2) {
        mirror = 2 * mirror + (member & bit ? 1 : 0);
    }
    return mirror;
}

/* Send the results of the mirrored member's part to their owners, and get the own result. */
static void exchange_mirrored(const struct halving *h)
{
    const int mirror = mirrored(h, h->team.me), owner = hitop_team_rank(&h->team, mirror);

    if (mirror < h->team.pairs) {
        message_send(h->sched, owner - 1, sum_of(h, owner - 1));
        hitop_sched_fence(h->sched);
    }
    if (mirror == h->team.me) {
        hitop_sched_copy(h->sched, sum_of(h, owner), own_result(h));
    } else {
        message_recv(h->sched, owner, own_result(h));
        message_send(h->sched, owner, sum_of(h, owner));
    }
    hitop_sched_fence(h->sched);
}

static void reduce_scatter_butterfly_plan(const struct hitop_coll_args *a,
                                          struct hitop_sched *sched)
{
    struct halving h = begin(a, sched);
    int first = 0, count = h.team.size;

    if (h.team.surplus) {
        message_recv(sched, hitop_team_rank(&h.team, mirrored(&h, h.team.me)), own_result(&h));
        hitop_sched_fence(sched);
        return;
    }
    for (int distance = 1; distance < h.team.size; distance *= 2) {
        const int upper = h.team.me & distance ? 1 : 0;
        count /= 2;
        exchange(&h, h.team.me ^ distance, first + upper * count, first + !upper * count, count);
        first += upper * count;
    }
    exchange_mirrored(&h);
}

static void reduce_scatter_distance_halving_plan(const struct hitop_coll_args *a,
                                                 struct hitop_sched *sched)
{
    struct halving h = begin(a, sched);
    int first = 0;

    if (h.team.surplus) {
        message_recv(sched, h.team.partner, own_result(&h));
        hitop_sched_fence(sched);
        return;
    }
    for (int distance = h.team.size / 2; distance > 0; distance /= 2) {
        const int upper = h.team.me & distance ? 1 : 0;
        exchange(&h, h.team.me ^ distance, first + upper * distance, first + !upper * distance,
                 distance);
        first += upper * distance;
    }
    hitop_sched_copy(sched, sum_of(&h, a->rank), own_result(&h));
    if (h.team.partner != HITOP_NO_RANK) {
        message_send(sched, h.team.partner, sum_of(&h, h.team.partner));
    }
    hitop_sched_fence(sched);
}

const struct hitop_coll_type hitop_reduce_scatter_butterfly = {
    .name = "reduce_scatter_butterfly",
    .summary = "exchange halves, nearest ranks first, then results",
    .family = "reduce_scatter",
    .in_place = 1,
    .by_name = 1,
    .plan = reduce_scatter_butterfly_plan,
};

const struct hitop_coll_type hitop_reduce_scatter_distance_halving = {
    .name = "reduce_scatter_distance_halving",
    .summary = "exchange halves, farthest ranks first",
    .family = "reduce_scatter",
    .needs = HITOP_NEED_ANY_ORDER,
    .in_place = 1,
    .by_name = 1,
    .plan = reduce_scatter_distance_halving_plan,
};
