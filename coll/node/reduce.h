/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_REDUCE_H
#define HITOP_NODE_REDUCE_H

/*
 * reduce.h - reductions of posted operands, in the order of ranks.
 *
 * Idea:   Operands are combined from the last rank's to the first rank's. The accumulator is then
 *         always the later operand, in which run() stores its result, so no data moves. This is
 *         right for operations that do not commute, and any rank computes the same bits.
 */

#include "coll/node/node.h"
#include "coll/node/outbox.h"

/* The largest multiple of the unit up to `bytes`, at least one unit. */
static inline size_t hitop_reduce_whole(const struct hitop_combine *combine, size_t bytes)
{
    return bytes < combine->unit ? combine->unit : bytes - bytes % combine->unit;
}

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
 * HITOP_OUTBOX_ALL. A rank whose operand is long enough calls this, which offers a CMA reduce in
 * its slot and waits for the slots of the others; all see the same. A rank with a shorter operand
 * posts it instead. The root of a reduction, which posts nothing, calls this if another rank offers
 * a CMA reduce, also with a short operand. Returns 1 when the operation is complete; 0
 * if other ranks have other lengths or do not take part: then the ranks post their operands.
 */
int hitop_cma_reduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                     int root, const struct hitop_combine *combine);

#endif /* HITOP_NODE_REDUCE_H */
