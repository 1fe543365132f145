/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCAST_LAST_H
#define BCAST_LAST_H

/*
 * bcast_last.h - a record of the last broadcast over default leaders, for the next one like it.
 *
 * Idea:   Programs repeat broadcasts. With the same root and length the root makes the same choice
 *         and this process sends to the same ranks. Reading the choice and the tree again takes a
 *         dozen cache lines, which other ranks evict where ranks share processors; the record takes
 *         two lines.
 * Source: measured with 8 ranks as two nodes on two processors of an Intel Xeon, balanced
 *         broadcasts of 8 bytes: a root takes 0.85 instead of 1.00 us; all ranks together take 1.07
 *         instead of 1.12 times as long as a broadcast with leaders written by hand
 *         (bench/RESULTS.md).
 */

#include <stddef.h>
#include <stdint.h>

enum { BCAST_LAST_CHILDREN = 12 }; /* with more children none is recorded */

/* Zero bytes: no broadcast is recorded. */
struct bcast_last {
    size_t bytes; /* bytes of its message */
    int root;
    uint8_t is_known;  /* a broadcast is recorded */
    uint8_t is_chosen; /* this process was the root; pattern, builder and segment are final */
    int8_t nchildren;  /* children that this process sends to; -1: not recorded */
    uint16_t pattern;  /* enum hitop_bcast_pattern */
    uint16_t builder;  /* of the tree, also if another root chose it */
    uint32_t segment;  /* bytes */
    int children[BCAST_LAST_CHILDREN]; /* ranks */
};

/* Keep the record if the last broadcast had `bytes` and `root`, too; otherwise clear it. */
static inline void bcast_last_begin(struct bcast_last *last, int root, size_t bytes)
{
    if (!last->is_known || last->bytes != bytes || last->root != root) {
        *last = (struct bcast_last){.bytes = bytes, .root = root, .is_known = 1, .nchildren = -1};
    }
}

/* Record the root's builder. Recorded children of another tree are forgotten. */
static inline void bcast_last_choose(struct bcast_last *last, unsigned builder)
{
    if (last->builder != builder) {
        last->builder = (uint16_t)builder;
        last->nchildren = -1;
    }
}

#endif /* BCAST_LAST_H */
