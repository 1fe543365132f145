/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_NODE_H
#define HITOP_NODE_NODE_H

/*
 * node.h - collectives among the ranks that share one memory segment.
 *
 * Idea:   A broadcast has one writer, which writes the message where all readers copy it out: up to
 *         HITOP_NODE_INLINE bytes beside a flag, up to HITOP_NODE_LINED bytes in cache lines that
 *         carry a flag each, up to HITOP_NODE_SHORT bytes in a buffer cell, more in a ring of
 *         bytes. In the other operations each rank posts blocks in its outbox (outbox.h). Every
 *         operation has a number. A flag holds the number of its operation, so nothing is reset and
 *         no reader acknowledges. Each rank publishes its progress in a cache line of its own; a
 *         writer reads these lines only before it reuses a slot or a part of a ring.
 * Cost:   short message: the writer writes one line, a reader reads it and writes its own. Long
 *         message: two copies, in fragments, which overlap.
 * Needs:  all ranks start the same operations in the same order.
 * Source: Graham & Shipman, MPI support for multi-core architectures, EuroPVM/MPI 2008, for control
 *         words in shared memory; flags without acknowledgements are Hitop's.
 *
 * Memory ordering: data are written by plain stores and published by a store-release of a flag
 * (`tag`, `word`, `rest`, `fill`); readers load flags with acquire. A reader stores its progress
 * (`done`, `consumed`) with release after its last load; a writer loads it with acquire before it
 * overwrites. Each shared word has one writer at a time.
 */

#include "coll/node/arena.h"
#include "coll/node/cma.h"
#include "coll/node/thresholds.h"
#include "coll/node/wait.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What a segment contains; equal in all ranks that attach to it. */
struct hitop_node_layout {
    int nranks;        /* at least 1 */
    size_t ring_bytes; /* a multiple of 4096 */
    int nplaces;       /* HITOP_NODE_FEW_PLACES or HITOP_NODE_MANY_PLACES: a power of two */
    /*
     * bytes of the ring of each outbox, a multiple of 4096 and at least 256 * nranks; 0: the
     * segment serves broadcasts only
     */
    size_t outbox_bytes;
    uint64_t first; /* number of the first operation minus one; tests start high */
};

/* Used instead of a rank: the last one to arrive. */
enum { HITOP_NODE_LAST = -2 };

enum { HITOP_OUTBOX_RANKS = 128 }; /* the most ranks that have outboxes */

/*
 * The index of the slot, the lines or the cell of the next message.
 *
 * Idea:   Each message takes the next index, so that a writer can run ahead of its readers. With
 *         two ranks, a reader that writes the next message reuses the index of the message that it
 *         has read: the other rank does not read there any more, and the lines are in the new
 *         writer's cache. Both ranks know which of them writes, so both compute the same index.
 * Source: measured on an AMD EPYC, ns until a word of another processor is visible, in one line and
 *         in 128 lines in turn: 32 and 54 with a shared cache, 162 and 205 on different sockets.
 *         Without this, roots in turn take 1.2 (256 B) to 1.6 times (1 to 4 KiB) as long on an
 *         Intel Xeon (doc/node-design.md).
 */
struct hitop_slot_index {
    uint64_t last; /* index of the last message, modulo the number of places */
    int is_mine;   /* this rank has written the last message */
    /*
     * the reader may write the next message there: the writer uses it no more once the reader has
     * completed
     */
    int is_answerable;
};

/* A block that this rank has posted in its outbox. */
struct hitop_posted {
    uint64_t seq; /* the operation */
    /* of its window in the ring, an offset that only grows; or a constant of outbox.c */
    uint64_t start;
    int reader;
};

/* This rank's view of all outboxes; private to outbox.[ch] and the operations. */
struct hitop_outbox_state {
    unsigned char *memory;
    /* bytes from one outbox to the next; offset of the ring in an outbox */
    size_t stride, ring;
    size_t ring_bytes;
    size_t cell_bytes; /* 0: there are no cells */
    uint64_t end;      /* end of this rank's windows so far, an offset that only grows */
    uint64_t took;     /* bytes that this rank has published as read in the operation under way */
    uint64_t barriers; /* number of barriers so far */
    /*
     * CMA works between all ranks and has not failed in a CMA exchange or reduce; equal in all
     * ranks
     */
    int direct;
    struct hitop_posted place[HITOP_NODE_MANY_PLACES]; /* the last block in each slot */
    uint64_t left[HITOP_OUTBOX_RANKS]; /* per rank: the last operation that it is known to have
                                          completed */
};

/* One rank's view of the segment. Initialised by hitop_node_attach(); owns nothing. */
struct hitop_node {
    struct hitop_node_slot *slots;
    struct hitop_node_claim *claims;
    struct hitop_node_place *places;
    struct hitop_node_member *members;
    struct hitop_eventcount *eventcount;
    void *peers; /* see cma.h */
    unsigned char *ring;
    size_t ring_bytes;
    uint64_t nslots;          /* slots in use, of HITOP_NODE_SLOTS */
    uint64_t nplaces, ncells; /* places; those of them with a cell in use */
    int nranks, me;
    struct hitop_wait wait;
    int wrote_last; /* this rank has written the last long message */
    const struct hitop_thresholds *thresholds;
    struct hitop_arena *arena; /* memory for late readers; NULL: none */
    struct hitop_cma cma;      /* does not work before hitop_node_prove() */

    uint64_t seq; /* the operation under way, or the last one */
    struct hitop_slot_index slot, line, cell;
    unsigned nready;       /* messages in a row that were published before this rank waited */
    uint64_t offset;       /* ring offset, which only grows, of the next message */
    uint64_t done_min;     /* all others have completed this operation; a lower bound */
    uint64_t consumed_min; /* all others have read the ring up to here; a lower bound */
    uint64_t waits_room;   /* writes that had to wait for slots or for the ring */

    struct hitop_outbox_state outbox;
};

/* A message that is being written; see hitop_node_open(). */
struct hitop_node_writer {
    size_t total;   /* bytes of the whole message */
    size_t written; /* bytes already published */
    unsigned note;  /* a bit of the flag */

    /* Of messages that go through the ring. */
    struct hitop_node_slot *slot; /* NULL until the message has begun */
    int goes_on;                  /* this rank has also written the previous long message */
    /* start of a wait for readers; place in the arena of the rest of the message, or 0 */
    uint64_t since, place;
    size_t in_ring; /* bytes of the ring used so far */
};

/*
 * The default outbox_bytes for `nranks` ranks, each with its own processor if `alone`; 0: too many
 * ranks.
 */
size_t hitop_node_outbox_bytes(int nranks, int alone);

/* Bytes of shared memory that a layout needs, a multiple of 4096. */
size_t hitop_node_segment_bytes(const struct hitop_node_layout *layout);

/* Initialise fresh memory, 4096-aligned. One rank does so before the others attach. */
void hitop_node_format(void *memory, const struct hitop_node_layout *layout);

/* Attach to the segment as rank `me`. */
void hitop_node_attach(struct hitop_node *node, void *memory,
                       const struct hitop_node_layout *layout, int me,
                       const struct hitop_wait *wait);

/*
 * A collective operation after all ranks have attached: finds out whether the ranks can copy from
 * each other's memory. `allowed` 0: this rank does not permit it.
 */
void hitop_node_prove(struct hitop_node *node, int allowed);

/*
 * Begin an operation. All ranks call this before anything else of the operation; each operation
 * must be written or read until it is complete.
 */
static inline void hitop_node_begin(struct hitop_node *node)
{
    node->seq++;
}

/*
 * Claim an operation whose writer is not known beforehand: the first rank that calls this gets 1,
 * the others 0. The first rank is the leader and decides which rank writes. The call may wait for
 * readers that are many operations behind.
 */
int hitop_node_claim(struct hitop_node *node);

/*
 * 1 if the message of the operation under way has begun, so that hitop_node_read() gets it;
 * otherwise 0.
 */
int hitop_node_is_published(const struct hitop_node *node);

/*
 * How long a message has waited for a rank, in ns: the writer records the time before it writes; a
 * rank that begins its operation records how late it is, 0 where no message has begun; any rank can
 * read what rank `local` has last recorded.
 */
void hitop_node_stamp(struct hitop_node *node);
void hitop_node_note_lateness(struct hitop_node *node);
uint64_t hitop_node_lateness(const struct hitop_node *node, int local);

/*
 * The wait states of the ranks in the operation under way. A rank that has waited for a while
 * stores a note beside its progress; a rank that does not wait stores nothing.
 */
enum hitop_wait_state {
    HITOP_STATE_ABSENT, /* the rank has not arrived, or has not stored a note yet */
    HITOP_STATE_WAITS,  /* the rank has stored a note */
    HITOP_STATE_GONE,   /* the rank has completed the operation */
};

void hitop_wait_state_note(struct hitop_node *node, uint64_t note);

/* The state of a rank; *note is its note where it waits. */
enum hitop_wait_state hitop_wait_state_of(const struct hitop_node *node, int rank, uint64_t *note);

/*
 * What this rank does outside of operations, for other ranks to read; any of its threads can set
 * it. 0 at first.
 */
void hitop_wait_state_mark(struct hitop_node *node, uint64_t mark);
uint64_t hitop_wait_state_marked(const struct hitop_node *node, int rank);

/*
 * Broadcast, the writer. hitop_node_open() starts a message of `total` > 0 bytes with a note of 0
 * or 1. hitop_node_write() writes as many of the next bytes as there is room for and never waits;
 * on 0 the caller tries again later. A message of at most HITOP_NODE_SHORT bytes is written as a
 * whole or not at all. The operation is complete when `written` equals `total`.
 * hitop_node_post_copy() does all of this, also for 0 bytes, and waits for room. hitop_node_post()
 * does the same, or lets readers copy `data` by CMA and waits for them.
 */
void hitop_node_open(struct hitop_node_writer *writer, size_t total, int note);
size_t hitop_node_write(struct hitop_node *node, struct hitop_node_writer *writer, const void *data,
                        size_t bytes);
void hitop_node_post_copy(struct hitop_node *node, const void *data, size_t bytes, int note);
void hitop_node_post(struct hitop_node *node, const void *data, size_t bytes, int note);

/*
 * The same for a message of any length whose pieces come in any order, each byte once: `bytes` from
 * offset `at`. Returns how many bytes were written and never waits. All of a message is written
 * this way, or none of it. Pieces do not use the arena: a full ring has no room until all readers
 * have read.
 */
size_t hitop_node_write_piece(struct hitop_node *node, struct hitop_node_writer *writer,
                              const void *data, size_t at, size_t bytes);

/*
 * Broadcast, a reader: wait for the message of the operation under way and copy at most `capacity`
 * bytes of it to `buffer`. Returns the length of the message, which may be larger. *note receives
 * the writer's note.
 */
size_t hitop_node_read(struct hitop_node *node, void *buffer, size_t capacity, int *note);

/*
 * The other collectives. In a rooted operation only the root waits for others; the other ranks post
 * their blocks and go on, unless their outbox is full of unread blocks. Lengths are the same in all
 * ranks where they are not given per rank. If a rank posts another length than its reader expects,
 * the shorter one counts; each rank that notices returns 1, all others 0, and no rank waits
 * forever.
 */

/* The reduction of two operands. Elements are never divided. */
struct hitop_combine {
    /*
     * later = earlier op later; `bytes` is a multiple of unit; memory is aligned as the elements
     * are
     */
    void (*run)(void *context, const void *earlier, void *later, size_t bytes);
    void *context;
    size_t unit;  /* bytes of an element, 1 to HITOP_NODE_UNIT */
    int is_alike; /* a op b and b op a have the same bits, except maybe those of NaNs */
};

enum { HITOP_NODE_UNIT = 4096 };

/*
 * Blocks of the ranks in the memory of one rank: `each` bytes one after another, or from starts[r]
 * to starts[r + 1], or counts[r] units at displs[r] units.
 */
struct hitop_node_blocks {
    unsigned char *base;
    size_t each;
    const size_t *starts;
    const int *counts, *displs;
    size_t unit;
};

struct hitop_node_block {
    unsigned char *at;
    size_t bytes;
};

static inline struct hitop_node_block hitop_node_block(const struct hitop_node_blocks *b, int rank)
{
    if (b->starts) {
        return (struct hitop_node_block){b->base + b->starts[rank],
                                         b->starts[rank + 1] - b->starts[rank]};
    }
    if (b->counts) {
        return (struct hitop_node_block){b->base + (ptrdiff_t)b->displs[rank] * (ptrdiff_t)b->unit,
                                         (size_t)b->counts[rank] * b->unit};
    }
    return (struct hitop_node_block){b->base + (size_t)rank * b->each, b->each};
}

/*
 * Copy a rank's own block `mine` to its place, as in a gather, or from its place, as in a scatter,
 * unless it is there; `mine` NULL: it stays in its place. 1 if the lengths differ.
 */
static inline int hitop_node_copy_own(struct hitop_node_block place, const void *mine, size_t bytes)
{
    const size_t n = bytes < place.bytes ? bytes : place.bytes;

    if (place.at != mine && n > 0) { /* an empty block may have no address */
        memcpy(place.at, mine, n);
    }
    return bytes != place.bytes;
}

static inline int hitop_node_keep_own(struct hitop_node_block place, void *mine, size_t bytes)
{
    return mine && mine != place.at &&
           hitop_node_copy_own((struct hitop_node_block){mine, bytes}, place.at, place.bytes);
}

void hitop_node_barrier(struct hitop_node *node);

/*
 * Reductions and gathers to the last rank to arrive, which then does not wait: each rank calls
 * hitop_node_comes_last() once. The rank that gets 1 passes its own number as root; all others pass
 * HITOP_NODE_LAST. hitop_node_last() is the last rank, or HITOP_NODE_LAST while it has not arrived.
 */
int hitop_node_comes_last(struct hitop_node *node);
int hitop_node_last(const struct hitop_node *node);

/*
 * Combine `mine` of all ranks in the order of ranks: a[0] op (a[1] op (...)). The result has the
 * same bits in all ranks. `mine` may be `result`. bytes > 0.
 */
int hitop_node_allreduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         const struct hitop_combine *combine);
int hitop_node_reduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                      int root, const struct hitop_combine *combine);

/*
 * Blocks to one rank, from one, to all, from each to each. Blocks of different lengths may be
 * empty. `mine`, the rank's own block, may be at its place in `to` or `from`.
 */
int hitop_node_gather(struct hitop_node *node, const void *mine, size_t bytes,
                      const struct hitop_node_blocks *to, int root);
/*
 * The last rank to arrive at a gather calls this before it gathers, with the `bytes` of its own
 * block: starts[r] becomes the offset of the block of rank r where all blocks lie one after
 * another, starts[nranks] their sum.
 */
void hitop_node_lengths(struct hitop_node *node, size_t bytes, size_t *starts);
int hitop_node_scatter(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                       size_t bytes, int root);
int hitop_node_allgather(struct hitop_node *node, const void *mine, size_t bytes,
                         const struct hitop_node_blocks *to);
/* each > 0 bytes from each to each. With in_place, equal in all ranks, `from` may be `to`. */
int hitop_node_alltoall(struct hitop_node *node, const void *from, void *to, size_t each,
                        int in_place);

#endif /* HITOP_NODE_NODE_H */
