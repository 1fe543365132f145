/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_NODE_H
#define HITOP_NODE_NODE_H

/*
 * node.h - broadcasts among the processes that share one memory segment.
 *
 * Idea:   one writer per operation puts the message where all others copy it out: up to
 *         HITOP_NODE_INLINE bytes beside the flag itself, up to HITOP_NODE_LINED in lines that each
 *         carry a flag, up to HITOP_NODE_SHORT in one of a few places that stay in the nearest cache, more in
 *         a ring of bytes (laps.h). Every
 *         operation has a number; a slot says which operation it holds, so nothing is ever reset and
 *         nobody acknowledges. Readers leave behind how far they are, each in a line of its own, and a
 *         writer looks there only when it is about to reuse a slot or a part of the ring.
 * Cost:   small message: the writer writes one line, a reader reads it and writes its own. Large one:
 *         two copies, in fragments, so that they overlap.
 * Needs:  all processes start the same operations in the same order and know who writes.
 * Source: Graham & Shipman, MPI support for multi-core architectures, EuroPVM/MPI 2008 (fan-out through
 *         shared control words); the acknowledgement-free ring is Hitop's.
 *
 * Memory ordering: data are written by plain stores and published by a store-release of the slot's
 * `tag` or `fill`; readers load these with acquire. A reader releases its `done` and `consumed` after
 * its last load; a writer acquires them before it overwrites. All shared words have one writer at a
 * time.
 */

#include "coll/node/arena.h"
#include "coll/node/cursor.h"
#include "coll/node/pull.h"
#include "coll/node/thresholds.h"
#include "coll/node/wait.h"

#include <stddef.h>
#include <stdint.h>

/* What a segment holds; equal in all processes that attach to it. */
struct hitop_node_layout {
    int nranks;        /* processes, at least 1 */
    size_t ring_bytes; /* a multiple of 4096 */
    int nplaces;       /* HITOP_NODE_FEW_PLACES or HITOP_NODE_MANY_PLACES: a power of two */
    size_t
        lane_bytes; /* of the ring of each process, a multiple of 4096 and at least 256 * nranks, or 0: broadcasts only */
    uint64_t first; /* number of the first operation minus one; tests start high */
};

struct hitop_node_slot;
struct hitop_node_claim;
struct hitop_node_place;
struct hitop_node_member;
struct hitop_pull_desk;

/* Instead of a process: the one that comes last to the operation. */
enum { HITOP_NODE_LAST = -2 };

enum { HITOP_LANE_RANKS = 128 }; /* at most; for more there are no lanes */

/* What processes leave for others in operations other than broadcasts; private to lanes.h. */
struct hitop_lane_deposit {
    uint64_t seq; /* of which operation */
    int reader;
};

struct hitop_lane_window {
    struct hitop_lane_deposit deposit;
    uint64_t start; /* in the ring's offsets */
};

struct hitop_lanes {
    unsigned char *memory;
    size_t stride, ring; /* bytes from lane to lane; where in a lane its ring is */
    size_t ring_bytes;
    size_t shelf_bytes;    /* 0: there are none */
    uint64_t end;          /* of our windows so far, in the ring's ever-growing offsets */
    uint64_t took;         /* what we have told others that we took of the operation under way */
    uint64_t barriers;     /* how many there were */
    uint64_t oldest, next; /* windows that may not have been taken yet */
    int direct; /* all may copy from each other, and have done so; the same in all processes */
    struct hitop_lane_window window[HITOP_NODE_MANY_PLACES];
    struct hitop_lane_deposit place[HITOP_NODE_MANY_PLACES]; /* the last one in each */
    struct hitop_lane_deposit shelf[HITOP_NODE_SHELVES];     /* likewise */
    int filler[HITOP_NODE_MANY_PLACES]; /* of boxes: the last root to use the place, plus 1 */
    uint64_t left[HITOP_LANE_RANKS];    /* by each process: the last operation that is known of */
};

/* One process's view of the segment. Initialised by hitop_node_attach(); owns nothing. */
struct hitop_node {
    struct hitop_node_slot *slots;
    struct hitop_node_claim *claims;
    struct hitop_node_place *places;
    struct hitop_node_member *members;
    struct hitop_bell *bell;
    void *cards; /* see pull.h */
    struct hitop_pull_desk *desks;
    unsigned char *ring;
    size_t ring_bytes;
    uint64_t nslots;            /* that are used; there are HITOP_NODE_SLOTS */
    uint64_t nplaces, nshelves; /* of lined messages; of them, for short ones */
    int nranks, me;
    struct hitop_wait wait;
    int wrote_last; /* the last long message was ours */
    const struct hitop_thresholds *thresholds;
    struct hitop_arena *arena; /* where messages are left for absent readers; NULL: nowhere */
    struct hitop_pull pull;    /* does not work before hitop_node_prove() */

    uint64_t seq;                          /* operation under way, or the last one */
    struct hitop_cursor slot, line, shelf; /* of the last message in one, in lines, on a shelf */
    unsigned nready;                       /* messages that were there at once, in a row */
    uint64_t offset;       /* where in the ever-growing ring offsets the next message starts */
    uint64_t done_min;     /* everybody else has finished this operation (may lag behind) */
    uint64_t consumed_min; /* everybody else has read up to here (may lag behind) */
    uint64_t waits_room;   /* writes that had to wait for slots or for the ring */

    struct hitop_lanes lanes;
};

/* A message that is being written; see hitop_node_open(). */
struct hitop_node_writer {
    size_t total;   /* bytes of the whole message */
    size_t written; /* bytes already in the ring or in the slot */
    unsigned note;  /* what goes with it, as a bit of the flag */

    struct hitop_node_slot *slot; /* NULL until it has begun; not of short messages */
    int goes_on;                  /* the long message before this one was ours, too */

    /* The rest of it may go elsewhere than to the ring; see spill.h. */
    uint64_t since, place;
    size_t in_ring; /* of the message; of a message in pieces: what it takes of the ring so far */
};

/* The usual lane_bytes for so many processes, each with a processor to itself if `alone`; 0: too many. */
size_t hitop_node_lane_bytes(int nranks, int alone);

/* Bytes of shared memory a layout needs, a multiple of 4096. */
size_t hitop_node_segment_bytes(const struct hitop_node_layout *layout);

/* Make fresh memory, 4096-aligned, usable. Done by one process before the others attach. */
void hitop_node_format(void *memory, const struct hitop_node_layout *layout);

/* View the segment as process `me`. */
void hitop_node_attach(struct hitop_node *node, void *memory,
                       const struct hitop_node_layout *layout, int me,
                       const struct hitop_wait *wait);

/*
 * After all processes have attached: find out, all together, whether they may copy from each other's memory. `allowed` 0:
 * this one does not want to.
 */
void hitop_node_prove(struct hitop_node *node, int allowed);

/*
 * Every operation of every kind begins with its number, in all processes alike: nothing else may be called before, and
 * the operation must be written or read until its end.
 */
static inline void hitop_node_begin(struct hitop_node *node)
{
    node->seq++;
}

/*
 * Competition, where nobody knows beforehand who writes: the first process that asks gets 1, the others 0. It leads; who
 * then writes is its own and its peers' affair, as long as it is one process. May wait for slow readers of long ago.
 */
int hitop_node_claim(struct hitop_node *node);

/* 1: the operation under way has a writer, so that hitop_node_read() gets it; 0: none yet, or its message is being written. */
int hitop_node_is_published(const struct hitop_node *node);

/*
 * How long a message has waited for a process: whoever is about to write says when that was, by hitop_wait_clock(); a
 * process that begins its operation notes how late it is, 0 where nothing has been written yet; anybody may ask for
 * what process `local` has last noted. In ns.
 */
void hitop_node_stamp(struct hitop_node *node);
void hitop_node_note_lateness(struct hitop_node *node);
uint64_t hitop_node_lateness(const struct hitop_node *node, int local);

/*
 * Write: hitop_node_open() starts a message of `total` > 0 bytes with a note of 0 or 1; hitop_node_write() takes as
 * many of the next bytes as there is room for and never waits (0: do something else and come back; a message of at
 * most HITOP_NODE_SHORT bytes is taken whole or not at all); the operation is complete when `written`
 * equals `total`. hitop_node_put_copy() does all of it, also of 0 bytes, waiting for room where it must; hitop_node_put() does, or
 * has readers copy out of `data`, for which it waits.
 */
void hitop_node_open(struct hitop_node_writer *writer, size_t total, int note);
size_t hitop_node_write(struct hitop_node *node, struct hitop_node_writer *writer, const void *data,
                        size_t bytes);
void hitop_node_put_copy(struct hitop_node *node, const void *data, size_t bytes, int note);
void hitop_node_put(struct hitop_node *node, const void *data, size_t bytes, int note);

/*
 * The same for a message of any length whose pieces come in any order, each byte once: `bytes` of it from `at` on.
 * Returns how many of them were taken and never waits. All of one message is written this way, or none of it. What is
 * written is not left behind for readers that do not come: once the ring is full there is no room until they have read.
 */
size_t hitop_node_write_piece(struct hitop_node *node, struct hitop_node_writer *writer,
                              const void *data, size_t at, size_t bytes);

/*
 * Read the operation under way, waiting for its writer: at most `capacity` bytes to `buffer`. Returns the length
 * of the message, which may be larger; the rest of it is skipped. *note receives the writer's note.
 */
size_t hitop_node_read(struct hitop_node *node, void *buffer, size_t capacity, int *note);

#endif /* HITOP_NODE_NODE_H */
