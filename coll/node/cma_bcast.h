/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_CMA_BCAST_H
#define HITOP_NODE_CMA_BCAST_H

/*
 * pull_bcast.h - a long message that is copied once, from the writer's memory to that of each reader.
 *
 * Idea:   a reader pulls chunks from the front, the writer, who has nothing else to do, pushes chunks from the
 *         tail; whoever takes the next one says so in one word that both change. So both processors copy. When all
 *         who have come are served, the writer waits for the others as long as a copy takes, then leaves the
 *         message in memory of the node and goes (spill.h). So that a writer may run ahead of readers that are still busy, it
 *         leaves messages in the ring as long as nobody is there to wait for them. So it does with those that
 *         follow another one of its own, unless they are so long that one copy less is worth more: it can go on to write its
 *         buffer while readers copy, and has not to fetch the buffer's lines from them.
 * Cost:   half a copy at two processes; the writer stays until the last reader has come or that copy is made. Where the ring
 *         has room it waits HITOP_CMA_GRACE for a first reader.
 * Needs:  pull.h works. Where the kernel changes its mind in the middle of an operation the message goes through a
 *         window of the ring, which every such operation reserves for that, and the next ones go other ways.
 * Source: broadcasts in a row from one process to another, an Intel Xeon, us, by the kernel and through the ring: 1 MiB 101 and 67,
 *         2 MiB 208 and 208, 4 MiB 490 and 580; where both wait before each of them, 1 MiB 41 and 45 (bench/RESULTS.md). Karlin et al.
 *         for the waiting (spill.h).
 */

#include "coll/node/layout.h"

/* In words of one operation: its low 40 bits above a number. */
enum { STUCK = 1 << 23, CHUNKS = STUCK - 1, SHIFT = 24 };

enum { HITOP_CMA_GRACE = 2000 }; /* ns */

/* In a gate above the number of readers that came: who comes now finds a copy of the message. */
#define CLOSED (UINT64_C(1) << 32)

/* Of each process, as a reader. */
struct hitop_cma_request {
    _Alignas(LINE) _Atomic uint64_t here;    /* the reader is: operation << 1 | it cannot read */
    _Atomic uint64_t address;                /* its buffer */
    _Atomic uint64_t bytes;                  /* that it wants */
    _Atomic uint64_t taken;                  /* pieces that it has taken out of the window */
    _Atomic uint64_t awaited;                /* operation of which it awaits a long message */
    _Alignas(LINE) _Atomic uint64_t claimed; /* chunks that somebody copies; both count */
    _Alignas(
        LINE) _Atomic uint64_t pushed; /* chunks that the writer has copied | STUCK: it cannot */
    _Atomic uint64_t given; /* pieces that it has put into the window; 0 comes from the reader */
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
 * Has a request's word come to `goal`, or gone past it? A reader that has taken the last piece goes on, and may be fed by
 * the writer of a later operation before the one of this operation looks again.
 */
static inline int hitop_cma_has_come(uint64_t word, uint64_t goal)
{
    return (int64_t)(word - goal) >= 0;
}

/* The next chunk is ours: 1 unless all have somebody. In a word of another operation there is none. */
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

/* Does a message of `bytes` go this way? The writer asks. */
static inline int hitop_cma_bcast_suits(const struct hitop_node *node, size_t bytes)
{
    return bytes >= node->thresholds->cma_from && node->cma.works;
}

/* A reader says that it waits for such a message. */
static inline void hitop_cma_bcast_await(struct hitop_node *node)
{
    atomic_store_explicit(&node->requests[node->me].awaited, node->seq, memory_order_release);
}

/* Somebody waits for it, and it does not pay to leave it in the ring; or the writer would have to wait for readers anyway. */
int hitop_cma_bcast_is_awaited(struct hitop_node *node, size_t bytes);

/* The writer's part of the operation under way, and a reader's after it has seen in its slot what kind of message it is. */
void hitop_cma_bcast_write(struct hitop_node *node, const void *data, size_t bytes, int note);
size_t hitop_cma_bcast_read(struct hitop_node *node, struct hitop_node_slot *slot, void *buffer,
                            size_t capacity);

#endif /* HITOP_NODE_CMA_BCAST_H */
