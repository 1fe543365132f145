/* SPDX-License-Identifier: BSD-3-Clause */
/* hand.c - see hand.h. */
#include <config.h>

#include "coll/node/hand.h"
#include "coll/node/spill.h"

/*
 * Above the number of chunks that one of the two has copied: it cannot copy any more, and the chunk
 * that it had claimed is not there.
 */
#define STUCK (UINT64_C(1) << 32)

/* Instead of an address: the block is not wanted. */
enum { UNWANTED = 1 };

static uint64_t chunks(const struct hitop_lane_slot *slot)
{
    return hitop_pull_chunks((size_t)slot->handed.total, (size_t)slot->handed.chunk);
}

void hitop_hand_open(struct hitop_node *node, struct hitop_lane_slot *slot, const void *data,
                     size_t bytes)
{
    slot->handed.seq = node->seq;
    slot->handed.total = bytes;
    slot->handed.chunk = hitop_piece_for(node->thresholds->hand_chunk, bytes);
    slot->handed.from = (uint64_t)(uintptr_t)data;
    atomic_store_explicit(&slot->handed.to, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->handed.claimed, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->handed.pulled, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->handed.pushed, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->tag, node->seq << TAG_SHIFT | PULLED, memory_order_release);
    hitop_wait_ring(&node->wait);
}

void hitop_hand_accept(struct hitop_node *node, struct hitop_lane_slot *slot, void *at)
{
    uint64_t nowhere = 0; /* unless the owner has withdrawn it */

    (void)atomic_compare_exchange_strong_explicit(&slot->handed.to, &nowhere,
                                                  at ? (uint64_t)(uintptr_t)at : UNWANTED,
                                                  memory_order_acq_rel, memory_order_acquire);
    hitop_wait_ring(&node->wait);
}

/* Claim a chunk unless `mine`, the count of this side, says that it is stuck. */
static int claim(struct hitop_lane_slot *slot, uint64_t mine)
{
    _Atomic uint64_t *claimed = &slot->handed.claimed;

    return !(mine & STUCK) && atomic_load_explicit(claimed, memory_order_relaxed) < chunks(slot) &&
           atomic_fetch_add_explicit(claimed, 1, memory_order_acq_rel) < chunks(slot);
}

/* Bytes of chunk `i`. */
static size_t length(const struct hitop_lane_slot *slot, uint64_t i)
{
    return hitop_pull_chunk((size_t)slot->handed.total, (size_t)slot->handed.chunk, (size_t)i);
}

/* One more is there, or this side is stuck. */
static void count(struct hitop_node *node, _Atomic uint64_t *side, uint64_t before, int copied)
{
    if (!copied) {
        node->pull.works = 0;
    }
    atomic_store_explicit(side, copied ? before + 1 : before | STUCK, memory_order_release);
    hitop_wait_ring(&node->wait);
    hitop_wait_poke(&node->wait);
}

int hitop_hand_push(struct hitop_node *node, struct hitop_lane_slot *slot, int taker)
{
    const uint64_t to = atomic_load_explicit(&slot->handed.to, memory_order_acquire);
    const uint64_t done = atomic_load_explicit(&slot->handed.pushed, memory_order_relaxed);
    uint64_t i, at;

    if (to <= UNWANTED || !claim(slot, done)) {
        return 0;
    }
    i = chunks(slot) - 1 - done;
    at = i * slot->handed.chunk;
    count(node, &slot->handed.pushed, done,
          node->pull.works &&
              hitop_pull_write(&node->pull, taker, to + at,
                               (const void *)(uintptr_t)(slot->handed.from + at), length(slot, i)));
    return 1;
}

int hitop_hand_pull(struct hitop_node *node, struct hitop_lane_slot *slot, int owner)
{
    const uint64_t to = atomic_load_explicit(&slot->handed.to, memory_order_relaxed);
    const uint64_t done = atomic_load_explicit(&slot->handed.pulled, memory_order_relaxed);
    const uint64_t at = done * slot->handed.chunk;

    if (to <= UNWANTED || !claim(slot, done)) {
        return 0;
    }
    count(node, &slot->handed.pulled, done,
          node->pull.works && hitop_pull_read(&node->pull, owner, (void *)(uintptr_t)(to + at),
                                              slot->handed.from + at, length(slot, done)));
    return 1;
}

enum hitop_hand_state hitop_hand_state(const struct hitop_lane_slot *slot)
{
    const uint64_t pulled = atomic_load_explicit(&slot->handed.pulled, memory_order_acquire);
    const uint64_t pushed = atomic_load_explicit(&slot->handed.pushed, memory_order_acquire);
    const uint64_t copied = pulled % STUCK + pushed % STUCK;
    const uint64_t lost = (pulled & STUCK ? 1u : 0u) + (pushed & STUCK ? 1u : 0u);

    if (atomic_load_explicit(&slot->handed.to, memory_order_acquire) == UNWANTED || lost == 2) {
        return HITOP_HAND_FAILED;
    }
    if (copied + lost < chunks(slot)) {
        return HITOP_HAND_BUSY;
    }
    return lost ? HITOP_HAND_FAILED : HITOP_HAND_DONE;
}

enum hitop_hand_state hitop_hand_finish(struct hitop_node *node, struct hitop_lane_slot *slot,
                                        int peer, hitop_hand_step *step)
{
    enum hitop_hand_state state;
    unsigned round = 0;

    while ((state = hitop_hand_state(slot)) == HITOP_HAND_BUSY) {
        if (step(node, slot, peer)) {
            round = 0;
        } else {
            hitop_wait_relax(&node->wait, &round);
        }
    }
    return state;
}

static int is_busy(const struct hitop_node *node, struct hitop_lane_slot *slot)
{
    return hitop_lane_is_handed(node, slot) && hitop_hand_state(slot) == HITOP_HAND_BUSY;
}

/*
 * A chunk of each of all blocks that are not there yet: 1 when there are such blocks; *copied
 * becomes 1 with a chunk.
 */
static int step_all(struct hitop_node *node,
                    struct hitop_lane_slot *slot_of(const struct hitop_node *, int),
                    hitop_hand_step *step, int *copied)
{
    int busy = 0;

    *copied = 0;
    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me && is_busy(node, slot_of(node, r))) {
            busy = 1;
            *copied |= step(node, slot_of(node, r), r);
        }
    }
    return busy;
}

void hitop_hand_pull_all(struct hitop_node *node)
{
    unsigned round = 0;
    int copied;

    while (step_all(node, hitop_lane_slot_of, hitop_hand_pull, &copied)) {
        if (copied) {
            round = 0;
        } else {
            hitop_wait_relax(&node->wait, &round);
        }
    }
}

/* Bytes of blocks whose takers have not come; `withdraw`: they will find them elsewhere. */
static size_t absent_bytes(struct hitop_node *node, int withdraw)
{
    size_t bytes = 0;

    for (int r = 0; r < node->nranks; r++) {
        struct hitop_lane_slot *box = hitop_lane_box_of(node, r);

        if (r != node->me && is_busy(node, box) &&
            atomic_load_explicit(&box->handed.to, memory_order_relaxed) == 0) {
            bytes += box->handed.total;
            if (withdraw) {
                hitop_hand_accept(node, box, NULL);
            }
        }
    }
    return bytes;
}

void hitop_hand_push_all(struct hitop_node *node)
{
    uint64_t since = 0;
    unsigned round = 0;
    int copied;

    while (step_all(node, hitop_lane_box_of, hitop_hand_push, &copied)) {
        if (copied) {
            round = 0;
            since = 0;
        } else {
            const size_t absent = absent_bytes(node, 0);
            if (absent > 0 && hitop_spill_is_due(&since, absent, node->thresholds->patience)) {
                (void)absent_bytes(node, 1);
            }
            hitop_wait_relax(&node->wait, &round);
        }
    }
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
