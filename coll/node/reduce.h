/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_REDUCE_H
#define HITOP_NODE_REDUCE_H

/*
 * fold.h - combine what lies in the lanes, in the order of ranks.
 *
 * From the last rank to the first, so that the accumulator is always the later operand and nothing has to be moved:
 * right for operations that do not commute, and the same bits whoever does it.
 */

#include "coll/node/node.h"
#include "coll/node/outbox.h"

/* Bytes that are combined at a time stay in the nearest cache together with the result. */
enum { HITOP_REDUCE_CHUNK = 8 * 1024 };

/*
 * Deposits in lines, those of all others and `mine`, to `result`, which is other memory. Waits for the deposits. Returns 1
 * if one had another length: the result means nothing then.
 */
int hitop_reduce_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                       const struct hitop_combine *combine);

/*
 * Bytes `at` on of staged deposits, which are there: within one window. Our own are at mine + at, or in our lane where
 * mine is NULL. The result may be where the last process's operand is.
 */
void hitop_reduce_staged(const struct hitop_node *node, const unsigned char *mine, uint64_t at,
                         unsigned char *result, size_t bytes, const struct hitop_combine *combine);

/* The largest multiple of the unit up to `bytes`, at least one. */
static inline size_t hitop_reduce_whole(const struct hitop_combine *combine, size_t bytes)
{
    return bytes < combine->unit ? combine->unit : bytes - bytes % combine->unit;
}

/* Wait for all other deposits to begin; 1 when one is not staged or has another length. */
int hitop_reduce_differs(struct hitop_node *node, uint64_t bytes);

/*
 * Do all processes combine this operation's operands where they lie (fold_direct.h)?
 *
 * Who wants to tells so where it would tell of a deposit, and waits for the others; all see the same. Who does not want to
 * deposits, or, as the root of a reduction, which deposits nothing, looks whether somebody wants to, and refuses.
 */

/* May operands of `bytes` go this way? The same in all processes that know of the same length. */
static inline int hitop_cma_reduce_suits(const struct hitop_node *node, size_t bytes, size_t from)
{
    return node->outbox.direct && bytes >= from;
}

/* The root of a reduction: does another process want to go this way? Waits for all to come. */
int hitop_cma_reduce_is_offered(struct hitop_node *node);

/* Tell where our operand and our result are. */
void hitop_cma_reduce_offer(struct hitop_node *node, const void *mine, const void *result,
                            size_t bytes);

/* What somebody wants to go this way goes through the lanes instead: all that wait for our operand learn it. */
static inline void hitop_cma_reduce_refuse(struct hitop_node *node)
{
    hitop_cma_reduce_offer(node, NULL, NULL, 0);
}

/* Wait for all to tell: 1 when all go this way with operands of our length. */
int hitop_cma_reduce_all_agree(struct hitop_node *node, size_t bytes);

/*
 * Long operands are combined where they lie, by all processes at once.
 *
 * Idea:   each says where its operand is and where it wants the result, and claims chunks, one after another, until none is
 *         left: it has the kernel copy the chunk from all others, combines it, and has it copied to those who want it.
 *         Who is slower claims less.
 * Cost:   for P processes each byte of P - 1 operands is copied once, and once more for each result but that of who combines
 *         it; all of that divided by P. Nobody leaves before all is done.
 * Needs:  pull.h works. Where the kernel changes its mind all learn it, and what is lacking goes through the lanes.
 * Source: Rabenseifner, Optimization of collective reduction operations, ICCS 2004, for dividing the sum.
 */

/*
 * Combine `mine` of all processes to `result` of process `root`, or, where that is HITOP_OUTBOX_ALL, of all. Returns 1 when
 * that is done and the operation left; 0 when others have other lengths, or do not go this way: deposits may follow.
 */
int hitop_cma_reduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                     int root, const struct hitop_combine *combine);

#endif /* HITOP_NODE_REDUCE_H */
