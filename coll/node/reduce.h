/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_REDUCE_H
#define HITOP_NODE_REDUCE_H

/*
 * reduce.h - reductions of posted operands, in the order of ranks.
 *
 * Idea:   The last rank's operand comes first and the first rank's last, so that the accumulator is
 *         always the later operand and no data moves. This is right for operations that do not
 *         commute, and any rank computes the same bits.
 */

#include "coll/node/node.h"
#include "coll/node/outbox.h"

/* Bytes that are combined at a time; they stay in the nearest cache together with the result. */
enum { HITOP_REDUCE_CHUNK = 8 * 1024 };

/*
 * Combine the lined operands of all others and `mine` to `result`, which does not overlap. Waits
 * for the operands. Returns 1 if one has another length; the result is undefined then.
 */
int hitop_reduce_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                       const struct hitop_combine *combine);

/*
 * Combine `bytes` from offset `at` of staged operands, which are written: within one window. This
 * rank's operand is at mine + at, or in its outbox if mine is NULL. The result may be at the last
 * rank's operand.
 */
void hitop_reduce_staged(const struct hitop_node *node, const unsigned char *mine, uint64_t at,
                         unsigned char *result, size_t bytes, const struct hitop_combine *combine);

/* The largest multiple of the unit up to `bytes`, at least one unit. */
static inline size_t hitop_reduce_whole(const struct hitop_combine *combine, size_t bytes)
{
    return bytes < combine->unit ? combine->unit : bytes - bytes % combine->unit;
}

/* Wait for the operands of all others to begin; 1 if one is not staged or has another length. */
int hitop_reduce_differs(struct hitop_node *node, uint64_t bytes);

/*
 * Do all ranks use a CMA reduce for this operation?
 *
 * A rank that wants to publishes so in its slot and waits for the others; all see the same. A rank
 * that does not want to posts its operand. The root of a reduction, which posts nothing, checks
 * whether another rank wants to, and refuses.
 */

/*
 * Can operands of `bytes` use a CMA reduce, given the threshold `from`? Equal in all ranks with the
 * same length.
 */
static inline int hitop_cma_reduce_suits(const struct hitop_node *node, size_t bytes, size_t from)
{
    return node->outbox.direct && bytes >= from;
}

/* The root of a reduction: does another rank offer a CMA reduce? Waits for all ranks to arrive. */
int hitop_cma_reduce_is_offered(struct hitop_node *node);

/* Publish the addresses of this rank's operand and result. */
void hitop_cma_reduce_offer(struct hitop_node *node, const void *mine, const void *result,
                            size_t bytes);

/*
 * Refuse a CMA reduce that another rank offers: all ranks that wait for this rank learn it and post
 * their operands.
 */
static inline void hitop_cma_reduce_refuse(struct hitop_node *node)
{
    hitop_cma_reduce_offer(node, NULL, NULL, 0);
}

/* Wait for all ranks: 1 if all offer a CMA reduce with operands of this length. */
int hitop_cma_reduce_all_agree(struct hitop_node *node, size_t bytes);

/*
 * CMA reduce: all ranks combine long operands in the memory of their owners.
 *
 * Idea:   Each rank publishes the addresses of its operand and its result and claims chunks, one
 *         after another, until none is left. It copies the chunk of all others by CMA, combines it
 *         and copies the result to the ranks that want it. A slower rank claims fewer chunks.
 * Cost:   for P ranks each byte of P - 1 operands is copied once, and once more for each result in
 *         another rank; all of that divided by P. All ranks wait until all is done.
 * Needs:  CMA works (cma.h). If the kernel refuses a copy, all ranks learn it, and the missing
 *         chunks go through the outboxes.
 * Source: Rabenseifner, Optimization of collective reduction operations, ICCS 2004, for dividing
 *         the sum.
 */

/*
 * Combine `mine` of all ranks to `result` of rank `root`, or of all ranks if root is
 * HITOP_OUTBOX_ALL. Returns 1 when the operation is complete; 0 if other ranks have other lengths
 * or do not take part: then the ranks post their operands.
 */
int hitop_cma_reduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                     int root, const struct hitop_combine *combine);

#endif /* HITOP_NODE_REDUCE_H */
