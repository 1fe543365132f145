/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_PAIR_H
#define HITOP_NODE_PAIR_H

/*
 * pair.h - what one of two processes brings to the other is a message, if it is short.
 *
 * Idea:   among two a gather, a scatter or a reduction says no more than a broadcast does, whose messages answer each other in lines
 *         that both have in their caches (cursor.h), while deposits take the next lines of a lane each time. So blocks of at most
 *         hitop_pair_block() bytes go that way, and operands of at most HITOP_PAIR_OPERAND: longer ones are combined while they
 *         come. Who takes one expects a block of the length of its own and finds any other, too.
 * Source: measured on an AMD EPYC, two processors, roots in turn, ns, through lanes and as messages: far reductions of 8 bytes 271
 *         and 159, of 256 bytes 403 and 324, gathers of 1 KiB 628 and 462, of 4 KiB 1172 and 871; near gathers of 1 KiB 181 and 154,
 *         of 4 KiB 488 and 260; on an Intel Xeon gathers of 8 KiB 1800 and 1150, of 32 KiB 3640 and 2890, of 256 KiB 18500 and 16300,
 *         reductions of 16 KiB 2880 and 2520, of 32 KiB 4500 and 3900; where the two share a processor gathers of 128 KiB 12200 and
 *         12100, of 256 KiB 24600 and 26400, of 512 KiB 87700 and 99000 (bench/RESULTS.md).
 */

#include "coll/node/lanes.h"

enum {
    HITOP_PAIR_BLOCK = 512 * 1024,
    HITOP_PAIR_BLOCK_SHARED =
        128 * 1024, /* of processes that share a processor: the kernel copies longer ones once */
    HITOP_PAIR_OPERAND = 32 * 1024
};

/* The longest block that goes that way. */
static inline size_t hitop_pair_block(const struct hitop_node *node)
{
    return node->wait.alone ? HITOP_PAIR_BLOCK : HITOP_PAIR_BLOCK_SHARED;
}

/* Does a block of `bytes` go that way, as those of at most `most` do, one of the above? */
static inline int hitop_pair_suits(const struct hitop_node *node, size_t bytes, size_t most)
{
    return node->nranks == 2 && bytes <= most;
}

/* The operation of who brings such a block, and waits for nobody who is not many operations late. */
static inline void hitop_pair_put(struct hitop_node *node, const void *block, size_t bytes)
{
    hitop_node_put_copy(node, block, bytes, 0);
}

/*
 * That of who takes one and expects `bytes` of it, of any length: at most `capacity` bytes of it to `block`. Returns its length. Or
 * SIZE_MAX where there is a deposit instead, whose tag is `deposit`; then the operation goes on.
 */
size_t hitop_pair_take(struct hitop_node *node, const _Atomic uint64_t *deposit, size_t most,
                       size_t bytes, void *block, size_t capacity);

/* The same without taking it: its length, or SIZE_MAX. */
size_t hitop_pair_length(struct hitop_node *node, const _Atomic uint64_t *deposit, size_t most,
                         size_t bytes);

#endif /* HITOP_NODE_PAIR_H */
