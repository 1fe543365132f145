/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_HAND_H
#define HITOP_NODE_HAND_H

/*
 * hand.h - a long block from the memory of its owner to that of one taker, by both.
 *
 * Idea:   the slot in which the owner would have told of a deposit says where the block is, the taker says there where it
 *         wants it. The taker copies chunks from the front, the owner, who would only wait, from the tail; whoever takes
 *         the next one says so in one word that both change.
 * Cost:   half a copy each when both are there.
 * Needs:  pull.h works. Where the kernel changes its mind both learn it, and the block goes the way of deposits.
 */

#include "coll/node/lanes.h"

enum hitop_hand_state { HITOP_HAND_BUSY, HITOP_HAND_DONE, HITOP_HAND_FAILED };

/* Does a block of `bytes` go this way, as those of `from` bytes on do? Its owner asks. */
static inline int hitop_hand_suits(const struct hitop_node *node, size_t bytes, size_t from)
{
    return node->pull.works && bytes >= from;
}

/* The owner: tell of the block. The slot is free. */
void hitop_hand_open(struct hitop_node *node, struct hitop_lane_slot *slot, const void *data,
                     size_t bytes);

/* The taker: say where a block is wanted that was told of; at NULL it is not, and fails. */
void hitop_hand_accept(struct hitop_node *node, struct hitop_lane_slot *slot, void *at);

/*
 * Copy a chunk, if there is one left, to the taker or from the owner, `peer`. 1 when something was
 * done.
 */
typedef int hitop_hand_step(struct hitop_node *node, struct hitop_lane_slot *slot, int peer);
hitop_hand_step hitop_hand_push, hitop_hand_pull;

/* What has become of the block; the same for both once it is not busy any more. */
enum hitop_hand_state hitop_hand_state(const struct hitop_lane_slot *slot);

/* Go on until the block is not busy any more: what has become of it. */
enum hitop_hand_state hitop_hand_finish(struct hitop_node *node, struct hitop_lane_slot *slot,
                                        int peer, hitop_hand_step *step);

/*
 * The same of all blocks that others hand over to us; or that we hand over to others in their
 * boxes, where those of takers who do not come as long as copies of them would take are withdrawn,
 * and fail.
 */
void hitop_hand_pull_all(struct hitop_node *node);
void hitop_hand_push_all(struct hitop_node *node);

/*
 * Wait for the deposit of `rank`, unless its block was handed over: take it when it lies in lines,
 * else *longest becomes at least its length. 1 when that is not the length of its block.
 */
int hitop_lanes_begin(struct hitop_node *node, int rank, const struct hitop_node_blocks *to,
                      uint64_t *longest);

#endif /* HITOP_NODE_HAND_H */
