/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_CMA_BCAST_H
#define HITOP_NODE_CMA_BCAST_H

/*
 * cma_bcast.h - a broadcast of a long message that is copied once, from the writer's memory to that
 * of each reader.
 *
 * Idea:   The writer offers the message to each reader by a CMA rendezvous (cma_rendezvous.h).
 *         Readers that come too late, or to which CMA fails, find a copy in the arena or windows of
 *         the writer's outbox, as in a scatter. As long as no reader waits, messages go through the
 *         ring, so that a writer can run ahead of busy readers. A message that follows another long
 *         one of the same writer goes through the ring too if it is shorter than cma_row_from: the
 *         writer can then fill its buffer again while readers copy, and need not fetch the lines of
 *         its buffer back from them. For longer messages the saved copy is worth more.
 * Cost:   half a copy with two ranks; the writer waits until the last reader has arrived or the
 *         copy in the arena is made. A message of at most half the ring waits at most
 *         HITOP_CMA_GRACE for a first reader, then goes through the ring.
 * Needs:  CMA works (cma.h), and ranks have outboxes.
 * Source: measured on an Intel Xeon, us by CMA and through the ring, broadcasts in a row from one
 *         rank to another: 1 MiB 101 and 67, 2 MiB 208 and 208, 4 MiB 490 and 580; where both ranks
 *         wait before each broadcast, 1 MiB 41 and 45 (bench/RESULTS.md).
 */

#include "coll/node/layout.h"

enum { HITOP_CMA_GRACE = 2000 }; /* ns */

/* Can a message of `bytes` go by CMA? The writer calls this. */
static inline int hitop_cma_bcast_suits(const struct hitop_node *node, size_t bytes)
{
    return bytes >= node->thresholds->cma_from && node->cma.works && node->outbox.ring_bytes > 0;
}

/* A reader publishes that it waits for such a message. */
static inline void hitop_cma_bcast_await(struct hitop_node *node)
{
    STORE_RELEASE(&node->members[node->me].awaited, node->seq);
}

/*
 * Does the writer use CMA for a message of `bytes`? 1 if a reader waits and CMA is faster than the
 * ring, or if the writer would have to wait for readers anyway.
 */
int hitop_cma_bcast_is_awaited(struct hitop_node *node, size_t bytes);

/*
 * The writer's part of the operation under way; a reader's part after it has found the message in
 * its slot.
 */
void hitop_cma_bcast_write(struct hitop_node *node, const void *data, size_t bytes, int note);
size_t hitop_cma_bcast_read(struct hitop_node *node, struct hitop_node_slot *slot, void *buffer,
                            size_t capacity);

#endif /* HITOP_NODE_CMA_BCAST_H */
