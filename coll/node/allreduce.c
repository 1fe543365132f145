/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * allreduce.c - everybody gets what all bring, combined in the order of ranks.
 *
 * Idea:   short: each leaves its operand in lines and combines all of them itself, which is one exchange and gives the
 *         same bits everywhere. Longer: the same in parts, straight out of the lanes; where that is too much to do for each,
 *         each combines its share of a part, in the last one's lane, from which all then copy the whole. The longest are
 *         combined where they lie (fold_direct.h).
 * Cost:   short: one hop. In shares of P processes: each byte is copied in, (P - 1) / P of it combined, copied out.
 * Source: Rabenseifner, Optimization of collective reduction operations, ICCS 2004, for dividing the sum.
 */
#include <config.h>

#include "coll/node/fold.h"
#include "coll/node/fold_direct.h"

static int in_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                    const struct hitop_combine *combine)
{
    _Alignas(64) unsigned char kept[HITOP_LANE_LINED];
    int differs;

    hitop_lane_put(node, mine, bytes, HITOP_LANE_ALL);
    if (mine == result) {
        memcpy(kept, mine, bytes);
        mine = kept;
    }
    differs = hitop_fold_lines(node, mine, result, bytes, combine);
    hitop_lane_leave_all(node);
    hitop_lane_fetch_next(node, bytes);
    return differs;
}

static void await_all(struct hitop_node *node, uint64_t bytes)
{
    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            hitop_lane_await_fill(node, hitop_lane_slot_of(node, r), bytes);
        }
    }
}

/* Deposit the next part of ours, unless it is there. */
static void bring(struct hitop_node *node, struct hitop_lane_writer *writer,
                  const unsigned char *mine, uint64_t at, size_t bytes)
{
    if (writer->written == at) {
        hitop_lane_write(node, writer, mine + at, bytes);
    }
}

/* Two operands whose order does not show: ours is in the result while the other's is still to come, which is read once. */
static void combine_pair(struct hitop_node *node, struct hitop_lane_writer *writer,
                         const unsigned char *mine, unsigned char *result, size_t part,
                         const struct hitop_combine *combine)
{
    const int other = 1 - node->me;
    struct hitop_lane_slot *slot = hitop_lane_slot_of(node, other);

    for (uint64_t at = 0; at < writer->total; at += part) {
        const size_t rest = (size_t)(writer->total - at);
        const size_t n = rest < part ? rest : part;

        bring(node, writer, mine, at, n);
        if (mine != result) {
            memcpy(result + at, mine + at, n);
        }
        await_all(node, at + n);
        combine->run(combine->context, hitop_lane_at(node, other, slot, at), result + at, n);
        hitop_lane_took(node, at + n);
    }
}

/* Everybody combines everything. */
static void combine_all(struct hitop_node *node, struct hitop_lane_writer *writer,
                        const unsigned char *mine, unsigned char *result, size_t part,
                        const struct hitop_combine *combine)
{
    const unsigned char *kept = mine == result ? NULL : mine; /* else our lane keeps it */

    for (uint64_t at = 0; at < writer->total; at += part) {
        const size_t rest = (size_t)(writer->total - at);
        const size_t n = rest < part ? rest : part;

        bring(node, writer, mine, at, n);
        await_all(node, at + n);
        hitop_fold_staged(node, kept, at, result + at, n, combine);
        hitop_lane_took(node, at + n);
    }
}

/* Our share of a part of `bytes` that begins at `at`. */
static void combine_share(struct hitop_node *node, uint64_t at, size_t bytes,
                          const struct hitop_combine *combine)
{
    const size_t n = bytes / combine->unit, me = (size_t)node->me, size = (size_t)node->nranks;
    const size_t low = n * me / size * combine->unit, high = n * (me + 1) / size * combine->unit;
    const int last = node->nranks - 1;

    hitop_fold_staged(node, NULL, at + low,
                      hitop_lane_at(node, last, hitop_lane_slot_of(node, last), at) + low,
                      high - low, combine);
}

static void combine_shares(struct hitop_node *node, struct hitop_lane_writer *writer,
                           const unsigned char *mine, unsigned char *result, size_t part,
                           const struct hitop_combine *combine)
{
    const int last = node->nranks - 1;

    for (uint64_t at = 0; at < writer->total; at += part) {
        const size_t rest = (size_t)(writer->total - at);
        const size_t n = rest < part ? rest : part;

        bring(node, writer, mine, at, n);
        await_all(node, at + n);
        combine_share(node, at, n, combine);
        atomic_store_explicit(&writer->slot->u.staged.summed, at + n, memory_order_release);
        hitop_wait_ring(&node->wait);
        for (int r = 0; r < node->nranks; r++) {
            hitop_lane_await(node, &hitop_lane_slot_of(node, r)->u.staged.summed, at + n);
        }
        memcpy(result + at, hitop_lane_at(node, last, hitop_lane_slot_of(node, last), at), n);
        hitop_lane_took(node, at + n);
    }
}

/* All of the operand, or whole pairs of parts, in at most half of the ring: one part is written while others are read. */
static size_t window_of(size_t bytes, size_t part, size_t half)
{
    const size_t pairs = half / (2 * part);

    return bytes <= part || bytes <= half ? bytes : 2 * part * (pairs > 0 ? pairs : 1);
}

int hitop_node_allreduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         const struct hitop_combine *combine)
{
    const size_t half = node->lanes.ring_bytes / 2;
    const int share = bytes >= node->thresholds->share_from;
    const size_t wanted = hitop_piece_for(node->thresholds->allreduce_part, bytes);
    const size_t part = hitop_fold_whole(combine, half < wanted ? half : wanted);
    struct hitop_lane_writer writer;
    int differs;

    if (bytes <= HITOP_LANE_LINED) {
        return in_lines(node, mine, result, bytes, combine);
    }
    if (hitop_fold_agree_suits(node, bytes, node->thresholds->allreduce_direct_from) &&
        hitop_fold_direct(node, mine, result, bytes, HITOP_LANE_ALL, combine)) {
        return 0;
    }
    hitop_lane_open(node, &writer, bytes, window_of(bytes, part, half), HITOP_LANE_ALL);
    bring(node, &writer, mine, 0, bytes <= part ? bytes : part);
    differs = hitop_fold_differs(node, bytes);
    if (differs) { /* nobody reads what would not fit */
    } else if (share) {
        combine_shares(node, &writer, mine, result, part, combine);
    } else if (node->nranks == 2 && combine->is_alike) {
        combine_pair(node, &writer, mine, result, part, combine);
    } else {
        combine_all(node, &writer, mine, result, part, combine);
    }
    hitop_lane_leave_all(node);
    return differs;
}
