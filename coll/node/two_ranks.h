/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_TWO_RANKS_H
#define HITOP_NODE_TWO_RANKS_H

/*
 * two_ranks.h - two-rank fast path: a short block between two ranks is a message of a broadcast.
 *
 * Idea:   With two ranks, a gather, a scatter or a reduction moves one block, as a broadcast does.
 *         The messages of broadcasts reuse lines that both ranks have in their caches (struct
 *         hitop_slot_index), while posted blocks take the next lines of an outbox each time. So
 *         blocks of at most hitop_two_ranks_block() bytes and operands of at most
 *         HITOP_TWO_RANKS_OPERAND bytes are messages; longer operands are combined while they
 *         arrive. The reader polls where a block as long as its own arrives, and also finds others.
 * Source: measured on an AMD EPYC, two processors, roots in turn, ns, through outboxes and as
 *         messages: on different sockets, reductions of 8 bytes 271 and 159, of 256 bytes 403 and
 *         324, gathers of 1 KiB 628 and 462, of 4 KiB 1172 and 871; with a shared cache, gathers of
 *         1 KiB 181 and 154, of 4 KiB 488 and 260. On an Intel Xeon, gathers of 8 KiB 1800 and
 *         1150, of 32 KiB 3640 and 2890, of 256 KiB 18500 and 16300, reductions of 16 KiB 2880 and
 *         2520, of 32 KiB 4500 and 3900; with both ranks on one processor, gathers of 128 KiB 12200
 *         and 12100, of 256 KiB 24600 and 26400, of 512 KiB 87700 and 99000 (bench/RESULTS.md).
 */

#include "coll/node/layout.h"

enum {
    HITOP_TWO_RANKS_BLOCK = 512 * 1024,
    HITOP_TWO_RANKS_BLOCK_SHARED =
        128 * 1024, /* where ranks share a processor, CMA copies longer ones */
    HITOP_TWO_RANKS_OPERAND = 32 * 1024
};

/* The longest block on the two-rank fast path. */
static inline size_t hitop_two_ranks_block(const struct hitop_node *node)
{
    return node->wait.alone ? HITOP_TWO_RANKS_BLOCK : HITOP_TWO_RANKS_BLOCK_SHARED;
}

/* Does a block of `bytes` take the two-rank fast path? `most` is one of the limits above. */
static inline int hitop_two_ranks_suits(const struct hitop_node *node, size_t bytes, size_t most)
{
    return node->nranks == 2 && bytes <= most;
}

/* Wait for a block of which `bytes` are expected; its tag, or POSTED. */
static inline uint64_t hitop_two_ranks_await(struct hitop_node *node,
                                             const struct hitop_node_sources *s, size_t most,
                                             size_t bytes)
{
    return bytes <= most ? hitop_node_await(node, s, bytes) : hitop_node_await_posted(node, s);
}

/*
 * Read a block of any length, which its owner has posted with hitop_node_post_copy() if it is at
 * most `most` long; one of `bytes` is expected. At most `capacity` bytes go to `block`. Returns its
 * length and completes the operation; or SIZE_MAX if the block is in the slot with tag `posted`:
 * then the operation goes on.
 */
static inline size_t hitop_two_ranks_read(struct hitop_node *node, const _Atomic uint64_t *posted,
                                          size_t most, size_t bytes, void *block, size_t capacity)
{
    const struct hitop_node_sources s = hitop_node_sources_of(node, posted);
    const uint64_t tag = hitop_two_ranks_await(node, &s, most, bytes);
    int note;

    return tag == POSTED ? SIZE_MAX : hitop_node_receive(node, &s, tag, block, capacity, &note);
}

/* The length of the block without reading it, or SIZE_MAX. */
static inline size_t hitop_two_ranks_length(struct hitop_node *node, const _Atomic uint64_t *posted,
                                            size_t most, size_t bytes)
{
    const struct hitop_node_sources s = hitop_node_sources_of(node, posted);
    const uint64_t tag = hitop_two_ranks_await(node, &s, most, bytes);

    return tag == POSTED ? SIZE_MAX : hitop_node_length(node, &s, tag);
}

#endif /* HITOP_NODE_TWO_RANKS_H */
