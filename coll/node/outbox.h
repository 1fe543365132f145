/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_OUTBOX_H
#define HITOP_NODE_OUTBOX_H

/*
 * outbox.h - an area of the node's segment for each rank, in which the rank posts its blocks.
 *
 * Idea:   A writer posts a block in its own outbox and goes on; a reader reads the outboxes of the
 *         other ranks. A slot describes what its owner has posted for one operation: up to
 *         HITOP_OUTBOX_LINED bytes in lines that carry a flag each, up to HITOP_NODE_SHORT bytes in
 *         one of a few cells, if there are any, more in a window of the outbox's ring of bytes. The
 *         number of the operation identifies a slot's content, so nothing is reset and no reader
 *         acknowledges. The owner remembers the reader of each posted block; before it reuses a
 *         slot or a part of the ring, it checks that this reader has completed the operation.
 * Needs:  the rules of layout.h: each rank begins and completes every operation.
 *
 * Memory ordering: as in node.h. `took` counts the bytes that a reader has read of each block in
 * the operation under way, which is the one after its `done`. It returns to 0 before `done`
 * advances, so a writer never reads a value of an older operation.
 */

#include "coll/node/layout.h"
#include "coll/node/node.h"

/*
 * The reader of a posted block where it is not one known rank: all ranks, or the last one to arrive
 * (progress.c).
 */
enum { HITOP_OUTBOX_ALL = -1, HITOP_OUTBOX_LAST = HITOP_NODE_LAST };

enum { HITOP_OUTBOX_LINES = 10 };

/* Bytes of a lined block in its first line, after its length. */
enum { HITOP_OUTBOX_FIRST = FLAGGED - 8 };

_Static_assert((int)HITOP_OUTBOX_FIRST + (HITOP_OUTBOX_LINES - 1) * (int)FLAGGED >=
                   (int)HITOP_INBOX_LINED,
               "lines hold the longest lined block");

/*
 * What one rank posts for one operation. tag = operation << TAG_SHIFT | kind, as in a slot of the
 * node: a kind up to FLAGGED is the length of the data beside the tag; the others are LINED, STAGED
 * and BY_CMA. Lines contain nothing else, because data could look like a flag.
 */
struct hitop_outbox_slot {
    _Alignas(64) _Atomic uint64_t tag;
    union {
        unsigned char data[FLAGGED];
        struct {
            uint64_t total;
            unsigned char data[HITOP_OUTBOX_FIRST];
        } lined;
        struct {
            uint64_t total;
            /* offset of the window in the ring of the outbox, or in `place` */
            uint64_t start;
            uint64_t window;       /* byte i of the block is at i % window */
            _Atomic uint64_t fill; /* bytes of the block that are written */
            /* bytes of which the owner has reduced its share */
            _Atomic uint64_t summed;
            /* the window's memory in the arena; 0: the window is in the outbox's ring */
            uint64_t place;
        } staged;
    } u;
    struct {
        _Alignas(64) _Atomic uint64_t seq;
        unsigned char data[FLAGGED];
    } line[HITOP_OUTBOX_LINES - 1];
    /*
     * A request for copies by CMA: a block for a rendezvous or an exchange (cma_rendezvous.h), or
     * an operand of a CMA reduce (cma_reduce.c). Blocks that are posted later in the same operation
     * do not overwrite it.
     */
    struct {
        _Alignas(64) uint64_t seq; /* the operation */
        uint64_t total;
        /* bytes of a chunk; of a reduce, where in the ring of its outbox the owner keeps a chunk */
        uint64_t chunk;
        uint64_t from; /* address in the owner's memory */
        /* address in the reader's memory; of an exchange, the owner's report; of a reduce, the
           address of the owner's result */
        _Atomic uint64_t to;
        _Atomic uint64_t claimed; /* number of chunks that ranks have claimed */
        _Atomic uint64_t nread;   /* chunks copied by the reader; of a reduce, the owner's report */
        _Atomic uint64_t nwritten; /* chunks copied by the owner */
    } cma;
};

/*
 * The head of an outbox. The slots follow, then as many inbox slots, in which other ranks post for
 * the owner, then the ring.
 */
struct hitop_outbox {
    /* bytes that the owner has read of each block in the outboxes of others */
    _Alignas(LINE) _Atomic uint64_t took;
    struct {
        _Alignas(LINE) _Atomic uint64_t word;
    } came[2]; /* the barriers at which the owner has arrived, see node_setup.c */
    _Alignas(LINE) _Atomic uint64_t all; /* in the first outbox: arrivals at barriers */
};

/* A posted block that is being written. */
struct hitop_outbox_writer {
    struct hitop_outbox_slot *slot;
    unsigned char *ring;
    uint64_t total, written;
    uint64_t start, window, place; /* as in the slot */
    uint64_t taken;                /* bytes that all its readers have read, at least */
    size_t ahead;                  /* the window of the next block, which is prefetched */
    int reader;
};

size_t hitop_outboxes_bytes(const struct hitop_node_layout *layout);
void hitop_outboxes_format(void *memory, const struct hitop_node_layout *layout);
void hitop_outboxes_attach(struct hitop_node *node, void *memory,
                           const struct hitop_node_layout *layout);

static inline struct hitop_outbox *hitop_outbox_of(const struct hitop_node *node, int rank)
{
    return (struct hitop_outbox *)(node->outbox.memory + (size_t)rank * node->outbox.stride);
}

/* The slot in which `rank` posts for the operation under way. */
static inline struct hitop_outbox_slot *hitop_outbox_slot_of(const struct hitop_node *node,
                                                             int rank)
{
    return (struct hitop_outbox_slot *)(hitop_outbox_of(node, rank) + 1) +
           (node->seq & (node->nplaces - 1));
}

/* The inbox slot in which others post for `rank` alone. */
static inline struct hitop_outbox_slot *hitop_inbox_slot_of(const struct hitop_node *node, int rank)
{
    return hitop_outbox_slot_of(node, rank) + node->nplaces;
}

static inline unsigned char *hitop_outbox_ring_of(const struct hitop_node *node, int rank)
{
    return node->outbox.memory + (size_t)rank * node->outbox.stride + node->outbox.ring;
}

static inline void hitop_outbox_await(struct hitop_node *node, _Atomic uint64_t *word,
                                      uint64_t value)
{
    HITOP_WAIT_UNTIL(&node->wait, LOAD_ACQUIRE(word) >= value);
}

/* Complete an operation that has used outboxes only. */
static inline void hitop_outbox_complete(struct hitop_node *node)
{
    if (node->outbox.took) {
        node->outbox.took = 0;
        STORE_RELEASE(&hitop_outbox_of(node, node->me)->took, 0);
    }
    hitop_node_complete(node, node->offset);
}

/*
 * The same for a rank that has read a block of every other rank: all ranks have completed the
 * earlier operations, so later posts need not check these.
 */
static inline void hitop_outbox_complete_all(struct hitop_node *node)
{
    hitop_node_note_all_progress(node);
    hitop_outbox_complete(node);
}

/* Publish that this rank has read the first `bytes` of each block that it reads from outboxes. */
static inline void hitop_outbox_took(struct hitop_node *node, uint64_t bytes)
{
    node->outbox.took = bytes;
    hitop_node_publish(node, &hitop_outbox_of(node, node->me)->took, bytes);
}

/* The bytes that `rank` has read in the operation under way; UINT64_MAX if it has completed it. */
static inline uint64_t hitop_outbox_taken_by(struct hitop_node *node, int rank)
{
    const uint64_t done = hitop_node_done_by(node, rank);

    if (done >= node->seq) {
        return UINT64_MAX;
    }
    return done + 1 < node->seq ? 0 : LOAD_ACQUIRE(&hitop_outbox_of(node, rank)->took);
}

/*
 * Posting a block for rank `reader`, for all others (HITOP_OUTBOX_ALL) or for the last rank
 * (HITOP_OUTBOX_LAST). These functions wait while older blocks fill the outbox.
 *
 * hitop_outbox_post() posts at most HITOP_OUTBOX_LINED bytes. A longer block is opened with a
 * `window` that fits into the ring and contains the block or a part of it; it is written in pieces
 * that do not cross the end of the window. hitop_outbox_piece() waits until a piece overwrites only
 * bytes that are read, which never delays the first piece; hitop_outbox_publish() makes the piece
 * visible; hitop_outbox_write() does both. Readers see the block and its length with its first
 * piece. hitop_outbox_reserve() only claims the slot and `window` contiguous bytes, and returns the
 * offset of these in the ring.
 */
void hitop_outbox_post(struct hitop_node *node, const void *data, size_t bytes, int reader);
size_t hitop_outbox_reserve(struct hitop_node *node, size_t window, int reader);
void hitop_outbox_open(struct hitop_node *node, struct hitop_outbox_writer *writer, uint64_t total,
                       size_t window, int reader);
unsigned char *hitop_outbox_piece(struct hitop_node *node, struct hitop_outbox_writer *writer,
                                  size_t bytes);
void hitop_outbox_publish(struct hitop_node *node, struct hitop_outbox_writer *writer,
                          size_t bytes);
void hitop_outbox_write(struct hitop_node *node, struct hitop_outbox_writer *writer,
                        const void *data, size_t bytes);

/*
 * Prefetch the room of the next block, see hitop_node_prefetch_room(). Called after a block with
 * this window is written completely, as by hitop_outbox_publish(): a rank that has also posted a
 * block in the previous operation probably posts another one in the next operation.
 */
void hitop_outbox_prefetch_room(const struct hitop_node *node, size_t window);

/* Write at most HITOP_INBOX_LINED bytes into a free slot. */
void hitop_outbox_fill_slot(struct hitop_node *node, struct hitop_outbox_slot *slot,
                            const unsigned char *data, size_t bytes);

/* Wait until a slot is used in the operation under way; returns its kind. */
static inline uint64_t hitop_outbox_kind(struct hitop_node *node, struct hitop_outbox_slot *slot)
{
    uint64_t tag;

    HITOP_WAIT_UNTIL(&node->wait, (tag = LOAD_ACQUIRE(&slot->tag)) >> TAG_SHIFT == node->seq);
    return tag & KIND;
}

/* Wait for a posted block, also after a CMA rendezvous in the same slot; returns its length. */
static inline uint64_t hitop_outbox_length(struct hitop_node *node, struct hitop_outbox_slot *slot)
{
    unsigned round = 0;
    uint64_t kind;

    while ((kind = hitop_outbox_kind(node, slot)) == BY_CMA) { /* a posted block follows */
        hitop_wait_relax(&node->wait, &round);
    }
    return kind <= FLAGGED ? kind : slot->u.lined.total;
}

/* 1: the block that hitop_outbox_length() has found is in the outbox's ring, 0: in lines. */
static inline int hitop_outbox_is_staged(struct hitop_outbox_slot *slot)
{
    return (LOAD_RELAXED(&slot->tag) & KIND) == STAGED;
}

/* 1: the slot describes a CMA rendezvous of this operation, and no block was posted since. */
static inline int hitop_outbox_is_by_cma(const struct hitop_node *node,
                                         struct hitop_outbox_slot *slot)
{
    return LOAD_ACQUIRE(&slot->tag) == (node->seq << TAG_SHIFT | BY_CMA);
}

/* Copy `bytes` from offset `from` of a block in lines. */
void hitop_outbox_get(struct hitop_node *node, struct hitop_outbox_slot *slot, size_t from,
                      void *buffer, size_t bytes);

/* The address of byte `at` of a staged block of `rank`; contiguous up to the end of its window. */
static inline unsigned char *hitop_outbox_at(const struct hitop_node *node, int rank,
                                             const struct hitop_outbox_slot *slot, uint64_t at)
{
    unsigned char *from = slot->u.staged.place
                              ? (unsigned char *)hitop_arena_at(node->arena, slot->u.staged.place)
                              : hitop_outbox_ring_of(node, rank);

    return from + slot->u.staged.start + at % slot->u.staged.window;
}

/* Long blocks through outboxes, in steps of the same length in all ranks. */

/* Bytes of a step. */
static inline size_t hitop_outboxes_step(const struct hitop_node *node)
{
    const size_t step = node->thresholds->gather_step, most = node->outbox.ring_bytes / 4;

    return step < most ? step : most;
}

/* The window of a block of `bytes` that is written in such steps. */
static inline size_t hitop_outboxes_window(const struct hitop_node *node, size_t bytes)
{
    const size_t step = hitop_outboxes_step(node);
    const size_t most = node->outbox.ring_bytes / 2 / step * step;

    return bytes < most ? bytes : most;
}

/* Write the next bytes of this rank's block `mine`, up to the end of a step and at most `most`. */
void hitop_outboxes_bring(struct hitop_node *node, struct hitop_outbox_writer *writer,
                          const unsigned char *mine, size_t most);

/*
 * Wait for byte `at` of a staged block of `rank` and copy the contiguous bytes that are written, up
 * to `end`; bytes beyond `room` are skipped. Returns the offset after them.
 */
uint64_t hitop_outboxes_take_some(struct hitop_node *node, int rank, struct hitop_outbox_slot *slot,
                                  uint64_t at, uint64_t end, unsigned char *block, size_t room);

/* Wait for the step that begins at `at` of all others' staged blocks and copy it. */
void hitop_outboxes_take(struct hitop_node *node, const struct hitop_node_blocks *to, uint64_t at);

#endif /* HITOP_NODE_OUTBOX_H */
