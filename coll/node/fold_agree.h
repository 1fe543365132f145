/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_FOLD_AGREE_H
#define HITOP_NODE_FOLD_AGREE_H

/*
 * fold_agree.h - do all processes combine this operation's operands where they lie (fold_direct.h)?
 *
 * Who wants to tells so where it would tell of a deposit, and waits for the others; all see the same. Who does not want to
 * deposits, or, as the root of a reduction, which deposits nothing, looks whether somebody wants to, and refuses.
 */

#include "coll/node/lanes.h"

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

#endif /* HITOP_NODE_FOLD_AGREE_H */
