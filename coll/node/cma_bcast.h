/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_CMA_BCAST_H
#define HITOP_NODE_CMA_BCAST_H

/*
 * cma_bcast.h - a broadcast of a long message that is copied once, from the writer's memory to that
 * of each reader.
 *
 * Idea:   A reader copies chunks from the front. The writer, which would only wait, copies chunks
 *         from the tail. Both claim the next chunk in one shared word, so both processors copy.
 *         When all readers that have arrived are served, the writer waits for the others as long as
 *         a copy takes, then copies the message to the arena and completes (hitop_node_must_leave()
 *         in layout.h). As long as no reader waits, messages go through the ring, so that a writer
 *         can run ahead of busy readers. So do messages that follow another one of the same writer,
 *         unless they are so long that saving one copy is worth more: the writer can fill its
 *         buffer again while readers copy, and need not fetch its lines back from them.
 * Cost:   half a copy with two ranks; the writer waits until the last reader has arrived or the
 *         copy in the arena is made. Where the ring has room it waits HITOP_CMA_GRACE for a first
 *         reader.
 * Needs:  CMA works (cma.h). If the kernel refuses a copy during an operation, the message goes
 *         through a window of the ring, which every such operation reserves, and later operations
 *         do not use CMA.
 * Source: broadcasts in a row from one rank to another, an Intel Xeon, us, by CMA and through the
 *         ring: 1 MiB 101 and 67, 2 MiB 208 and 208, 4 MiB 490 and 580; where both ranks wait
 *         before each of them, 1 MiB 41 and 45 (bench/RESULTS.md). Karlin et al. for the time of
 *         waiting (layout.h).
 */

#include "coll/node/layout.h"

/* A word of one operation: the low 40 bits of its number, above a count. */
enum { STUCK = 1 << 23, CHUNKS = STUCK - 1, SHIFT = 24 };

enum { HITOP_CMA_GRACE = 2000 }; /* ns */

/*
 * In a gate, above the number of readers that have arrived: later readers find a copy of the
 * message.
 */
#define CLOSED (UINT64_C(1) << 32)

/* The CMA request of a rank as a reader. */
struct hitop_cma_request {
    /* the reader has arrived: operation << 1 | CMA has failed */
    _Alignas(LINE) _Atomic uint64_t here;
    _Atomic uint64_t address;                /* of its buffer */
    _Atomic uint64_t bytes;                  /* that the reader wants */
    _Atomic uint64_t taken;                  /* pieces that the reader has read from the window */
    _Atomic uint64_t awaited;                /* operation of which it awaits a long message */
    _Alignas(LINE) _Atomic uint64_t claimed; /* chunks that either side copies */
    /* chunks that the writer has copied | STUCK: its CMA has failed */
    _Alignas(LINE) _Atomic uint64_t pushed;
    /* pieces that the writer has written to the window; the reader sets 0 */
    _Atomic uint64_t given;
};

static inline uint64_t hitop_cma_word(const struct hitop_node *node, uint64_t number)
{
    return node->seq << SHIFT | number;
}

/* Is this a word of the operation under way? */
static inline int hitop_cma_is_of(const struct hitop_node *node, uint64_t word)
{
    return word >> SHIFT == node->seq << SHIFT >> SHIFT;
}

/*
 * Has a request's word reached `goal`, or passed it? A reader that has read the last piece goes on;
 * the writer of a later operation may already write its word when the writer of this operation
 * polls again.
 */
static inline int hitop_cma_has_come(uint64_t word, uint64_t goal)
{
    return (int64_t)(word - goal) >= 0;
}

/* Claim the next chunk: 1 if there was one left. The word of another operation has none. */
static inline int hitop_cma_claim(const struct hitop_node *node, struct hitop_cma_request *request,
                                  size_t nchunks)
{
    uint64_t word = atomic_load_explicit(&request->claimed, memory_order_acquire);

    while (hitop_cma_is_of(node, word) && (word & CHUNKS) < nchunks) {
        if (atomic_compare_exchange_weak_explicit(&request->claimed, &word, word + 1,
                                                  memory_order_acq_rel, memory_order_acquire)) {
            return 1;
        }
    }
    return 0;
}

/* Bytes of the ring that every such operation reserves. */
static inline size_t hitop_cma_window(const struct hitop_node *node)
{
    const size_t quarter = node->ring_bytes / 4;

    return quarter < HITOP_NODE_WINDOW ? quarter : HITOP_NODE_WINDOW;
}

/* Can a message of `bytes` go by CMA? The writer calls this. */
static inline int hitop_cma_bcast_suits(const struct hitop_node *node, size_t bytes)
{
    return bytes >= node->thresholds->cma_from && node->cma.works;
}

/* A reader publishes that it waits for such a message. */
static inline void hitop_cma_bcast_await(struct hitop_node *node)
{
    atomic_store_explicit(&node->requests[node->me].awaited, node->seq, memory_order_release);
}

/*
 * Does the writer use CMA for a message of `bytes`? 1 if a reader waits and CMA is faster than the
 * ring, or if the writer would have to wait for readers anyway.
 */
int hitop_cma_bcast_is_awaited(struct hitop_node *node, size_t bytes);

/*
 * The writer's part of the operation under way; a reader's part after it has found the message in
 * its slot.
 */
void hitop_cma_bcast_write(struct hitop_node *node, const void *data, size_t bytes, int note);
size_t hitop_cma_bcast_read(struct hitop_node *node, struct hitop_node_slot *slot, void *buffer,
                            size_t capacity);

#endif /* HITOP_NODE_CMA_BCAST_H */
