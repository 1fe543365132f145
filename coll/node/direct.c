/* SPDX-License-Identifier: BSD-3-Clause */
/* direct.c - see direct.h. */
#include <config.h>

#include "coll/node/direct.h"

#include "coll/node/hand.h"

/*
 * What a process says at the end, instead of where it wants the block: never that it was handed over. Of other lengths not
 * all learn, so that those do not decide how the next operations go.
 */
enum { GOT_ALL = 1, DIFFERS = 2, CANNOT = 4 };

static int copy(struct hitop_node *node, int rank, unsigned char *to, uint64_t from, size_t bytes)
{
    for (size_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < HITOP_COPY_AT_ONCE ? bytes - at : HITOP_COPY_AT_ONCE;
        if (!node->pull.works || !hitop_pull_read(&node->pull, rank, to + at, from + at, n)) {
            return 0;
        }
        hitop_wait_poke(&node->wait);
    }
    return 1;
}

/* Fetch the block of `rank`; what we say of it. */
static uint64_t get(struct hitop_node *node, int rank, size_t total, size_t offset,
                    const struct hitop_node_blocks *to)
{
    struct hitop_lane_slot *slot = hitop_lane_slot_of(node, rank);
    size_t room;
    unsigned char *at = hitop_node_block(to, rank, &room);

    if (hitop_lane_kind(node, slot) != PULLED || slot->handed.total != (total ? total : room)) {
        return DIFFERS;
    }
    return copy(node, rank, at, slot->handed.from + offset, room) ? GOT_ALL : CANNOT;
}

int hitop_direct_exchange(struct hitop_node *node, const void *mine, size_t bytes, size_t total,
                          size_t offset, const struct hitop_node_blocks *to)
{
    struct hitop_lane_slot *slot = hitop_lane_slot_of(node, node->me);
    uint64_t said = GOT_ALL;

    (void)hitop_lane_reserve(node, 0, HITOP_LANE_ALL);
    hitop_hand_open(node, slot, mine, bytes);
    for (int i = 1; i < node->nranks; i++) {
        said |= get(node, (node->me + i) % node->nranks, total, offset, to);
    }
    atomic_store_explicit(&slot->handed.to, said, memory_order_release);
    hitop_wait_ring(&node->wait);
    for (int r = 0; r < node->nranks; r++) {
        struct hitop_lane_slot *theirs = hitop_lane_slot_of(node, r);

        /*
         * Who was told other lengths has only deposited, and says nothing; who is ahead of us may have deposited since,
         * and has said it.
         */
        if (theirs->handed.seq == node->seq) {
            hitop_lane_await(node, &theirs->handed.to, GOT_ALL);
            said |= atomic_load_explicit(&theirs->handed.to, memory_order_acquire);
        }
    }
    if (said & CANNOT) {
        node->lanes.direct = 0;
    }
    return said == GOT_ALL;
}
