/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BCAST_LAST_H
#define BCAST_LAST_H

/*
 * bcast_last.h - how the last broadcast over fixed leaders went, for the next one like it.
 *
 * Idea:   programs repeat broadcasts, and of the same root and length all comes out the same: the
 *         root's choice, and whom this process has to send to. It takes a dozen lines of memory to
 *         find that again in the route, which others have taken out of the caches where ranks share
 *         processors; here it lies in two.
 * Source: measured with 8 ranks as two nodes on two processors of an Intel Xeon, balanced
 *         broadcasts of 8 bytes: a root takes 0.85 instead of 1.00 us, all ranks together 1.07
 *         instead of 1.12 of the time of leaders by hand (bench/RESULTS.md).
 */

#include <stddef.h>
#include <stdint.h>

enum { BCAST_LAST_CHILDREN = 12 }; /* of more nothing is kept */

/* Zeroed, it knows of none. */
struct bcast_last {
    size_t bytes; /* of its message */
    int root;
    uint8_t is_known;  /* there was one */
    uint8_t is_chosen; /* this process was the root, and what follows its choice */
    int8_t nchildren;  /* that this process has sent to, or -1: nothing is kept of them */
    uint16_t way;      /* enum hitop_style_way */
    uint16_t builder;  /* of the tree, also where somebody else has chosen it */
    uint32_t segment;  /* bytes */
    int children[BCAST_LAST_CHILDREN]; /* ranks */
};

/*
 * The last one, if it was like one of `bytes` from `root`; otherwise all that was known is
 * forgotten.
 */
static inline void bcast_last_begin(struct bcast_last *last, int root, size_t bytes)
{
    if (!last->is_known || last->bytes != bytes || last->root != root) {
        *last = (struct bcast_last){.bytes = bytes, .root = root, .is_known = 1, .nchildren = -1};
    }
}

#endif /* BCAST_LAST_H */
