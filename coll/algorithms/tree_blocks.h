/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TREE_BLOCKS_H
#define TREE_BLOCKS_H

/*
 * tree_blocks.h - the blocks of a subtree as one message.
 *
 * They travel in the order of the tree's line (hitop_tree_rank_at()), so that a child's part of its
 * parent's message is one stretch of it.
 */

#include "hitop/sys/coll.h"

/* Bytes of the blocks at places first .. end - 1 of the line. O(end - first) where blocks differ. */
size_t hitop_tree_blocks_bytes(const struct hitop_coll_args *args, int first, int end);

/* Bytes of the blocks of a rank's subtree. */
size_t hitop_tree_blocks_of(const struct hitop_coll_args *args, int rank);

/* The blocks of a child's subtree in this rank's message. */
struct hitop_span hitop_tree_blocks_part(const struct hitop_coll_args *args, int child);

/* Whether the blocks of a subtree lie together, in the order of the line, in a buffer by rank; if so, *span is told
 * where, but for its buffer. */
int hitop_tree_blocks_are_run(const struct hitop_coll_args *args, int rank,
                              struct hitop_span *span);

#endif /* TREE_BLOCKS_H */
