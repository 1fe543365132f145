/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_ARENA_H
#define HITOP_NODE_ARENA_H

/*
 * arena.h - one piece of shared memory for all communicators and long messages of a node.
 *
 * Idea:   a file that could be as large as a cap but has memory only where somebody took some. Pieces of
 *         whole units are taken by compare-and-swap of their units, without a lock that a killed process
 *         might hold. A piece counts its holders, the last of which frees it; its memory is kept for the
 *         next one.
 * Cost:   a system call and fresh pages for a unit that was never used; else less than a microsecond.
 * Needs:  segment.h. Processes that meet in a communicator take the arena of its first process, so that a job
 *         has one arena a node unless its processes meet in separate groups first.
 */

#include "coll/node/segment.h"

#include <stddef.h>
#include <stdint.h>

enum {
    HITOP_ARENA_UNIT = 64 * 1024,
    HITOP_ARENA_CAP = 64 * 1024 * 1024, /* default bytes of an arena */
};

/* One process's view. Those of hitop_arena_own() and hitop_arena_join() live as long as the process. */
struct hitop_arena;

/* How others find the arena of this process. */
struct hitop_arena_sign {
    char place[HITOP_SEGMENT_PLACE];
    uint64_t number; /* random: the same place may lead elsewhere in another process */
};

/* Create an arena of at most `cap` bytes, or attach to one; to be released. */
enum hitop_status hitop_arena_create(size_t cap, struct hitop_arena **out, struct hitop_diag *diag);
enum hitop_status hitop_arena_attach(const struct hitop_arena_sign *sign, struct hitop_arena **out,
                                     struct hitop_diag *diag);
void hitop_arena_release(struct hitop_arena *arena);

/* The first arena that this process has, made with `cap` where it has none; borrowed. */
enum hitop_status hitop_arena_own(size_t cap, struct hitop_arena **out, struct hitop_diag *diag);

/* The arena that another process shows, which this one may know already; borrowed. */
enum hitop_status hitop_arena_join(const struct hitop_arena_sign *sign, struct hitop_arena **out,
                                   struct hitop_diag *diag);

/* Show the arena to others until hitop_segment_hide(sign->place). */
enum hitop_status hitop_arena_show(const struct hitop_arena *arena, enum hitop_segment_kind kind,
                                   struct hitop_arena_sign *sign, struct hitop_diag *diag);

/*
 * Take `bytes` for `holders` > 0 holders. Returns where: an offset, equal in all processes, and never 0; 0 when
 * there is no room. What the memory holds is unknown.
 */
uint64_t hitop_arena_take(struct hitop_arena *arena, size_t bytes, unsigned holders,
                          struct hitop_diag *diag);

/* The memory at an offset. */
void *hitop_arena_at(const struct hitop_arena *arena, uint64_t offset);

/* So many holders less. */
void hitop_arena_drop(struct hitop_arena *arena, uint64_t offset, unsigned holders);

/* Bytes that are taken now. */
size_t hitop_arena_taken(const struct hitop_arena *arena);

#endif /* HITOP_NODE_ARENA_H */
