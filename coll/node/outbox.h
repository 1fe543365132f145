/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_OUTBOX_H
#define HITOP_NODE_OUTBOX_H

/*
 * lanes.h - an area of a node's segment for each process, in which it leaves what it brings to an operation.
 *
 * Idea:   whoever brings something deposits it in its own lane and goes on; whoever takes something looks into the
 *         lanes of the others. A slot tells what its owner has posted for one operation: up to HITOP_OUTBOX_LINED bytes
 *         in lines that each carry a flag, up to HITOP_NODE_SHORT on one of a few cells, if there are any, more in a window of
 *         the lane's ring of bytes. Slots are told apart by the number of the operation; nothing is reset and nobody
 *         acknowledges. The owner remembers who was to take each deposit
 *         and looks whether it has left that operation only when a slot or a part of the ring comes round again.
 * Needs:  the discipline of node_inside.h: each process begins and leaves every operation.
 *
 * Memory ordering: as in node.h. `took` is how much of the lanes a reader has taken within the operation after its
 * `done`; it goes back to 0 before `done` moves on, so that what a writer finds there never tells of an older operation.
 */

#include "coll/node/layout.h"
#include "coll/node/node.h"

/* Who takes a deposit, if not one process that is known: everybody, or whoever comes last (claim.c). */
enum { HITOP_OUTBOX_ALL = -1, HITOP_OUTBOX_LAST = HITOP_NODE_LAST };

enum { HITOP_OUTBOX_LINES = 10 };

/* Bytes of a lined deposit in its first line, beside its length. */
enum { HITOP_OUTBOX_FIRST = FLAGGED - 8 };

_Static_assert((int)HITOP_OUTBOX_FIRST + (HITOP_OUTBOX_LINES - 1) * (int)FLAGGED >=
                   (int)HITOP_INBOX_LINED,
               "lines hold the longest lined block");

/*
 * What one process brings to one operation. tag = operation << TAG_SHIFT | kind, as of a node's slots: up to FLAGGED the length
 * of what lies beside it, else LINED, STAGED or BY_CMA. Lines are never used for anything that could look like a flag.
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
            uint64_t start;          /* where in the lane's ring, or in `place`, the window is */
            uint64_t window;         /* byte i of the deposit is byte i % window of it */
            _Atomic uint64_t fill;   /* bytes of the deposit that are there */
            _Atomic uint64_t summed; /* bytes of which the owner has combined its share */
            uint64_t
                place; /* of the window in memory of the node, or 0: it is in the lane's ring */
        } staged;
    } u;
    struct {
        _Alignas(64) _Atomic uint64_t seq;
        unsigned char data[FLAGGED];
    } line[HITOP_OUTBOX_LINES - 1];
    /* What may be posted afterwards does not touch these. */
    union {
        struct {                       /* of a block that is handed over, see hand.h */
            _Alignas(64) uint64_t seq; /* of which operation */
            uint64_t total;
            uint64_t chunk;
            uint64_t from;                   /* address in the owner's memory */
            _Atomic uint64_t to;             /* address in the taker's memory */
            _Atomic uint64_t claimed;        /* chunks that somebody copies */
            _Atomic uint64_t pulled, pushed; /* that the taker has copied; the owner */
        } rendezvous;
        struct {                       /* of an operand that all combine, see fold_direct.h */
            _Alignas(64) uint64_t seq; /* of which operation */
            uint64_t total;
            uint64_t from;            /* address in the owner's memory */
            uint64_t result;          /* the same of where the sum belongs */
            uint64_t kept;            /* where in its lane's ring it keeps a sum */
            _Atomic uint64_t claimed; /* chunks that somebody combines */
            _Atomic uint64_t said;    /* at the end */
        } combined;
    };
};

/* The head of a box; its slots follow, then as many in which others leave something for its owner, then the ring. */
struct hitop_outbox {
    _Alignas(LINE) _Atomic uint64_t took; /* by its owner, in the lanes of others */
    struct {
        _Alignas(LINE) _Atomic uint64_t word;
    } came[2];                           /* barriers its owner has come to, see barrier.c */
    _Alignas(LINE) _Atomic uint64_t all; /* the first lane's: arrivals at barriers */
};

/* A deposit that is being written. */
struct hitop_outbox_writer {
    struct hitop_outbox_slot *slot;
    unsigned char *ring;
    uint64_t total, written;
    uint64_t start, window; /* as in the slot */
    uint64_t taken;         /* all of its readers have taken as much, at least */
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

/* What `rank` brings to the operation under way. */
static inline struct hitop_outbox_slot *hitop_outbox_slot_of(const struct hitop_node *node,
                                                             int rank)
{
    return (struct hitop_outbox_slot *)(hitop_outbox_of(node, rank) + 1) +
           ((node->seq) & (node->nplaces - 1));
}

/* What is brought to `rank` alone. */
static inline struct hitop_outbox_slot *hitop_inbox_slot_of(const struct hitop_node *node, int rank)
{
    return hitop_outbox_slot_of(node, rank) + node->nplaces;
}

static inline unsigned char *hitop_outbox_ring_of(const struct hitop_node *node, int rank)
{
    return node->outbox.memory + (size_t)rank * node->outbox.stride + node->outbox.ring;
}

/* Wait until *word is at least `value`. */
static inline void hitop_outbox_await(struct hitop_node *node, _Atomic uint64_t *word,
                                      uint64_t value)
{
    unsigned round = 0;

    while (atomic_load_explicit(word, memory_order_acquire) < value) {
        hitop_wait_relax(&node->wait, &round);
    }
}

/* Leave an operation in which only lanes were used. */
static inline void hitop_outbox_complete(struct hitop_node *node)
{
    if (node->outbox.took) {
        node->outbox.took = 0;
        atomic_store_explicit(&hitop_outbox_of(node, node->me)->took, 0, memory_order_release);
    }
    hitop_node_complete(node, node->offset);
}

/*
 * The same for a process that has seen a deposit of everybody: nobody can still be in an earlier operation, which its
 * next deposits need not look for.
 */
static inline void hitop_outbox_complete_all(struct hitop_node *node)
{
    hitop_node_note_all_progress(node);
    hitop_outbox_complete(node);
}

/* Has `rank` left operation `seq`? A look costs the line that it writes in every operation, so what it tells is kept. */
static inline int hitop_outbox_has_left(struct hitop_node *node, int rank, uint64_t seq)
{
    uint64_t *left = &node->outbox.left[rank];

    if (node->done_min < seq && *left < seq) {
        *left = hitop_node_done_by(node, rank);
        return *left >= seq;
    }
    return 1;
}

/* This process has taken the first `bytes` of all that it takes from lanes. */
static inline void hitop_outbox_took(struct hitop_node *node, uint64_t bytes)
{
    node->outbox.took = bytes;
    atomic_store_explicit(&hitop_outbox_of(node, node->me)->took, bytes, memory_order_release);
    hitop_wait_notify(&node->wait);
}

/* How much of the operation under way `rank` has taken; UINT64_MAX when it has left it. */
static inline uint64_t hitop_outbox_taken_by(struct hitop_node *node, int rank)
{
    const uint64_t done = hitop_node_done_by(node, rank);

    if (done >= node->seq) {
        return UINT64_MAX;
    }
    return done + 1 < node->seq
               ? 0
               : atomic_load_explicit(&hitop_outbox_of(node, rank)->took, memory_order_acquire);
}

/*
 * Deposits, which process `reader` takes, or HITOP_OUTBOX_ALL of the others, or HITOP_OUTBOX_LAST of them. They wait where older deposits fill the lane.
 *
 * hitop_outbox_post() leaves at most HITOP_OUTBOX_LINED bytes. A longer one is opened with a `window` of at most the lane's
 * ring that holds it or is a part of it, and written in pieces that do not cross the window's end: hitop_outbox_piece()
 * waits until a piece overwrites nothing that is still to be taken, which the first one never does, hitop_outbox_publish() lets
 * others see what was put there, hitop_outbox_write() does both. Nobody hears of the deposit, nor of its length, before its first
 * piece. hitop_outbox_reserve() does no more than find `window` bytes that lie in one piece: where, from the ring's beginning.
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
 * All of a deposit with such a window is there: who has left one in the operation before, too, probably leaves another one in
 * the next operation. Its room comes, see hitop_node_prefetch_room(). hitop_outbox_publish() does this by itself.
 */
void hitop_outbox_prefetch_room(const struct hitop_node *node, size_t window);

/* Leave at most HITOP_INBOX_LINED bytes in a slot that is free. */
void hitop_outbox_fill_slot(struct hitop_node *node, struct hitop_outbox_slot *slot,
                            const unsigned char *data, size_t bytes);

/* That of the next operation. */
static inline struct hitop_outbox_slot *hitop_outbox_next(const struct hitop_node *node,
                                                          struct hitop_outbox_slot *slot)
{
    return ((node->seq) & (node->nplaces - 1)) + 1 < node->nplaces ? slot + 1
                                                                   : slot + 1 - node->nplaces;
}

/* A rank that posts `bytes` in every operation prefetches the lines of the next one, which others have read. */
static inline void hitop_outbox_prefetch_next(const struct hitop_node *node, size_t bytes)
{
    const struct hitop_outbox_slot *next =
        hitop_outbox_next(node, hitop_outbox_slot_of(node, node->me));

    hitop_node_prefetch_to_write(&next->tag);
    for (size_t at = HITOP_OUTBOX_FIRST, i = 0; bytes > FLAGGED && at < bytes; at += FLAGGED) {
        hitop_node_prefetch_to_write(&next->line[i++]);
    }
}

/* Wait for something to be told in a slot; its kind. */
static inline uint64_t hitop_outbox_kind(struct hitop_node *node, struct hitop_outbox_slot *slot)
{
    unsigned round = 0;
    uint64_t tag;

    while ((tag = atomic_load_explicit(&slot->tag, memory_order_acquire)) >> TAG_SHIFT !=
           node->seq) {
        hitop_wait_relax(&node->wait, &round);
    }
    return tag & KIND;
}

/* Wait for a deposit, after whatever else was told; its length. */
static inline uint64_t hitop_outbox_length(struct hitop_node *node, struct hitop_outbox_slot *slot)
{
    unsigned round = 0;
    uint64_t kind;

    while ((kind = hitop_outbox_kind(node, slot)) == BY_CMA) { /* a deposit will follow */
        hitop_wait_relax(&node->wait, &round);
    }
    return kind <= FLAGGED ? kind : slot->u.lined.total;
}

/* 1: what hitop_outbox_length() has waited for lies in the lane's ring, 0: in lines. */
static inline int hitop_outbox_is_staged(struct hitop_outbox_slot *slot)
{
    return (atomic_load_explicit(&slot->tag, memory_order_relaxed) & KIND) == STAGED;
}

/* 1: a block of this operation is, or was, handed over; nothing was posted since. */
static inline int hitop_outbox_is_handed(const struct hitop_node *node,
                                         struct hitop_outbox_slot *slot)
{
    return atomic_load_explicit(&slot->tag, memory_order_acquire) ==
           (node->seq << TAG_SHIFT | BY_CMA);
}

/* Bytes `from` on of what lies in lines. */
void hitop_outbox_get(struct hitop_node *node, struct hitop_outbox_slot *slot, size_t from,
                      void *buffer, size_t bytes);

/* Bytes `at` on of a staged deposit of `rank`, up to the end of its window. */
static inline unsigned char *hitop_outbox_at(const struct hitop_node *node, int rank,
                                             const struct hitop_outbox_slot *slot, uint64_t at)
{
    unsigned char *from = slot->u.staged.place
                              ? (unsigned char *)hitop_arena_at(node->arena, slot->u.staged.place)
                              : hitop_outbox_ring_of(node, rank);

    return from + slot->u.staged.start + at % slot->u.staged.window;
}

/* Wait until the first `bytes` of a staged deposit are there. */
static inline void hitop_outbox_await_fill(struct hitop_node *node, struct hitop_outbox_slot *slot,
                                           uint64_t bytes)
{
    hitop_outbox_await(node, &slot->u.staged.fill, bytes);
}

/* Long blocks through lanes, in steps of the same length in all of them. */

/* Bytes of a step: owners write that much at a time. */
static inline size_t hitop_outboxes_step(const struct hitop_node *node)
{
    const size_t step = node->thresholds->gather_step, most = node->outbox.ring_bytes / 4;

    return step < most ? step : most;
}

/* A window for a deposit in such steps. */
static inline size_t hitop_outboxes_window(const struct hitop_node *node, size_t bytes)
{
    const size_t step = hitop_outboxes_step(node);
    const size_t most = node->outbox.ring_bytes / 2 / step * step;

    return bytes < most ? bytes : most;
}

/* The next bytes of our deposit, which is `mine`, up to the end of a step and at most `most`. */
void hitop_outboxes_bring(struct hitop_node *node, struct hitop_outbox_writer *writer,
                          const unsigned char *mine, size_t most);

/* Our own block goes where it belongs, unless it, or the first `kept` bytes of it, are there. 1 when its lengths differ. */
static inline int hitop_outboxes_keep(const struct hitop_node *node, const unsigned char *mine,
                                      size_t bytes, size_t kept, const struct hitop_node_blocks *to)
{
    size_t room;
    unsigned char *at = hitop_node_block(to, node->me, &room);
    const size_t end = bytes < room ? bytes : room;

    if (at != mine && end > kept) { /* otherwise there may be no address */
        memcpy(at + kept, mine + kept, end - kept);
    }
    return bytes != room;
}

/*
 * Wait for byte `at` of a staged deposit of `rank`, and take what is there from it on, up to `end` and in one place; what is
 * too long for `room` is skipped. Returns up to where.
 */
uint64_t hitop_outboxes_take_some(struct hitop_node *node, int rank, struct hitop_outbox_slot *slot,
                                  uint64_t at, uint64_t end, unsigned char *block, size_t room);

/* Wait for the step that begins at `at` of all others' staged deposits and take it. */
void hitop_outboxes_take(struct hitop_node *node, const struct hitop_node_blocks *to, uint64_t at);

/*
 * What one of two processes brings to the other is a message, if it is short.
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
static inline void hitop_pair_post(struct hitop_node *node, const void *block, size_t bytes)
{
    hitop_node_post_copy(node, block, bytes, 0);
}

/*
 * That of who takes one and expects `bytes` of it, of any length: at most `capacity` bytes of it to `block`. Returns its length. Or
 * SIZE_MAX where there is a deposit instead, whose tag is `deposit`; then the operation goes on.
 */
size_t hitop_pair_take(struct hitop_node *node, const _Atomic uint64_t *posted, size_t most,
                       size_t bytes, void *block, size_t capacity);

/* The same without taking it: its length, or SIZE_MAX. */
size_t hitop_pair_length(struct hitop_node *node, const _Atomic uint64_t *posted, size_t most,
                         size_t bytes);

#endif /* HITOP_NODE_OUTBOX_H */
