/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_agree.c - see fold_agree.h. */
#include <config.h>

#include "coll/node/fold_agree.h"

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
