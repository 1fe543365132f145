/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_ARENA_H
#define HITOP_NODE_ARENA_H

/*
 * arena.h - one piece of shared memory for all communicators and long messages of a node.
 *
 * Idea:   The arena is a file of a fixed maximum size whose units get memory when they are first
 *         used. A piece consists of whole units. A process takes each unit by one atomic operation,
 *         without a lock: a killed process could hold a lock for ever. A piece counts its holders;
 *         the last one frees it. Its memory is kept for the next piece.
 * Cost:   a system call and fresh pages for a unit that was never used; else less than a
 *         microsecond.
 * Needs:  segment.h. The processes of a communicator use the arena of its first process, so that a
 *         job has one arena per node unless its processes first communicate in separate groups.
 */

#include "coll/node/segment.h"

#include <stddef.h>
#include <stdint.h>

enum {
    HITOP_ARENA_UNIT = 64 * 1024,
    HITOP_ARENA_CAP = 64 * 1024 * 1024, /* default bytes of an arena */
};

/* One process's view. The views of hitop_arena_keep() live as long as the process. */
struct hitop_arena;

/* How other processes find the arena of this process. */
struct hitop_arena_sign {
    char place[HITOP_SEGMENT_PLACE];
    uint64_t number; /* random: the same place may be another file in another process */
};

/*
 * Attach to the arena of `sign`, or create one of at most `cap` bytes where `sign` is NULL. The
 * caller releases it.
 */
enum hitop_status hitop_arena_open(const struct hitop_arena_sign *sign, size_t cap,
                                   struct hitop_arena **out, struct hitop_diag *diag);
void hitop_arena_release(struct hitop_arena *arena);

/*
 * The arena of `sign`, or the first arena of this process where `sign` is NULL; opened as above if
 * this process does not know it yet. Borrowed.
 */
enum hitop_status hitop_arena_keep(const struct hitop_arena_sign *sign, size_t cap,
                                   struct hitop_arena **out, struct hitop_diag *diag);

/* Show the arena to other processes until hitop_segment_hide(sign->place). */
enum hitop_status hitop_arena_show(const struct hitop_arena *arena, enum hitop_segment_kind kind,
                                   struct hitop_arena_sign *sign, struct hitop_diag *diag);

/*
 * Take `bytes` for `holders` > 0 holders. Returns an offset that is equal in all processes and
 * never 0; 0 if there is no room. The content of the memory is undefined.
 */
uint64_t hitop_arena_take(struct hitop_arena *arena, size_t bytes, unsigned holders,
                          struct hitop_diag *diag);

void *hitop_arena_at(const struct hitop_arena *arena, uint64_t offset);

/* Release `holders` holds on a piece. */
void hitop_arena_drop(struct hitop_arena *arena, uint64_t offset, unsigned holders);

/* Bytes that are taken now. */
size_t hitop_arena_taken(const struct hitop_arena *arena);

#endif /* HITOP_NODE_ARENA_H */
