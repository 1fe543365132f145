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

#endif /* HITOP_NODE_FOLD_H */
