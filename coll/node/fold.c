/* SPDX-License-Identifier: BSD-3-Clause */
/* fold.c - see fold.h. */
#include <config.h>

#include "coll/node/fold.h"

/* What `rank` has left in lines, where it may be read as elements. */
static const void *lines_of(struct hitop_node *node, int rank, size_t bytes,
                            const struct hitop_combine *combine, unsigned char *room)
{
    struct hitop_lane_slot *slot = hitop_lane_slot_of(node, rank);

    if (bytes <= FLAGGED && combine->unit % 16 != 0) { /* beside a flag of 8 bytes */
        return slot->u.data;
    }
    hitop_lane_get(node, slot, 0, room, bytes);
    return room;
}

int hitop_fold_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                     const struct hitop_combine *combine)
{
    _Alignas(64) unsigned char room[HITOP_LANE_LINED];
    int differs = 0;

    for (int r = node->nranks - 1; r >= 0; r--) {
        const int is_last = r == node->nranks - 1;
        const void *operand = mine;

        if (r != node->me) {
            struct hitop_lane_slot *slot = hitop_lane_slot_of(node, r);

            if (hitop_lane_length(node, slot) != bytes) {
                differs = 1;
                continue;
            }
            if (is_last) {
                hitop_lane_get(node, slot, 0, result, bytes);
                continue;
            }
            operand = lines_of(node, r, bytes, combine, room);
        }
        if (is_last) {
            hitop_node_copy_few(result, operand, bytes);
        } else {
            combine->run(combine->context, operand, result, bytes);
        }
    }
    return differs;
}

void hitop_fold_staged(const struct hitop_node *node, const unsigned char *mine, uint64_t at,
                       unsigned char *result, size_t bytes, const struct hitop_combine *combine)
{
    const size_t chunk = hitop_fold_whole(combine, HITOP_FOLD_CHUNK);

    for (size_t n; bytes > 0; at += n, result += n, bytes -= n) {
        n = bytes < chunk ? bytes : chunk;
        for (int r = node->nranks - 1; r >= 0; r--) {
            const unsigned char *operand =
                r == node->me && mine ? mine + at
                                      : hitop_lane_at(node, r, hitop_lane_slot_of(node, r), at);

            if (r < node->nranks - 1) {
                combine->run(combine->context, operand, result, n);
            } else if (operand != result) {
                memcpy(result, operand, n);
            }
        }
    }
}

int hitop_fold_differs(struct hitop_node *node, uint64_t bytes)
{
    int differs = 0;

    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            struct hitop_lane_slot *slot = hitop_lane_slot_of(node, r);

            differs |= hitop_lane_length(node, slot) != bytes || !hitop_lane_is_staged(slot);
        }
    }
    return differs;
}

void hitop_fold_agree_tell(struct hitop_node *node, const void *mine, const void *result,
                           size_t bytes)
{
    struct hitop_lane_slot *slot = hitop_lane_slot_of(node, node->me);

    (void)hitop_lane_reserve(node, 0, HITOP_LANE_ALL);
    slot->combined.seq = node->seq;
    slot->combined.total = bytes;
    slot->combined.from = (uint64_t)(uintptr_t)mine;
    slot->combined.result = (uint64_t)(uintptr_t)result;
    atomic_store_explicit(&slot->combined.claimed, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->combined.said, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->tag, node->seq << TAG_SHIFT | PULLED, memory_order_release);
    hitop_wait_ring(&node->wait);
}

int hitop_fold_agree_is_wanted(struct hitop_node *node)
{
    int wanted = 0;

    for (int r = 0; r < node->nranks; r++) {
        wanted |= r != node->me && hitop_lane_kind(node, hitop_lane_slot_of(node, r)) == PULLED;
    }
    return wanted;
}

int hitop_fold_agree_all(struct hitop_node *node, size_t bytes)
{
    int agree = 1;

    for (int r = 0; r < node->nranks; r++) {
        struct hitop_lane_slot *slot = hitop_lane_slot_of(node, r);

        agree &= hitop_lane_kind(node, slot) == PULLED && slot->combined.total == bytes;
    }
    return agree;
}
