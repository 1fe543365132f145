/* SPDX-License-Identifier: BSD-3-Clause */
/* cma_bcast.c - a broadcast of a long message by CMA; see cma_bcast.h. */
#include <config.h>

#include "coll/node/cma_bcast.h"

#include "coll/node/inbox.h"

static int reader_waits(const struct hitop_node *node)
{
    for (int i = 0; i < node->nranks; i++) {
        if (i != node->me && LOAD_ACQUIRE(&node->members[i].awaited) == node->seq) {
            return 1;
        }
    }
    return 0;
}

int hitop_cma_bcast_is_awaited(struct hitop_node *node, size_t bytes)
{
    const uint64_t since = hitop_wait_clock();
    unsigned round = 0;

    if (bytes > node->ring_bytes / 2) {
        return 1;
    }
    if (node->wrote_last && bytes < node->thresholds->cma_row_from) {
        return 0;
    }
    while (!reader_waits(node)) {
        if (hitop_wait_clock() - since >= HITOP_CMA_GRACE) {
            return 0;
        }
        hitop_wait_relax(&node->wait, &round);
    }
    return 1;
}

/* Post the message for the readers that have not copied it by CMA. */
static void post_rest(struct hitop_node *node, const struct hitop_node_blocks *blocks, size_t bytes)
{
    const unsigned n = hitop_inbox_pending(node, blocks);
    const uint64_t place = n > 0 && node->arena ? hitop_arena_take(node->arena, bytes, n, NULL) : 0;

    if (place == 0) {
        hitop_inbox_write_windows(node, blocks);
        return;
    }
    for (size_t at = 0, left; at < bytes; at += HITOP_COPY_AT_ONCE) {
        left = bytes - at;
        memcpy((unsigned char *)hitop_arena_at(node->arena, place) + at, blocks->base + at,
               left < HITOP_COPY_AT_ONCE ? left : HITOP_COPY_AT_ONCE);
        hitop_wait_progress(&node->wait);
    }
    hitop_inbox_post_copy(node, blocks, place);
}

void hitop_cma_bcast_write(struct hitop_node *node, const void *data, size_t bytes, int note)
{
    static const int displs[HITOP_OUTBOX_RANKS];
    int counts[HITOP_OUTBOX_RANKS];
    /* the same block for each reader */
    const struct hitop_node_blocks blocks = {.base = (unsigned char *)(uintptr_t)data,
                                             .counts = counts,
                                             .displs = displs,
                                             .unit = bytes};
    struct hitop_node_slot *slot;

    hitop_inboxes_await(node); /* the slot of the message is free, too: there are more slots */
    for (int r = 0; r < node->nranks; r++) {
        counts[r] = 1;
        if (r != node->me) {
            hitop_cma_offer(node, hitop_inbox_slot_of(node, r), data, bytes,
                            node->thresholds->chunk, NULL);
        }
    }
    slot = hitop_ring_slot(node);
    node->wrote_last = 1;
    slot->u.cma.total = bytes;
    slot->u.cma.writer = node->me;
    hitop_node_publish(node, &slot->tag, node->seq << TAG_SHIFT | (note ? NOTE : 0) | BY_CMA);
    hitop_rendezvous_finish_all(node, HITOP_RENDEZVOUS_OWNER);
    post_rest(node, &blocks, bytes);
    hitop_outbox_complete(node);
}

size_t hitop_cma_bcast_read(struct hitop_node *node, struct hitop_node_slot *slot, void *buffer,
                            size_t capacity)
{
    const size_t total = slot->u.cma.total;
    const int writer = slot->u.cma.writer;

    (void)hitop_inbox_read(node, buffer, capacity < total ? capacity : total, writer);
    hitop_outbox_complete(node);
    return total;
}
