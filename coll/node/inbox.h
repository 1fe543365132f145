/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_INBOX_H
#define HITOP_NODE_INBOX_H

/*
 * inbox.h - inboxes, and windows of the root's outbox for blocks that are longer than an inbox.
 *
 * The root fills the windows in turn, so that all readers can copy. Where a block does not fit and
 * ranks share processors, all blocks go to the arena instead. Broadcasts by CMA (cma_bcast.h) use
 * the same inboxes and windows.
 */

#include "coll/node/cma_rendezvous.h"
#include "coll/node/outbox.h"

/*
 * Wait until all inboxes of this operation are free: all ranks have completed the operation that
 * used them before. Its root may have polled the inboxes of readers that had gone on.
 */
static inline void hitop_inboxes_await(struct hitop_node *node)
{
    HITOP_WAIT_UNTIL(&node->wait, hitop_node_slot_is_free(node, node->nplaces));
}

/*
 * The root's threshold for a CMA rendezvous. It is that of the thresholds, except where ranks share
 * processors and some shorter block fits neither its window nor the arena: then all blocks longer
 * than a window use a rendezvous, because a wait for room takes turns of the scheduler. SIZE_MAX in
 * the thresholds means never.
 */
size_t hitop_inbox_cma_from(const struct hitop_node *node, const struct hitop_node_blocks *from);

/* The number of blocks that are longer than an inbox and not copied by a rendezvous. */
unsigned hitop_inbox_pending(struct hitop_node *node, const struct hitop_node_blocks *from);

/* Write these blocks to windows. */
void hitop_inbox_write_windows(struct hitop_node *node, const struct hitop_node_blocks *from);

/* The same where all blocks have the same content, which is at `place` in the arena. */
void hitop_inbox_post_copy(struct hitop_node *node, const struct hitop_node_blocks *from,
                           uint64_t place);

/* A reader: copy at most `bytes` of the block to `mine`. Returns 1 if it has another length. */
int hitop_inbox_read(struct hitop_node *node, unsigned char *mine, size_t bytes, int root);

#endif /* HITOP_NODE_INBOX_H */
