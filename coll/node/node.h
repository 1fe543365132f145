/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_NODE_H
#define HITOP_NODE_NODE_H

/*
 * node.h - collectives among the ranks that share one memory segment.
 *
 * Idea:   A broadcast has one writer, which puts the message where all readers copy it out: up to HITOP_NODE_INLINE bytes
 *         beside a flag, up to HITOP_NODE_LINED bytes in cache lines that carry a flag each, up to HITOP_NODE_SHORT bytes in
 *         a buffer cell, more in a ring of bytes. In the other operations each rank posts blocks in its outbox
 *         (outbox.h). Every operation has a number. A flag holds the number of its operation, so nothing is reset and
 *         no reader acknowledges. Each rank publishes its progress in a cache line of its own; a writer reads these
 *         lines only before it reuses a slot or a part of a ring.
 * Cost:   short message: the writer writes one line, a reader reads it and writes its own. Long message: two copies, in
 *         fragments, which overlap.
 * Needs:  all ranks start the same operations in the same order.
 * Source: Graham & Shipman, MPI support for multi-core architectures, EuroPVM/MPI 2008, for control words in shared memory;
 *         that readers do not acknowledge is Hitop's.
 *
 * Memory ordering: data are written by plain stores and published by a store-release of a flag (`tag`, `word`, `rest`,
 * `fill`); readers load flags with acquire. A reader stores its progress (`done`, `consumed`) with release after its last
 * load; a writer loads it with acquire before it overwrites. Each shared word has one writer at a time.
 */

#include "coll/node/arena.h"
#include "coll/node/cma.h"
#include "coll/node/thresholds.h"
#include "coll/node/wait.h"

#include <stddef.h>
#include <stdint.h>

/* What a segment contains; equal in all ranks that attach to it. */
struct hitop_node_layout {
    int nranks;          /* at least 1 */
    size_t ring_bytes;   /* a multiple of 4096 */
    int nplaces;         /* HITOP_NODE_FEW_PLACES or HITOP_NODE_MANY_PLACES: a power of two */
    size_t outbox_bytes; /* of the ring of each rank, a multiple of 4096 and at least 256 * nranks;
                            0: the segment serves broadcasts only */
    uint64_t first;      /* number of the first operation minus one; tests start high */
};

/* Instead of a rank: the last one to arrive. */
enum { HITOP_NODE_LAST = -2 };

enum { HITOP_OUTBOX_RANKS = 128 }; /* at most; more ranks have no outboxes */

/*
 * The index of the slot, the lines or the cell that the next message of two ranks takes.
 *
 * Idea:   Each message takes the next index, so that a writer can run ahead of its reader. A reader that writes the next
 *         message answers in the same place: the other rank reads nothing there any more, and the lines are in the
 *         writer's cache. Both ranks know which of them writes, so both compute the same index.
 * Source: measured on an AMD EPYC, ns until a word of the other processor is seen, in one line and in 128 lines in turn:
 *         near 32 and 54, far 162 and 205. Without this, roots in turn take 1.2 (256 B) to 1.6 times (1 to 4 KiB) as long on
 *         an Intel Xeon (doc/node-design.md).
 */
struct hitop_slot_index {
    uint64_t last; /* of the last message, modulo the number of places */
    int is_mine;   /* this rank has written it */
    int is_answerable; /* its writer does not use the place after its reader has completed the operation */
};

/* A block that this rank has posted in its outbox. */
struct hitop_posted {
    uint64_t seq; /* of which operation */
    int reader;
};

struct hitop_outbox_window {
    struct hitop_posted posted;
    uint64_t start; /* in the ring's offsets */
};

/* This rank's view of all outboxes; private to outbox.h. */
struct hitop_outbox_state {
    unsigned char *memory;
    size_t stride, ring; /* bytes from one outbox to the next; where in an outbox its ring is */
    size_t ring_bytes;
    size_t cell_bytes; /* 0: there are no cells */
    uint64_t end;      /* of our windows so far, in the ring's ever-growing offsets */
    uint64_t took;     /* bytes of the operation under way that this rank has published as taken */
    uint64_t barriers; /* how many there were */
    uint64_t oldest, next; /* windows that may not have been taken yet */
    int direct; /* all ranks may copy from each other, and have done so; the same in all ranks */
    struct hitop_outbox_window window[HITOP_NODE_MANY_PLACES];
    struct hitop_posted place[HITOP_NODE_MANY_PLACES]; /* the last one in each */
    struct hitop_posted cell[HITOP_NODE_CELLS];        /* likewise */
    int filler[HITOP_NODE_MANY_PLACES]; /* of inboxes: the last root to use the place, plus 1 */
    uint64_t left
        [HITOP_OUTBOX_RANKS]; /* by each rank: the last operation that is known to be complete */
};

/* One rank's view of the segment. Initialised by hitop_node_attach(); owns nothing. */
struct hitop_node {
    struct hitop_node_slot *slots;
    struct hitop_node_claim *claims;
    struct hitop_node_place *places;
    struct hitop_node_member *members;
    struct hitop_eventcount *eventcount;
    void *peers; /* see cma.h */
    struct hitop_cma_request *requests;
    unsigned char *ring;
    size_t ring_bytes;
    uint64_t nslots;          /* that are used; there are HITOP_NODE_SLOTS */
    uint64_t nplaces, ncells; /* of lined messages; of them, with a cell */
    int nranks, me;
    struct hitop_wait wait;
    int wrote_last; /* this rank has written the last long message */
    const struct hitop_thresholds *thresholds;
    struct hitop_arena *arena; /* for messages of late readers; NULL: none */
    struct hitop_cma cma;      /* does not work before hitop_node_prove() */

    uint64_t seq; /* operation under way, or the last one */
    struct hitop_slot_index slot, line, cell;
    unsigned nready;       /* messages in a row that were there before this rank waited */
    uint64_t offset;       /* where in the ring's ever-growing offsets the next message starts */
    uint64_t done_min;     /* all others have completed this operation; may be behind */
    uint64_t consumed_min; /* all others have read up to here; may be behind */
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
    int goes_on;                  /* this rank has also written the long message before */
    uint64_t since,
        place; /* since when it waits for readers; where the rest is left for them, or 0 */
    size_t
        in_ring; /* bytes of the message in the ring; of a message in pieces: what it takes of the ring so far */
};

/* The usual outbox_bytes for so many ranks, each with a processor to itself if `alone`; 0: too many ranks. */
size_t hitop_node_outbox_bytes(int nranks, int alone);

/* Bytes of shared memory that a layout needs, a multiple of 4096. */
size_t hitop_node_segment_bytes(const struct hitop_node_layout *layout);

/* Make fresh memory, 4096-aligned, usable. Done by one rank before the others attach. */
void hitop_node_format(void *memory, const struct hitop_node_layout *layout);

/* View the segment as rank `me`. */
void hitop_node_attach(struct hitop_node *node, void *memory,
                       const struct hitop_node_layout *layout, int me,
                       const struct hitop_wait *wait);

/*
 * After all ranks have attached: find out, all together, whether they may copy from each other's memory. `allowed` 0: this
 * rank does not want to.
 */
void hitop_node_prove(struct hitop_node *node, int allowed);

/*
 * Every operation begins with its number, in all ranks alike: nothing else may be called before, and the operation must be
 * written or read until its end.
 */
static inline void hitop_node_begin(struct hitop_node *node)
{
    node->seq++;
}

/*
 * Competition, where the writer is not known beforehand: the first rank that asks gets 1, the others 0. It leads; which rank
 * then writes is up to it, as long as it is one rank. May wait for readers that are many operations behind.
 */
int hitop_node_claim(struct hitop_node *node);

/* 1: the message of the operation under way has begun, so that hitop_node_read() gets it; 0: not yet. */
int hitop_node_is_published(const struct hitop_node *node);

/*
 * How long a message has waited for a rank: the writer stamps the time before it writes; a rank that begins its operation
 * notes how late it is, 0 where nothing has been written yet; any rank may ask for what rank `local` has last noted. In ns.
 */
void hitop_node_stamp(struct hitop_node *node);
void hitop_node_note_lateness(struct hitop_node *node);
uint64_t hitop_node_lateness(const struct hitop_node *node, int local);

/*
 * Which ranks are in the operation under way. A rank that has waited for a while leaves a note of its caller's choice beside
 * its progress; an operation without waiting costs nothing.
 */
enum hitop_wait_state {
    HITOP_STATE_ABSENT, /* it has not arrived, or not waited long enough to say so */
    HITOP_STATE_WAITS,  /* it has left a note */
    HITOP_STATE_GONE,   /* it has completed the operation */
};

void hitop_wait_state_note(struct hitop_node *node, uint64_t note);

/* What is known of a rank; *note is its own where it waits. */
enum hitop_wait_state hitop_wait_state_of(const struct hitop_node *node, int rank, uint64_t *note);

/* Where this rank is outside of operations, for others to see; any other thread of it may say so. 0 at first. */
void hitop_wait_state_mark(struct hitop_node *node, uint64_t mark);
uint64_t hitop_wait_state_marked(const struct hitop_node *node, int rank);

/*
 * Broadcast, the writer. hitop_node_open() starts a message of `total` > 0 bytes with a note of 0 or 1; hitop_node_write()
 * takes as many of the next bytes as there is room for and never waits (0: do something else and come back; a message of at
 * most HITOP_NODE_SHORT bytes is taken whole or not at all); the operation is complete when `written` equals `total`.
 * hitop_node_post_copy() does all of it, also of 0 bytes, and waits for room; hitop_node_post() does, or has readers copy
 * out of `data` by CMA, for which it waits.
 */
void hitop_node_open(struct hitop_node_writer *writer, size_t total, int note);
size_t hitop_node_write(struct hitop_node *node, struct hitop_node_writer *writer, const void *data,
                        size_t bytes);
void hitop_node_post_copy(struct hitop_node *node, const void *data, size_t bytes, int note);
void hitop_node_post(struct hitop_node *node, const void *data, size_t bytes, int note);

/*
 * The same for a message of any length whose pieces come in any order, each byte once: `bytes` of it from `at` on. Returns
 * how many of them were taken and never waits. All of one message is written this way, or none of it. Nothing is left behind
 * for late readers: once the ring is full there is no room until they have read.
 */
size_t hitop_node_write_piece(struct hitop_node *node, struct hitop_node_writer *writer,
                              const void *data, size_t at, size_t bytes);

/*
 * Broadcast, a reader: wait for the message of the operation under way and copy at most `capacity` bytes of it to `buffer`.
 * Returns its length, which may be larger; the rest is skipped. *note receives the writer's note.
 */
size_t hitop_node_read(struct hitop_node *node, void *buffer, size_t capacity, int *note);

/*
 * The other collectives. Of a rooted operation only the root waits for others; the blocks of the others are posted, and they
 * go on, unless their outbox is full of blocks that are not taken yet. Lengths are the same in all ranks where they are not
 * given per rank; where a rank brings another length than was expected of it, the shorter one counts, and each rank that
 * notices returns 1, all others 0. No rank is left waiting for that.
 */

/* How two operands become one. Elements are never divided. */
struct hitop_combine {
    /* later = earlier op later, `bytes` a multiple of unit; memory is aligned as the elements are */
    void (*run)(void *context, const void *earlier, void *later, size_t bytes);
    void *context;
    size_t unit;  /* bytes of an element, 1 to HITOP_NODE_UNIT */
    int is_alike; /* a op b and b op a have the same bits, though maybe not those of NaNs */
};

enum { HITOP_NODE_UNIT = 4096 };

/*
 * Blocks of the ranks in the memory of one: `each` bytes one after another, or from starts[r] to starts[r + 1], or
 * counts[r] units at displs[r] units.
 */
struct hitop_node_blocks {
    unsigned char *base;
    size_t each;
    const size_t *starts;
    const int *counts, *displs;
    size_t unit;
};

static inline unsigned char *hitop_node_block(const struct hitop_node_blocks *b, int rank,
                                              size_t *bytes)
{
    if (b->starts) {
        *bytes = b->starts[rank + 1] - b->starts[rank];
        return b->base + b->starts[rank];
    }
    if (b->counts) {
        *bytes = (size_t)b->counts[rank] * b->unit;
        return b->base + (ptrdiff_t)b->displs[rank] * (ptrdiff_t)b->unit;
    }
    *bytes = b->each;
    return b->base + (size_t)rank * b->each;
}

void hitop_node_barrier(struct hitop_node *node);

/*
 * Reductions and gathers to the last rank to arrive, which need not wait: each rank asks once whether it is the last one; if
 * so it passes its own rank as root, and all others pass HITOP_NODE_LAST. hitop_node_last() is the last rank, or
 * HITOP_NODE_LAST while it has not arrived.
 */
int hitop_node_comes_last(struct hitop_node *node);
int hitop_node_last(const struct hitop_node *node);

/*
 * Combine `mine` of all ranks in the order of ranks: a[0] op (a[1] op (...)). The result has the same bits in all ranks.
 * `mine` may be `result`. bytes > 0.
 */
int hitop_node_allreduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                         const struct hitop_combine *combine);
int hitop_node_reduce(struct hitop_node *node, const void *mine, void *result, size_t bytes,
                      int root, const struct hitop_combine *combine);

/*
 * Blocks to one rank, from one, to all, from each to each. Of blocks that are not even some may be empty. `mine`, the rank's
 * own block, may be where it goes to or comes from.
 */
int hitop_node_gather(struct hitop_node *node, const void *mine, size_t bytes,
                      const struct hitop_node_blocks *to, int root);
/* The last rank to arrive at a gather, with `bytes`, before it gathers: where the blocks of all begin one after another. */
void hitop_node_lengths(struct hitop_node *node, size_t bytes, size_t *starts);
int hitop_node_scatter(struct hitop_node *node, const struct hitop_node_blocks *from, void *mine,
                       size_t bytes, int root);
int hitop_node_allgather(struct hitop_node *node, const void *mine, size_t bytes,
                         const struct hitop_node_blocks *to);
/* each > 0 bytes from each to each; in_place, the same in all ranks: `from` may be `to` */
int hitop_node_alltoall(struct hitop_node *node, const void *from, void *to, size_t each,
                        int in_place);

#endif /* HITOP_NODE_NODE_H */
