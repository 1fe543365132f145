/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scatter.c - one rank has a block for each.
 *
 * Idea:   The root posts short blocks in the inboxes of their readers. Long ones go through its
 *         outbox, in which each reader has a window of its own and reads while the root fills the
 *         windows in turn; the inbox contains the place of the window. Readers wait only for the
 *         root. The root waits only for readers whose window or inbox is full, or whose block is so
 *         long that both copy it by a CMA rendezvous (cma_rendezvous.h). With two ranks a short
 *         block is a message (two_ranks.h).
 * Cost:   each byte is copied twice, the first time by the root; the longest blocks once, by both.
 */
#include <config.h>

#include "coll/node/inbox.h"
#include "coll/node/two_ranks.h"

/* Where blocks are: in inboxes, in the root's memory for a rendezvous, or not published yet. */
enum { IN_INBOX = 0, BY_RENDEZVOUS = 1, AWAITS_WINDOW = 2 }; /* bits */

/* Post a block that needs no window: a short one in the inbox, a long one by a CMA rendezvous. */
static unsigned fill_inbox(struct hitop_node *node, const struct hitop_node_blocks *from, int rank,
                           size_t cma_from)
{
    struct hitop_outbox_slot *inbox = hitop_inbox_slot_of(node, rank);
    const struct hitop_node_block block = hitop_node_block(from, rank);

    if (block.bytes <= HITOP_INBOX_LINED) {
        hitop_outbox_fill_slot(node, inbox, block.at, block.bytes);
        return IN_INBOX;
    }
    if (hitop_rendezvous_suits(node, block.bytes, cma_from)) {
        hitop_cma_offer(node, inbox, block.at, block.bytes, node->thresholds->rendezvous_chunk,
                        NULL);
        return BY_RENDEZVOUS;
    }
    return AWAITS_WINDOW;
}

static int send_blocks(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                       size_t bytes)
{
    const struct hitop_node_block own = hitop_node_block(from, node->me);
    const size_t cma_from = hitop_inbox_cma_from(node, from);
    unsigned there = IN_INBOX;
    int differs;

    hitop_inboxes_await(node);
    for (int r = 0; r < node->nranks; r++) {
        if (r != node->me) {
            there |= fill_inbox(node, from, r, cma_from);
        }
    }
    if (!(there & BY_RENDEZVOUS)) {
        if (there & AWAITS_WINDOW) { /* the own block never needs a window */
            hitop_inbox_write_windows(node, from);
        }
        return hitop_node_keep_own(own, mine, bytes);
    }
    differs = hitop_node_keep_own(own, mine, bytes); /* readers copy meanwhile */
    hitop_rendezvous_finish_all(node, HITOP_RENDEZVOUS_OWNER);
    hitop_inbox_write_windows(node, from);
    return differs;
}

/*
 * A scatter of two ranks whose block for the other one is a message: 1 if it is; *differs is 1 if a
 * length differs.
 */
static int is_message(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                      size_t bytes, int root, int *differs)
{
    size_t length;

    if (node->nranks != 2) {
        return 0;
    }
    if (node->me == root) {
        const struct hitop_node_block block = hitop_node_block(from, 1 - root);

        if (!hitop_two_ranks_suits(node, block.bytes, hitop_two_ranks_block(node))) {
            return 0;
        }
        hitop_node_post_copy(node, block.at, block.bytes, 0);
        *differs = hitop_node_keep_own(hitop_node_block(from, node->me), mine, bytes);
        return 1;
    }
    length = hitop_two_ranks_read(node, &hitop_inbox_slot_of(node, node->me)->tag,
                                  hitop_two_ranks_block(node), bytes, mine, bytes);
    *differs = length != bytes;
    return length != SIZE_MAX;
}

int hitop_node_scatter(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                       size_t bytes, int root)
{
    int differs;

    if (is_message(node, from, mine, bytes, root, &differs)) {
        return differs;
    }
    differs = node->me == root ? send_blocks(node, from, mine, bytes)
                               : hitop_inbox_read(node, mine, bytes, root);
    if (node->me != root) {
        hitop_node_note_peer_progress(node);
    }
    hitop_outbox_complete(node);
    return differs;
}
