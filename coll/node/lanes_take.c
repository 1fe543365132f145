/* SPDX-License-Identifier: BSD-3-Clause */
/* lanes_take.c - see lanes_take.h. */
#include <config.h>

#include "lanes_take.h"

#include "hand.h"

int hitop_lanes_begin(struct hitop_node *node, int rank, const struct hitop_node_blocks *to,
                      uint64_t *longest)
{
    struct hitop_lane_slot *slot = hitop_lane_slot_of(node, rank);
    uint64_t length;
    size_t room;
    unsigned char *at = hitop_node_block(to, rank, &room);

    if (hitop_lane_is_handed(node, slot) && hitop_hand_state(slot) == HITOP_HAND_DONE) {
        return 0;
    }
    length = hitop_lane_length(node, slot);
    if (hitop_lane_is_staged(slot)) {
        *longest = length > *longest ? length : *longest;
    } else {
        hitop_lane_get(node, slot, 0, at, length < room ? (size_t)length : room);
    }
    return length != room;
}

/* Bytes from `at` to `end` of a staged deposit of `rank`, as they come; what is too long for `room` is skipped. */
static void take_step(struct hitop_node *node, int rank, unsigned char *block, size_t room,
                      uint64_t at, uint64_t end)
{
    struct hitop_lane_slot *slot = hitop_lane_slot_of(node, rank);

    while (at < end) {
        uint64_t fill;

        hitop_lane_await_fill(node, slot, at + 1);
        fill = atomic_load_explicit(&slot->u.staged.fill, memory_order_acquire);
        fill = fill < end ? fill : end;
        if (at < room) {
            memcpy(block + at, hitop_lane_at(node, rank, slot, at),
                   (size_t)((fill < room ? fill : room) - at));
        }
        at = fill;
    }
}

void hitop_lanes_take(struct hitop_node *node, const struct hitop_node_blocks *to, uint64_t at)
{
    const size_t step = hitop_lanes_step(node);

    for (int r = 0; r < node->nranks; r++) {
        struct hitop_lane_slot *slot = hitop_lane_slot_of(node, r);
        uint64_t length;
        unsigned char *block;
        size_t room;

        if (r == node->me || !hitop_lane_is_staged(slot) || (length = slot->u.staged.total) <= at) {
            continue;
        }
        block = hitop_node_block(to, r, &room);
        take_step(node, r, block, room, at, length - at < step ? length : at + step);
    }
    hitop_lane_took(node, at + step);
}
