/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_CMA_RENDEZVOUS_H
#define HITOP_NODE_CMA_RENDEZVOUS_H

/*
 * hand.h - a long block from the memory of its owner to that of one taker, by both.
 *
 * Idea:   the slot in which the owner would have told of a deposit says where the block is, the taker says there where it
 *         wants it. The taker copies chunks from the front, the owner, who would only wait, from the tail; whoever takes
 *         the next one says so in one word that both change.
 * Cost:   half a copy each when both are there.
 * Needs:  pull.h works. Where the kernel changes its mind both learn it, and the block goes the way of deposits.
 */

#include "coll/node/node.h"
#include "coll/node/outbox.h"

enum hitop_rendezvous_state {
    HITOP_RENDEZVOUS_BUSY,
    HITOP_RENDEZVOUS_DONE,
    HITOP_RENDEZVOUS_FAILED
};

/* Does a block of `bytes` go this way, as those of `from` bytes on do? Its owner asks. */
static inline int hitop_rendezvous_suits(const struct hitop_node *node, size_t bytes, size_t from)
{
    return node->cma.works && bytes >= from;
}

/* The owner: tell of the block. The slot is free. */
void hitop_rendezvous_open(struct hitop_node *node, struct hitop_outbox_slot *slot,
                           const void *data, size_t bytes);

/* The taker: say where a block is wanted that was told of; at NULL it is not, and fails. */
void hitop_rendezvous_accept(struct hitop_node *node, struct hitop_outbox_slot *slot, void *at);

/*
 * Copy a chunk, if there is one left, to the taker or from the owner, `peer`. 1 when something was
 * done.
 */
typedef int hitop_rendezvous_step(struct hitop_node *node, struct hitop_outbox_slot *slot,
                                  int peer);
hitop_rendezvous_step hitop_rendezvous_push, hitop_rendezvous_pull;

/* What has become of the block; the same for both once it is not busy any more. */
enum hitop_rendezvous_state hitop_rendezvous_state(const struct hitop_outbox_slot *slot);

/* Go on until the block is not busy any more: what has become of it. */
enum hitop_rendezvous_state hitop_rendezvous_finish(struct hitop_node *node,
                                                    struct hitop_outbox_slot *slot, int peer,
                                                    hitop_rendezvous_step *step);

/*
 * The same of all blocks that others hand over to us; or that we hand over to others in their
 * boxes, where those of takers who do not come as long as copies of them would take are withdrawn,
 * and fail.
 */
void hitop_rendezvous_pull_all(struct hitop_node *node);
void hitop_rendezvous_push_all(struct hitop_node *node);

/*
 * Wait for the deposit of `rank`, unless its block was handed over: take it when it lies in lines,
 * else *longest becomes at least its length. 1 when that is not the length of its block.
 */
int hitop_outboxes_begin(struct hitop_node *node, int rank, const struct hitop_node_blocks *to,
                         uint64_t *longest);

/*
 * Everybody copies long blocks straight out of the memory of everybody else.
 *
 * Idea:   each says where its memory is, copies what it wants from the others, one after another and beginning with the
 *         next rank, and stays until all have done so.
 * Cost:   one copy instead of two; an exchange of flags at the end.
 * Needs:  all processes have decided alike to go this way.
 */

/* Do blocks of `bytes` go this way, as those of `from` bytes on do? The same in all processes. */
static inline int hitop_cma_exchange_suits(const struct hitop_node *node, size_t bytes, size_t from)
{
    return node->outbox.direct && bytes >= from;
}

/*
 * Block r of `to` is what process r has at `offset` of its `mine`; each has `total` bytes there, or, where total is 0, the
 * length of its block. Returns 1 when all processes have all; 0, in all that have come here, when one has not: then deposits
 * follow. Nobody goes this way again when it is the kernel that has refused.
 */
int hitop_cma_exchange(struct hitop_node *node, const void *mine, size_t bytes, size_t total,
                       size_t offset, const struct hitop_node_blocks *to);

/*
 * The long blocks of a scatter's root in windows of its box, one for each reader.
 *
 * The root fills the windows in turns, so that all readers have something to take; where a block does not fit, and ranks
 * share processors, all are left in memory of the node instead.
 */

/*
 * The root: from how many bytes on blocks are handed over, see hand.h. So the thresholds say; but where ranks share processors,
 * and there is no room for all shorter ones, those that fit no window are, unless none ever is: to wait for room
 * takes turns of the scheduler.
 */
size_t hitop_scatter_cma_from(const struct hitop_node *node, const struct hitop_node_blocks *from);

#endif /* HITOP_NODE_CMA_RENDEZVOUS_H */
