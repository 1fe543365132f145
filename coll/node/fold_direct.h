/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_FOLD_DIRECT_H
#define HITOP_NODE_FOLD_DIRECT_H

/*
 * fold_direct.h - long operands are combined where they lie, by all processes at once.
 *
 * Idea:   each says where its operand is and where it wants the result, and claims chunks, one after another, until none is
 *         left: it has the kernel copy the chunk from all others, combines it, and has it copied to those who want it.
 *         Who is slower claims less.
 * Cost:   for P processes each byte of P - 1 operands is copied once, and once more for each result but that of who combines
 *         it; all of that divided by P. Nobody leaves before all is done.
 * Needs:  pull.h works. Where the kernel changes its mind all learn it, and what is lacking goes through the lanes.
 * Source: Rabenseifner, Optimization of collective reduction operations, ICCS 2004, for dividing the sum.
 */

#include "coll/node/fold.h"

/*
 * Combine `mine` of all processes to `result` of process `root`, or, where that is HITOP_LANE_ALL, of all. Returns 1 when
 * that is done and the operation left; 0 when others have other lengths, or do not go this way: deposits may follow.
 */
int hitop_fold_direct(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                      int root, const struct hitop_combine *combine);

#endif /* HITOP_NODE_FOLD_DIRECT_H */
