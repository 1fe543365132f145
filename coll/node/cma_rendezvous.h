/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_CMA_RENDEZVOUS_H
#define HITOP_NODE_CMA_RENDEZVOUS_H

/*
 * cma_rendezvous.h - copies of long blocks by CMA: from one rank to another by both of them, and
 * among all ranks.
 *
 * Idea:   The owner publishes the address of its block in its slot; the reader publishes there
 *         where it wants the block. The reader copies chunks from the front, the owner, which would
 *         only wait, from the tail. Both claim the next chunk in one shared word.
 * Cost:   half a copy each when both have arrived.
 * Needs:  CMA works (cma.h). If the kernel refuses a copy, both sides learn it, and the block is
 *         posted.
 */

#include "coll/node/node.h"
#include "coll/node/outbox.h"

enum hitop_rendezvous_state {
    HITOP_RENDEZVOUS_BUSY,
    HITOP_RENDEZVOUS_DONE,
    HITOP_RENDEZVOUS_FAILED
};

/*
 * Does a block of `bytes` use a CMA rendezvous, given the threshold `from`? Its owner calls this.
 */
static inline int hitop_rendezvous_suits(const struct hitop_node *node, size_t bytes, size_t from)
{
    return node->cma.works && bytes >= from;
}

/*
 * The owner: publish a request for copies by CMA in a free slot. `chunks`: the bytes of a chunk, by
 * the length of the block. `to`: the address of the owner's result in a CMA reduce, else NULL.
 */
void hitop_cma_offer(struct hitop_node *node, struct hitop_outbox_slot *slot, const void *data,
                     size_t bytes, const struct hitop_piece *chunks, const void *to);

/*
 * The reader: publish where it wants the block. With NULL it rejects the block, and the rendezvous
 * fails.
 */
void hitop_rendezvous_accept(struct hitop_node *node, struct hitop_outbox_slot *slot, void *at);

enum hitop_rendezvous_side { HITOP_RENDEZVOUS_READER, HITOP_RENDEZVOUS_OWNER };

/* The state of the rendezvous; equal for both sides once it is not busy any more. */
enum hitop_rendezvous_state hitop_rendezvous_state(const struct hitop_outbox_slot *slot);

/* Copy and wait until the rendezvous is not busy any more; returns its state. */
enum hitop_rendezvous_state hitop_rendezvous_finish(struct hitop_node *node,
                                                    struct hitop_outbox_slot *slot, int peer,
                                                    enum hitop_rendezvous_side side);

/*
 * The same for all blocks that others offer to this rank in their outboxes, or for all that this
 * rank offers in the inboxes of others. An owner withdraws the blocks of readers that do not arrive
 * within the time of copying them; these rendezvous fail.
 */
void hitop_rendezvous_finish_all(struct hitop_node *node, enum hitop_rendezvous_side side);

/*
 * Wait for the posted block of `rank`, unless a rendezvous has copied it. Copies a block in lines;
 * for a staged one *longest becomes at least its length. Returns 1 if the length is not that of its
 * place in `to`.
 */
int hitop_outboxes_begin(struct hitop_node *node, int rank, const struct hitop_node_blocks *to,
                         uint64_t *longest);

/*
 * CMA exchange: all ranks copy long blocks directly from the memory of all others.
 *
 * Idea:   Each rank publishes its address, copies what it needs from the others one after another,
 *         beginning with the next rank, and waits until all have done so.
 * Cost:   one copy instead of two; an exchange of flags at the end.
 * Needs:  all ranks decide alike to use it.
 */

/* Do blocks of `bytes` use a CMA exchange, given the threshold `from`? Equal in all ranks. */
static inline int hitop_cma_exchange_suits(const struct hitop_node *node, size_t bytes, size_t from)
{
    return node->outbox.direct && bytes >= from;
}

/*
 * Block r of `to` is at `offset` in `mine` of rank r. `mine` has `total` bytes in all ranks, or,
 * with total 0, the length of the rank's block. Returns 1 if all ranks have all blocks; 0, in all
 * ranks that take part, if one has not: then they post their blocks. If the kernel has refused a
 * copy, later operations use neither a CMA exchange nor a CMA reduce.
 */
int hitop_cma_exchange(struct hitop_node *node, const void *mine, size_t bytes, size_t total,
                       size_t offset, const struct hitop_node_blocks *to);

#endif /* HITOP_NODE_CMA_RENDEZVOUS_H */
