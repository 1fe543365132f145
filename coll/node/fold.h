/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_FOLD_H
#define HITOP_NODE_FOLD_H

/*
 * fold.h - combine what lies in the lanes, in the order of ranks.
 *
 * From the last rank to the first, so that the accumulator is always the later operand and nothing has to be moved:
 * right for operations that do not commute, and the same bits whoever does it.
 */

#include "coll/node/lanes.h"
#include "coll/node/operations.h"

/* Bytes that are combined at a time stay in the nearest cache together with the result. */
enum { HITOP_FOLD_CHUNK = 8 * 1024 };

/*
 * Deposits in lines, those of all others and `mine`, to `result`, which is other memory. Waits for the deposits. Returns 1
 * if one had another length: the result means nothing then.
 */
int hitop_fold_lines(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                     const struct hitop_combine *combine);

/*
 * Bytes `at` on of staged deposits, which are there: within one window. Our own are at mine + at, or in our lane where
 * mine is NULL. The result may be where the last process's operand is.
 */
void hitop_fold_staged(const struct hitop_node *node, const unsigned char *mine, uint64_t at,
                       unsigned char *result, size_t bytes, const struct hitop_combine *combine);

/* The largest multiple of the unit up to `bytes`, at least one. */
static inline size_t hitop_fold_whole(const struct hitop_combine *combine, size_t bytes)
{
    return bytes < combine->unit ? combine->unit : bytes - bytes % combine->unit;
}

/* Wait for all other deposits to begin; 1 when one is not staged or has another length. */
int hitop_fold_differs(struct hitop_node *node, uint64_t bytes);

/*
 * Do all processes combine this operation's operands where they lie (fold_direct.h)?
 *
 * Who wants to tells so where it would tell of a deposit, and waits for the others; all see the same. Who does not want to
 * deposits, or, as the root of a reduction, which deposits nothing, looks whether somebody wants to, and refuses.
 */

/* May operands of `bytes` go this way? The same in all processes that know of the same length. */
static inline int hitop_fold_agree_suits(const struct hitop_node *node, size_t bytes, size_t from)
{
    return node->lanes.direct && bytes >= from;
}

/* The root of a reduction: does another process want to go this way? Waits for all to come. */
int hitop_fold_agree_is_wanted(struct hitop_node *node);

/* Tell where our operand and our result are. */
void hitop_fold_agree_tell(struct hitop_node *node, const void *mine, const void *result,
                           size_t bytes);

/* What somebody wants to go this way goes through the lanes instead: all that wait for our operand learn it. */
static inline void hitop_fold_agree_refuse(struct hitop_node *node)
{
    hitop_fold_agree_tell(node, NULL, NULL, 0);
}

/* Wait for all to tell: 1 when all go this way with operands of our length. */
int hitop_fold_agree_all(struct hitop_node *node, size_t bytes);

#endif /* HITOP_NODE_FOLD_H */
