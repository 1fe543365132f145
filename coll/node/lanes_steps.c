/* SPDX-License-Identifier: BSD-3-Clause */
/* lanes_steps.c - see lanes_steps.h. */
#include <config.h>

#include "coll/node/lanes_steps.h"

#include "coll/node/hand.h"

void hitop_lanes_bring(struct hitop_node *node, struct hitop_lane_writer *writer,
                       const unsigned char *mine, size_t most)
{
    const size_t written = (size_t)writer->written, rest = (size_t)writer->total - written;
    const size_t step = hitop_lanes_step(node), to_step = step - written % step;

    most = most < to_step ? most : to_step;
    hitop_lane_write(node, writer, mine + written, most < rest ? most : rest);
}

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

uint64_t hitop_lanes_take_some(struct hitop_node *node, int rank, struct hitop_lane_slot *slot,
                               uint64_t at, uint64_t end, unsigned char *block, size_t room)
{
    uint64_t fill;

    hitop_lane_await_fill(node, slot, at + 1);
    fill = atomic_load_explicit(&slot->u.staged.fill, memory_order_acquire);
    fill = fill < end ? fill : end;
    if (at < room) {
        hitop_node_copy_ordinary(node, block + at, hitop_lane_at(node, rank, slot, at),
                                 (size_t)((fill < room ? fill : room) - at),
                                 hitop_node_fragment(node, (size_t)slot->u.staged.total));
    }
    return fill;
}

void hitop_lanes_take(struct hitop_node *node, const struct hitop_node_blocks *to, uint64_t at)
{
    const size_t step = hitop_lanes_step(node);

    for (int r = 0; r < node->nranks; r++) {
        struct hitop_lane_slot *slot = hitop_lane_slot_of(node, r);
        uint64_t got = at, end;
        unsigned char *block;
        size_t room;

        if (r == node->me || !hitop_lane_is_staged(slot)) {
            continue;
        }
        block = hitop_node_block(to, r, &room);
        end = slot->u.staged.total < at + step ? slot->u.staged.total : at + step;
        while (got < end) {
            got = hitop_lanes_take_some(node, r, slot, got, end, block, room);
        }
    }
    hitop_lane_took(node, at + step);
}
