/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_LAYOUT_H
#define HITOP_NODE_LAYOUT_H

/* layout.h - the content of a node's segment, and the rules by which all operations share it. */

#include "coll/node/node.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

/* Two cache lines, because processors prefetch them in pairs. */
enum { LINE = 128, PAGE = 4096 };

/* Kinds of messages, above the lengths of inline ones. POSTED: in an outbox. */
enum {
    STAGED = 127, /* through the ring */
    SHORT = 126,  /* in a cell */
    LINED = 125,  /* in lines */
    BY_CMA = 124,
    PIECED = 123, /* through the ring, pieces in any order */
    POSTED = 122,
    KIND = 127,
    NOTE = 128,
    TAG_SHIFT = 8,
};

/* The parts of a line's word below the number of the operation. */
enum { LINE_NOTE = 1 << 15, LINE_BYTES = LINE_NOTE - 1, LINE_SHIFT = 16 };

enum {
    FLAGGED = HITOP_NODE_INLINE, /* bytes in a line beside its flag */
    NLINES = (HITOP_NODE_LINED + FLAGGED - 1) / FLAGGED,
};

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a lock inside an atomic would not be shared");
_Static_assert((int)HITOP_NODE_INLINE < (int)POSTED, "the length of an inline message is its kind");
_Static_assert((int)HITOP_NODE_LINED <= (int)LINE_BYTES, "each line has the message's length");

/*
 * tag = operation << TAG_SHIFT | NOTE if the writer's note is 1 | kind, which is the length of an
 * inline message, SHORT, STAGED, PIECED or BY_CMA. A lined message has no slot. A slot belongs to
 * the writer of its operation.
 */
struct hitop_node_slot {
    _Alignas(LINE) _Atomic uint64_t tag;
    union {
        unsigned char data[HITOP_NODE_INLINE];
        struct {
            uint64_t total;         /* bytes of the message */
            uint64_t start;         /* ring offset of its first byte */
            _Atomic uint64_t fill;  /* ring offset up to which it is written */
            uint64_t in_ring;       /* bytes in the ring; the others are in the arena at */
            _Atomic uint64_t place; /* ... `place`, for late readers, unless this is 0 */
        } staged;
        struct {
            uint64_t total;
            int writer; /* the rank that offers the message in the inboxes of the others */
        } cma;
        uint64_t total; /* bytes of a short message */
    } u;
};

_Static_assert(sizeof(struct hitop_node_slot) == LINE,
               "no other slot is in the two lines that are fetched together");

/*
 * A lined or a short message. Each line has a flag of its own, so that a reader copies the first
 * lines while the last ones are written. Lines contain nothing else, because data could look like a
 * flag. The word of all lines of a message is operation << LINE_SHIFT | LINE_NOTE if the writer's
 * note is 1 | bytes of the message. `data` is the cell of a short message.
 */
struct hitop_node_place {
    _Alignas(LINE) struct {
        _Alignas(64) _Atomic uint64_t word;
        unsigned char data[FLAGGED];
    } line[NLINES];
    _Alignas(LINE) unsigned char data[HITOP_NODE_SHORT];
    _Alignas(LINE) _Atomic uint64_t rest; /* operation whose short message is completely written */
};

/*
 * operation << 16 | local rank + 1 of the leader of an operation without a known writer, or the
 * tickets of hitop_node_comes_last().
 */
struct hitop_node_claim {
    _Alignas(LINE) _Atomic uint64_t word;
    _Atomic uint64_t written; /* time of writing, see hitop_node_stamp() */
};

/* Progress of one rank; only that rank writes it. */
struct hitop_node_member {
    _Alignas(LINE) _Atomic uint64_t done; /* last complete operation */
    _Atomic uint64_t consumed;            /* ring offset below which the rank has read everything */
    _Atomic uint64_t lateness;            /* see hitop_node_note_lateness() */
    _Atomic uint64_t note, waits_in, mark; /* see enum hitop_wait_state */
    _Atomic uint64_t awaited;              /* operation of which the rank awaits a long message */
};

/* The last operation that `rank` has completed. */
static inline uint64_t hitop_node_done_by(const struct hitop_node *node, int rank)
{
    return LOAD_ACQUIRE(&node->members[rank].done);
}

/* Update node->done_min and node->consumed_min from the progress of all other ranks. */
void hitop_node_refresh_min_progress(struct hitop_node *node);

/* All others have arrived at the operation under way, and so have completed all before it. */
static inline void hitop_node_note_all_progress(struct hitop_node *node)
{
    if (node->done_min < node->seq - 1) {
        node->done_min = node->seq - 1;
    }
}

/*
 * The other rank has arrived at the operation under way. Of two ranks it is the only other one, so
 * its progress line need not be read.
 */
static inline void hitop_node_note_peer_progress(struct hitop_node *node)
{
    if (node->nranks == 2) {
        hitop_node_note_all_progress(node);
        node->consumed_min = node->offset;
    }
}

/*
 * Can this rank overwrite its slot of the operation under way, one of `nslots` in turn? The slot
 * still has operation seq - nslots, or an older one.
 */
static inline int hitop_node_slot_is_free(struct hitop_node *node, uint64_t nslots)
{
    if (node->seq <= nslots || node->done_min >= node->seq - nslots) {
        return 1;
    }
    hitop_node_refresh_min_progress(node);
    return node->done_min >= node->seq - nslots;
}

/* May `bytes` of the ring from offset `at` be overwritten? */
static inline int hitop_node_ring_is_free(struct hitop_node *node, uint64_t at, size_t bytes)
{
    if (node->nranks > 1 && node->consumed_min + node->ring_bytes < at + bytes) {
        hitop_node_refresh_min_progress(node);
        return node->consumed_min + node->ring_bytes >= at + bytes;
    }
    return 1;
}

/*
 * Complete the operation: publish that for later writers and wake sleeping ranks. Every rank ends
 * every operation with this call. The ring continues at `next_offset`, equal in all ranks;
 * node->offset if the operation has not used the ring.
 */
static inline void hitop_node_complete(struct hitop_node *node, uint64_t next_offset)
{
    struct hitop_node_member *mine = &node->members[node->me];

    if (next_offset != node->offset) {
        node->offset = next_offset;
        STORE_RELEASE(&mine->consumed, next_offset);
    }
    STORE_RELEASE(&mine->done, node->seq);
    hitop_wait_notify(&node->wait);
}

/* Store a word on which other ranks may wait. */
static inline void hitop_node_publish(struct hitop_node *node, _Atomic uint64_t *word,
                                      uint64_t value)
{
    STORE_RELEASE(word, value);
    hitop_wait_notify(&node->wait);
}

/* The index of the message of the operation under way, which this rank writes or reads. */
static inline uint64_t hitop_node_index(const struct hitop_node *node,
                                        const struct hitop_slot_index *of, int writes)
{
    if (node->nranks != 2) {
        return node->seq;
    }
    return of->is_answerable && of->is_mine != writes ? of->last : of->last + 1;
}

static inline struct hitop_node_slot *hitop_node_slot_at(const struct hitop_node *node, uint64_t at)
{
    return &node->slots[at & (node->nslots - 1)];
}

static inline struct hitop_node_place *hitop_node_lines_at(const struct hitop_node *node,
                                                           uint64_t at)
{
    return &node->places[at & (node->nplaces - 1)];
}

/* The place that contains the cell of a short message. */
static inline struct hitop_node_place *hitop_node_cell_at(const struct hitop_node *node,
                                                          uint64_t at)
{
    return &node->places[at & (node->ncells - 1)];
}

/*
 * memcpy() of less than a line, without a call. Each byte is moved once: the overlapping moves of
 * the usual implementations take 10 to 30 ns more when another rank reads the bytes immediately
 * afterwards.
 */
static inline void hitop_node_copy_few(void *to, const void *from, size_t bytes)
{
    unsigned char *target = to;
    const unsigned char *source = from;

    for (; bytes >= 16; bytes -= 16, target += 16, source += 16) {
        memcpy(target, source, 16);
    }
    if (bytes & 8) {
        memcpy(target, source, 8);
        target += 8;
        source += 8;
    }
    if (bytes & 4) {
        memcpy(target, source, 4);
        target += 4;
        source += 4;
    }
    if (bytes & 2) {
        memcpy(target, source, 2);
        target += 2;
        source += 2;
    }
    if (bytes & 1) {
        *target = *source;
    }
}

/* Prefetch a line that another rank has probably written. */
static inline void hitop_node_prefetch(const void *line)
{
#if defined(__GNUC__)
    __builtin_prefetch(line);
#else
    (void)line;
#endif
}

/*
 * Prefetch a line that this rank writes next, after its readers have completed: otherwise the store
 * waits until the line arrives from a reader's cache. Compilers without prefetchw fetch the line
 * for reading instead, and then again for the store.
 */
static inline void hitop_node_prefetch_to_write(const void *line)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const unsigned char *)line));
#elif defined(__GNUC__)
    __builtin_prefetch(line, 1);
#else
    (void)line;
#endif
}

/* The same for the first bytes of the room of a longer message. */
static inline void hitop_node_prefetch_room(const unsigned char *room, size_t bytes)
{
    enum { AHEAD = 16 * 1024 };

    for (size_t i = 0; i < bytes && i < AHEAD; i += 64) {
        hitop_node_prefetch_to_write(room + i);
    }
}

/*
 * Bytes of a message of `total` that are published at a time: short fragments are read early, long
 * ones need fewer flags.
 */
static inline size_t hitop_node_fragment(const struct hitop_node *node, size_t total)
{
    const size_t fragment = hitop_piece_for(node->thresholds->fragment, total);

    return fragment < node->ring_bytes / 4 ? fragment : node->ring_bytes / 4;
}

/*
 * Bytes of a block for one reader that are published at a time: fragments for a reader that copies
 * concurrently, `most` for one that waits for its processor.
 */
static inline size_t hitop_node_piece(const struct hitop_node *node, size_t bytes, size_t most)
{
    const size_t fragment = node->wait.alone ? hitop_node_fragment(node, bytes) : most;

    return fragment < most ? fragment : most;
}

static inline size_t hitop_node_round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/*
 * Is it time to copy `bytes` to the arena for late readers?
 *
 * Idea:   A writer waits for late readers as long as a copy of its message takes, then copies the
 *         message to the arena, where they find it, and goes on. With `patience` 1 it needs at most
 *         twice the time of a copy made at once; a larger `patience` multiplies the time of
 *         waiting. The caller asks whenever it can only wait. *since is the start of the wait in
 *         ns; the caller sets it to 0 at first and after each progress.
 * Source: Karlin et al., Competitive snoopy caching, Algorithmica 3 (1988): the ski-rental problem.
 */
static inline int hitop_node_must_spill(uint64_t *since, size_t bytes, unsigned patience)
{
    const uint64_t now = hitop_wait_clock();

    if (*since == 0) {
        *since = now;
    }
    return now - *since > bytes * 1000 / HITOP_COPIED_PER_US * patience;
}

/*
 * Where the message of the operation under way may be. A reader polls the place that fits the
 * length which it expects; every 8th poll checks the other places too.
 */
struct hitop_node_sources {
    uint64_t slot_at, line_at;
    const _Atomic uint64_t *posted; /* the tag of an outbox slot, or NULL */
};

static inline struct hitop_node_sources hitop_node_sources_of(const struct hitop_node *node,
                                                              const _Atomic uint64_t *posted)
{
    return (struct hitop_node_sources){.slot_at = hitop_node_index(node, &node->slot, 0),
                                       .line_at = hitop_node_index(node, &node->line, 0),
                                       .posted = posted};
}

/*
 * The tag of a slot of the node or of an outbox if it belongs to the operation under way; else 0.
 */
static inline uint64_t hitop_node_tag(const struct hitop_node *node, const _Atomic uint64_t *tag)
{
    const uint64_t now = LOAD_ACQUIRE(tag);

    return now >> TAG_SHIFT == node->seq ? now : 0;
}

/* Wait for the message, polling the place of one of `bytes`; returns its tag, LINED or POSTED. */
uint64_t hitop_node_await(struct hitop_node *node, const struct hitop_node_sources *s,
                          size_t bytes);

/* The same where the message is expected in an outbox. */
uint64_t hitop_node_await_posted(struct hitop_node *node, const struct hitop_node_sources *s);

/* The length of a published message that is neither POSTED nor BY_CMA. */
size_t hitop_node_length(const struct hitop_node *node, const struct hitop_node_sources *s,
                         uint64_t tag);

/* Read and complete a message that is published and not POSTED; see hitop_node_read(). */
size_t hitop_node_receive(struct hitop_node *node, const struct hitop_node_sources *s, uint64_t tag,
                          void *buffer, size_t capacity, int *note);

/*
 * Long messages through the ring (ring.c). Take the slot of one that this rank writes; write the
 * next bytes, as far as there is room, see hitop_node_write().
 */
struct hitop_node_slot *hitop_ring_slot(struct hitop_node *node);
size_t hitop_ring_write(struct hitop_node *node, struct hitop_node_writer *writer, const void *data,
                        size_t bytes);

/*
 * Read the message of the operation under way, which has begun in `slot` as STAGED or as PIECED: at
 * most `capacity` bytes go to `buffer`. Returns its length.
 */
size_t hitop_ring_read(struct hitop_node *node, const struct hitop_node_slot *slot,
                       unsigned char *buffer, size_t capacity);
size_t hitop_ring_read_pieces(struct hitop_node *node, const struct hitop_node_slot *slot,
                              unsigned char *buffer, size_t capacity);

#endif /* HITOP_NODE_LAYOUT_H */
