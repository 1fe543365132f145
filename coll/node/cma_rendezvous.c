/* SPDX-License-Identifier: BSD-3-Clause */
/* cma_rendezvous.c - see cma_rendezvous.h. */
#include <config.h>

#include "coll/node/cma_rendezvous.h"

/*
 * A bit above the number of chunks that one side has copied: a copy of this side has failed, so
 * that the last chunk that it has claimed is missing.
 */
#define STUCK (UINT64_C(1) << 32)

/* Instead of an address: the block is rejected. */
enum { UNWANTED = 1 };

static uint64_t chunks(const struct hitop_outbox_slot *slot)
{
    return hitop_cma_chunks((size_t)slot->cma.total, (size_t)slot->cma.chunk);
}

void hitop_cma_offer(struct hitop_node *node, struct hitop_outbox_slot *slot, const void *data,
                     size_t bytes, const struct hitop_piece *chunks, const void *to)
{
    slot->cma.seq = node->seq;
    slot->cma.total = bytes;
    slot->cma.chunk = hitop_piece_for(chunks, bytes);
    slot->cma.from = (uint64_t)(uintptr_t)data;
    STORE_RELAXED(&slot->cma.to, (uint64_t)(uintptr_t)to);
    STORE_RELAXED(&slot->cma.claimed, 0);
    STORE_RELAXED(&slot->cma.nread, 0);
    STORE_RELAXED(&slot->cma.nwritten, 0);
    hitop_node_publish(node, &slot->tag, node->seq << TAG_SHIFT | BY_CMA);
}

void hitop_rendezvous_accept(struct hitop_node *node, struct hitop_outbox_slot *slot, void *at)
{
    uint64_t nowhere = 0; /* unless the owner has withdrawn the block */

    (void)atomic_compare_exchange_strong_explicit(&slot->cma.to, &nowhere,
                                                  at ? (uint64_t)(uintptr_t)at : UNWANTED,
                                                  memory_order_acq_rel, memory_order_acquire);
    hitop_wait_notify(&node->wait);
}

/* Claim a chunk unless `mine`, the count of this side, has STUCK. */
static int claim(struct hitop_outbox_slot *slot, uint64_t mine)
{
    _Atomic uint64_t *claimed = &slot->cma.claimed;

    return !(mine & STUCK) && LOAD_RELAXED(claimed) < chunks(slot) &&
           atomic_fetch_add_explicit(claimed, 1, memory_order_acq_rel) < chunks(slot);
}

/* Copy a chunk, if there is one left, between this rank and `peer`: 1 if one was tried. */
static int copy_chunk(struct hitop_node *node, struct hitop_outbox_slot *slot, int peer,
                      enum hitop_rendezvous_side side)
{
    _Atomic uint64_t *mine =
        side == HITOP_RENDEZVOUS_OWNER ? &slot->cma.nwritten : &slot->cma.nread;
    const uint64_t to = LOAD_ACQUIRE(&slot->cma.to), done = LOAD_RELAXED(mine);
    uint64_t i, at;
    size_t bytes;
    int copied;

    if (side == HITOP_RENDEZVOUS_OWNER && LOAD_RELAXED(&slot->cma.nread) & STUCK) {
        node->cma.works = 0; /* later blocks do not use CMA */
    }
    if (to <= UNWANTED || !claim(slot, done)) {
        return 0;
    }
    i = side == HITOP_RENDEZVOUS_OWNER ? chunks(slot) - 1 - done : done;
    at = i * slot->cma.chunk;
    bytes = hitop_cma_chunk((size_t)slot->cma.total, (size_t)slot->cma.chunk, (size_t)i);
    copied = node->cma.works &&
             (side == HITOP_RENDEZVOUS_OWNER
                  ? hitop_cma_write(&node->cma, peer, to + at,
                                    (const void *)(uintptr_t)(slot->cma.from + at), bytes)
                  : hitop_cma_read(&node->cma, peer, (void *)(uintptr_t)(to + at),
                                   slot->cma.from + at, bytes));
    if (!copied) {
        node->cma.works = 0;
    }
    hitop_node_publish(node, mine, copied ? done + 1 : done | STUCK);
    hitop_wait_progress(&node->wait);
    return 1;
}

enum hitop_rendezvous_state hitop_rendezvous_state(const struct hitop_outbox_slot *slot)
{
    const uint64_t nread = LOAD_ACQUIRE(&slot->cma.nread);
    const uint64_t nwritten = LOAD_ACQUIRE(&slot->cma.nwritten);
    const uint64_t copied = nread % STUCK + nwritten % STUCK;
    const uint64_t lost = (nread & STUCK ? 1u : 0u) + (nwritten & STUCK ? 1u : 0u);

    if (LOAD_ACQUIRE(&slot->cma.to) == UNWANTED || lost == 2) {
        return HITOP_RENDEZVOUS_FAILED;
    }
    if (copied + lost < chunks(slot)) {
        return HITOP_RENDEZVOUS_BUSY;
    }
    return lost ? HITOP_RENDEZVOUS_FAILED : HITOP_RENDEZVOUS_DONE;
}

enum hitop_rendezvous_state hitop_rendezvous_finish(struct hitop_node *node,
                                                    struct hitop_outbox_slot *slot, int peer,
                                                    enum hitop_rendezvous_side side)
{
    enum hitop_rendezvous_state state;
    unsigned round = 0;

    while ((state = hitop_rendezvous_state(slot)) == HITOP_RENDEZVOUS_BUSY) {
        if (copy_chunk(node, slot, peer, side)) {
            round = 0;
        } else {
            hitop_wait_relax(&node->wait, &round);
        }
    }
    return state;
}

/* The slot of a block between this rank and `rank` if its rendezvous is busy, else NULL. */
static struct hitop_outbox_slot *busy_slot(struct hitop_node *node, int rank,
                                           enum hitop_rendezvous_side side)
{
    struct hitop_outbox_slot *slot = side == HITOP_RENDEZVOUS_OWNER
                                         ? hitop_inbox_slot_of(node, rank)
                                         : hitop_outbox_slot_of(node, rank);

    return rank != node->me && hitop_outbox_is_by_cma(node, slot) &&
                   hitop_rendezvous_state(slot) == HITOP_RENDEZVOUS_BUSY
               ? slot
               : NULL;
}

/*
 * The bytes of blocks whose readers have not arrived; a block at the same address as the one before
 * is that of a broadcast, of which one copy serves all readers. With `withdraw` their rendezvous
 * fail; the caller posts these blocks later.
 */
static size_t absent_bytes(struct hitop_node *node, int withdraw)
{
    uint64_t before = 0;
    size_t bytes = 0;

    for (int r = 0; r < node->nranks; r++) {
        struct hitop_outbox_slot *slot = busy_slot(node, r, HITOP_RENDEZVOUS_OWNER);

        if (slot && LOAD_RELAXED(&slot->cma.to) == 0) {
            bytes += slot->cma.from != before ? slot->cma.total : 0;
            before = slot->cma.from;
            if (withdraw) {
                hitop_rendezvous_accept(node, slot, NULL);
            }
        }
    }
    return bytes;
}

void hitop_rendezvous_finish_all(struct hitop_node *node, enum hitop_rendezvous_side side)
{
    uint64_t since = 0;
    unsigned round = 0;
    int is_busy = 1;

    while (is_busy) {
        int copied = 0;
        size_t absent;

        is_busy = 0;
        for (int r = 0; r < node->nranks; r++) {
            struct hitop_outbox_slot *slot = busy_slot(node, r, side);

            if (slot) {
                is_busy = 1;
                copied |= copy_chunk(node, slot, r, side);
            }
        }
        if (copied) {
            round = 0;
            since = 0;
            continue;
        }
        absent = side == HITOP_RENDEZVOUS_OWNER ? absent_bytes(node, 0) : 0;
        if (absent > 0 && hitop_node_must_spill(&since, absent, node->thresholds->patience)) {
            (void)absent_bytes(node, 1);
        }
        if (is_busy) {
            hitop_wait_relax(&node->wait, &round);
        }
    }
}

int hitop_outboxes_begin(struct hitop_node *node, int rank, const struct hitop_node_blocks *to,
                         uint64_t *longest)
{
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, rank);
    const struct hitop_node_block block = hitop_node_block(to, rank);
    uint64_t length;

    if (hitop_outbox_is_by_cma(node, slot) &&
        hitop_rendezvous_state(slot) == HITOP_RENDEZVOUS_DONE) {
        return 0;
    }
    length = hitop_outbox_length(node, slot);
    if (hitop_outbox_is_staged(slot)) {
        *longest = length > *longest ? length : *longest;
    } else {
        hitop_outbox_get(node, slot, 0, block.at,
                         length < block.bytes ? (size_t)length : block.bytes);
    }
    return length != block.bytes;
}

/*
 * The final report of a rank in a CMA exchange, in `to`: hitop_rendezvous_state() of such a slot
 * must not be HITOP_RENDEZVOUS_DONE. After CANNOT there are no more exchanges. After DIFFERS there
 * are, because not all ranks learn of it.
 */
enum { GOT_ALL = 1, DIFFERS = 2, CANNOT = 4 };

static int copy(struct hitop_node *node, int rank, unsigned char *to, uint64_t from, size_t bytes)
{
    for (size_t at = 0, n; at < bytes; at += n) {
        n = bytes - at < HITOP_COPY_AT_ONCE ? bytes - at : HITOP_COPY_AT_ONCE;
        if (!node->cma.works || !hitop_cma_read(&node->cma, rank, to + at, from + at, n)) {
            return 0;
        }
        hitop_wait_progress(&node->wait);
    }
    return 1;
}

/* Copy the block of `rank`; returns the report about it. */
static uint64_t get(struct hitop_node *node, int rank, size_t total, size_t offset,
                    const struct hitop_node_blocks *to)
{
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, rank);
    const struct hitop_node_block block = hitop_node_block(to, rank);

    if (hitop_outbox_kind(node, slot) != BY_CMA ||
        slot->cma.total != (total ? total : block.bytes)) {
        return DIFFERS;
    }
    return copy(node, rank, block.at, slot->cma.from + offset, block.bytes) ? GOT_ALL : CANNOT;
}

int hitop_cma_exchange(struct hitop_node *node, const void *mine, size_t bytes, size_t total,
                       size_t offset, const struct hitop_node_blocks *to)
{
    struct hitop_outbox_slot *slot = hitop_outbox_slot_of(node, node->me);
    uint64_t report = GOT_ALL;

    (void)hitop_outbox_reserve(node, 0, HITOP_OUTBOX_ALL);
    hitop_cma_offer(node, slot, mine, bytes, node->thresholds->rendezvous_chunk, NULL);
    for (int i = 1; i < node->nranks; i++) {
        report |= get(node, (node->me + i) % node->nranks, total, offset, to);
    }
    hitop_node_publish(node, &slot->cma.to, report);
    for (int r = 0; r < node->nranks; r++) {
        struct hitop_outbox_slot *theirs = hitop_outbox_slot_of(node, r);

        /*
         * A rank that expects other lengths posts its block without an exchange and never reports:
         * its `seq` is older. A rank that is ahead may have posted its block already; its report is
         * still there.
         */
        if (theirs->cma.seq == node->seq) {
            hitop_outbox_await(node, &theirs->cma.to, GOT_ALL);
            report |= LOAD_ACQUIRE(&theirs->cma.to);
        }
    }
    if (report & CANNOT) {
        node->outbox.direct = 0;
    }
    return report == GOT_ALL;
}
