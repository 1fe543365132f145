/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_INSIDE_H
#define HITOP_NODE_INSIDE_H

/* node_inside.h - what lies in a node's segment, and the one discipline by which operations of any kind share it. */

#include "coll/node/node.h"

#include <stdatomic.h>
#include <string.h>

/* Two lines, because processors fetch them in pairs. */
enum { LINE = 128, PAGE = 4096 };

/* Kinds of messages above the lengths of inline ones; DEPOSITED: in a lane, see lanes.h. */
enum {
    STAGED = 127,
    SHORT = 126,
    LINED = 125,
    PULLED = 124,
    PIECED = 123,
    DEPOSITED = 122,
    KIND = 127,
    NOTE = 128,
    TAG_SHIFT = 8,
};

/* In the word of a line, below the operation. */
enum { LINE_NOTE = 1 << 15, LINE_BYTES = LINE_NOTE - 1, LINE_SHIFT = 16 };

enum {
    FLAGGED = HITOP_NODE_INLINE, /* bytes in a line beside its flag */
    NLINES = (HITOP_NODE_LINED + FLAGGED - 1) / FLAGGED,
};

_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "a lock inside an atomic would not be shared");

_Static_assert((int)HITOP_NODE_INLINE < (int)DEPOSITED,
               "the length of an inline message is its kind");

_Static_assert((int)HITOP_NODE_LINED <= (int)LINE_BYTES,
               "each line tells the length of the message");

/*
 * tag = operation << TAG_SHIFT | NOTE if it says 1 | kind; kind is the
 * length of an inline message, SHORT, STAGED, PIECED or PULLED. A lined message has no slot: its lines tell all. A slot belongs to
 * the writer of the operation it is waiting for.
 */
struct hitop_node_slot {
    _Alignas(LINE) _Atomic uint64_t tag;
    union {
        unsigned char data[HITOP_NODE_INLINE];
        struct {
            uint64_t total;        /* bytes of the message */
            uint64_t start;        /* ring offset of its first byte */
            _Atomic uint64_t fill; /* ring offset up to which it is there */
            /* Of a message not in pieces: its bytes from `in_ring` on are in memory of the node at `place`, unless that is 0; see spill.h. */
            uint64_t in_ring;
            _Atomic uint64_t place;
        } staged;
        struct {
            uint64_t total, chunk;
            uint64_t writer, address; /* whose memory it is in, and where */
            uint64_t start;           /* ring offset of a window, see pull_bcast.h */
            uint64_t place;           /* of the copy, once the gate is closed */
            _Atomic uint64_t gate;    /* readers that have come | CLOSED */
            _Atomic uint64_t served;  /* of them, those that have the message */
        } pulled;
        uint64_t total; /* bytes of a short message */
    } u;
};

_Static_assert(sizeof(struct hitop_node_slot) == LINE,
               "no other slot is in the two lines that are fetched together");

/*
 * A lined or a short message. Each line says by itself whether it is there, so that a reader takes the first
 * ones while the last ones are written; nothing else is ever put into lines, because it could look like a
 * flag. The word of all lines of a message is operation << LINE_SHIFT | LINE_NOTE if the writer says 1 | bytes of the message.
 */
struct hitop_node_place {
    _Alignas(LINE) struct {
        _Alignas(64) _Atomic uint64_t word;
        unsigned char data[FLAGGED];
    } line[NLINES];
    _Alignas(LINE) unsigned char data[HITOP_NODE_SHORT];
    _Alignas(LINE) _Atomic uint64_t rest; /* operation whose short message is there whole */
};

/* Who leads an operation whose writer is not known beforehand: operation << 16 | local rank + 1. */
struct hitop_node_claim {
    _Alignas(LINE) _Atomic uint64_t word;
    _Atomic uint64_t written; /* when, see hitop_node_stamp() */
};

/* Written by its owner only. */
struct hitop_node_member {
    _Alignas(LINE) _Atomic uint64_t done;  /* last finished operation */
    _Atomic uint64_t consumed;             /* ring offset below which everything was read */
    _Atomic uint64_t lateness;             /* see hitop_node_note_lateness() */
    _Atomic uint64_t note, waits_in, mark; /* see presence.h */
};

/* The last operation that `rank` has left. */
static inline uint64_t hitop_node_left_by(const struct hitop_node *node, int rank)
{
    return atomic_load_explicit(&node->members[rank].done, memory_order_acquire);
}

/* Refresh what is known of the slowest of the others: node->done_min, node->consumed_min. */
void hitop_node_look_around(struct hitop_node *node);

/* All others have been seen in the operation under way, and so have left all before it. */
static inline void hitop_node_has_met_all(struct hitop_node *node)
{
    if (node->done_min < node->seq - 1) {
        node->done_min = node->seq - 1;
    }
}

/*
 * Somebody else has been seen: of two processes there is nobody else to look for. A look costs the line in which he says
 * so every time, a transfer from processor to processor.
 */
static inline void hitop_node_has_met(struct hitop_node *node)
{
    if (node->nranks == 2) {
        hitop_node_has_met_all(node);
        node->consumed_min = node->offset;
    }
}

/* May one of `nslots` that are used in turn be overwritten? It still holds operation seq - nslots. */
static inline int hitop_node_slot_is_free(struct hitop_node *node, uint64_t nslots)
{
    const uint64_t previous = node->seq - nslots;

    if (node->seq > nslots && node->done_min < previous) {
        hitop_node_look_around(node);
        return node->done_min >= previous;
    }
    return 1;
}

/*
 * Everything of this operation is done here: let later writers know, and whoever waits for what was written. Every operation
 * of every kind ends so, on every process. The ring goes on at `next_offset`, the same on all processes; at node->offset where
 * it was not used.
 */
static inline void hitop_node_leave(struct hitop_node *node, uint64_t next_offset)
{
    struct hitop_node_member *mine = &node->members[node->me];

    if (next_offset != node->offset) {
        node->offset = next_offset;
        atomic_store_explicit(&mine->consumed, next_offset, memory_order_release);
    }
    atomic_store_explicit(&mine->done, node->seq, memory_order_release);
    hitop_wait_ring(&node->wait);
}

/* May `bytes` of the ring from absolute offset `at` be overwritten? */
static inline int hitop_node_ring_is_free(struct hitop_node *node, uint64_t at, size_t bytes)
{
    if (node->nranks > 1 && node->consumed_min + node->ring_bytes < at + bytes) {
        hitop_node_look_around(node);
        return node->consumed_min + node->ring_bytes >= at + bytes;
    }
    return 1;
}

/* Between the ring, from absolute offset `at`, and memory of the process. */
static inline void hitop_node_copy_in(struct hitop_node *node, uint64_t at,
                                      const unsigned char *data, size_t bytes)
{
    const size_t index = (size_t)(at % node->ring_bytes);
    const size_t first = bytes < node->ring_bytes - index ? bytes : node->ring_bytes - index;

    memcpy(node->ring + index, data, first);
    memcpy(node->ring, data + first, bytes - first);
}

/* The same out of the ring, or out of memory that is like it. */
static inline void hitop_node_copy_out(const struct hitop_node *node, uint64_t at,
                                       unsigned char *data, size_t bytes)
{
    const size_t index = (size_t)(at % node->ring_bytes);
    const size_t first = bytes < node->ring_bytes - index ? bytes : node->ring_bytes - index;

    memcpy(data, node->ring + index, first);
    memcpy(data + first, node->ring, bytes - first);
}

/*
 * The same as memcpy(), for less than a line, without a call. Each byte is moved once: the overlapping moves of the usual ones
 * take 10 to 30 ns more where another process, and then the program, reads at once what was written (bench/RESULTS.md).
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

/* Where in turn the message of the operation under way goes, which this process writes or reads. */
static inline uint64_t hitop_node_turn(const struct hitop_node *node,
                                       const struct hitop_cursor *last, int writes)
{
    return node->nranks == 2 ? hitop_cursor_next(last, writes) : node->seq;
}

static inline struct hitop_node_slot *hitop_node_slot_at(const struct hitop_node *node, uint64_t at)
{
    return &node->slots[at & (node->nslots - 1)];
}

/* Which of the places an operation has, without a division. */
static inline uint64_t hitop_node_place_number(const struct hitop_node *node, uint64_t seq)
{
    return seq & (node->nplaces - 1);
}

static inline struct hitop_node_place *hitop_node_place_at(const struct hitop_node *node,
                                                           uint64_t at)
{
    return &node->places[hitop_node_place_number(node, at)];
}

/*
 * The same where its message is a short one. The lines of a place are far from those of the next one in any case: who reads
 * one of them has processors fetch what follows, out of the hands of whoever writes there.
 */
static inline struct hitop_node_place *hitop_node_shelf_at(const struct hitop_node *node,
                                                           uint64_t at)
{
    return &node->places[at & (node->nshelves - 1)];
}

/*
 * Whoever need not wait for a word lags behind, and what he looks for next is probably written, too: let that line come while
 * he deals with this one.
 */
static inline void hitop_node_fetch_to_read(const void *line)
{
#if defined(__GNUC__)
    __builtin_prefetch(line);
#else
    (void)line;
#endif
}

/*
 * The same for a line that this process writes next, once whoever reads it has left what it holds: otherwise the store waits
 * until the line comes from the reader's cache. Compilers that do not know of a processor's prefetchw fetch the line for
 * reading instead, which takes it from its reader twice.
 */
static inline void hitop_node_fetch_to_write(const void *line)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __asm__ volatile("prefetchw %0" : : "m"(*(const unsigned char *)line));
#elif defined(__GNUC__)
    __builtin_prefetch(line, 1);
#else
    (void)line;
#endif
}

/* One line, for what is said by a constant. */
static inline void hitop_node_fetch(const void *line, int to_write)
{
    if (to_write) {
        hitop_node_fetch_to_write(line);
    } else {
        hitop_node_fetch_to_read(line);
    }
}

/* Those that a lined message of `bytes` takes. */
static inline void hitop_node_fetch_lines(const struct hitop_node_place *place, size_t bytes,
                                          int to_write)
{
    for (size_t i = 0; i * FLAGGED < bytes; i++) {
        hitop_node_fetch(&place->line[i], to_write);
    }
}

/* Of longer messages the next one's beginning is fetched ahead. */
enum { FETCHED_AHEAD = 16 * 1024 };

/*
 * Room for a message of `bytes` that this process writes next if it goes on as before: its lines come while the program
 * computes. Near that takes as long as it spares, and where others are very far stores go past caches.
 */
static inline void hitop_node_fetch_room(const unsigned char *room, size_t bytes)
{
    const size_t most = bytes < FETCHED_AHEAD ? bytes : FETCHED_AHEAD;

    for (size_t i = 0; i < most; i += 64) {
        hitop_node_fetch_to_write(room + i);
    }
}

/* Small fragments let the reader start early, large ones cost fewer flag updates. */
static inline size_t hitop_node_fragment(const struct hitop_node *node, size_t total)
{
    const size_t fragment = hitop_piece_for(node->thresholds->fragment, total);

    return fragment < node->ring_bytes / 4 ? fragment : node->ring_bytes / 4;
}

/*
 * Of a block of `bytes` that one process takes, told at a time: fragments for one that takes them meanwhile, `most` for one
 * that waits for its processor.
 */
static inline size_t hitop_node_piece(const struct hitop_node *node, size_t bytes, size_t most)
{
    const size_t fragment = node->wait.alone ? hitop_node_fragment(node, bytes) : most;

    return fragment < most ? fragment : most;
}

/* The slot of a long message that this process writes. Others may be at it when the next one begins. */
static inline struct hitop_node_slot *hitop_node_take_slot(struct hitop_node *node)
{
    const uint64_t at = hitop_node_turn(node, &node->slot, 1);

    hitop_cursor_take(&node->slot, at, 1, 0);
    return hitop_node_slot_at(node, at);
}

/* Make the ring up to `fill` visible; the first time also say what message this is: STAGED or PIECED. */
static inline void hitop_node_publish_fill(struct hitop_node *node,
                                           const struct hitop_node_writer *writer, uint64_t kind,
                                           uint64_t fill)
{
    struct hitop_node_slot *slot = writer->slot;

    if (writer->written == 0) {
        slot->u.staged.total = writer->total;
        slot->u.staged.start = node->offset;
        atomic_store_explicit(&slot->u.staged.fill, fill, memory_order_relaxed);
        if (writer->place == 0) {
            atomic_store_explicit(&slot->u.staged.place, 0, memory_order_relaxed);
        }
        atomic_store_explicit(&slot->tag, node->seq << TAG_SHIFT | writer->note | kind,
                              memory_order_release);
    } else {
        atomic_store_explicit(&slot->u.staged.fill, fill, memory_order_release);
    }
    hitop_wait_ring(&node->wait);
}

static inline size_t hitop_node_round_up(size_t n, size_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Where the ring goes on after a message. */
static inline uint64_t hitop_node_offset_after(uint64_t start, size_t total)
{
    return start + hitop_node_round_up(total, 64);
}

/* Bytes of a short message that are published while the others are still copied. */
static inline size_t hitop_node_first_half(size_t bytes)
{
    return hitop_node_round_up(bytes / 2, 64);
}

#endif /* HITOP_NODE_INSIDE_H */
