/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_LAPS_H
#define HITOP_NODE_LAPS_H

/*
 * laps.h - where in the ring a message lies whose readers are near.
 *
 * Idea:   the ring holds more than processors' own caches, because a writer should not take lines out of those of readers that
 *         are far (copier.h). To one that is near, lines go the faster the closer the cache is in which they stay. So a
 *         message for readers that are near begins anew in the first part of the ring, once that has been read, and a
 *         long one goes round in a lap as soon as all readers have come to it. Until then it goes on through the ring,
 *         so that nobody waits for them.
 * How:    the next lap lies one length of the ring further in the ring's offsets, in the same memory. What may be overwritten, and
 *         what a mirror holds (domain.h), is as without laps.
 */

#include "coll/node/node_inside.h"

/* How often in a lap readers tell how far they are, at least. */
enum { HITOP_LAP_STEPS = 4 };

/* Bytes of a lap of a ring. */
static inline size_t hitop_lap(size_t ring_bytes)
{
    const size_t half = ring_bytes / 2;

    return half < HITOP_NODE_LAP ? half : HITOP_NODE_LAP;
}

/*
 * Byte `at` of a message that begins at `start`, in the ring's offsets. At byte `turn` the last lap before it begins anew, and
 * so on; 0: there is no such byte.
 */
static inline uint64_t hitop_laps_offset(const struct hitop_node *node, uint64_t start, uint64_t at,
                                         uint64_t turn)
{
    const uint64_t lap = hitop_lap(node->ring_bytes);

    if (turn == 0 || at < turn) {
        return start + at;
    }
    return start + turn - lap + ((at - turn) / lap + 1) * node->ring_bytes + (at - turn) % lap;
}

/* Bytes from `at` on that follow each other in the ring, were the message endless. */
static inline uint64_t hitop_laps_run(const struct hitop_node *node, uint64_t at, uint64_t turn)
{
    const uint64_t lap = hitop_lap(node->ring_bytes);

    return turn == 0 ? UINT64_MAX : at < turn ? turn - at : lap - (at - turn) % lap;
}

/* Where the ring goes on after so many bytes of the message. */
static inline uint64_t hitop_laps_after(const struct hitop_node *node, uint64_t start,
                                        uint64_t bytes, uint64_t turn)
{
    const uint64_t end = bytes ? hitop_laps_offset(node, start, bytes - 1, turn) + 1 : start;

    return (end + 63) / 64 * 64;
}

/*
 * May a message of `bytes` that begins now, in the ring or in a lane's, go in laps? Asked once for each. `is_again`: this process has
 * written there last.
 */
static inline int hitop_laps_suit(struct hitop_node *node, struct hitop_courses *courses,
                                  size_t bytes, int is_again)
{
    if (!HITOP_COPY_STREAMS) {
        return 1; /* nothing is timed */
    }
    if (hitop_node_streams(node)) {
        hitop_courses_forget(courses);
        courses->now = HITOP_COURSE_RING;
        return 0;
    }
    return hitop_courses_begin(courses, bytes, is_again, &node->lesson) == HITOP_COURSE_LAPS;
}

/*
 * Of two that write about as much in turn the first one chooses for both: where one keeps to laps, whose lines it has just read, and
 * the other one does not, these are not where it has read, and either course costs more. Each for itself stays with what the other one
 * takes.
 */
static inline int hitop_laps_follow(const struct hitop_node *node, size_t bytes)
{
    return HITOP_COPY_STREAMS && node->nranks == 2 && node->me > 0 && !node->wrote_last &&
           node->length == hitop_course_length(&node->courses, bytes) && !hitop_node_streams(node);
}

/* May the message that begins now go in laps? */
static inline int hitop_laps_choose(struct hitop_node *node, size_t bytes)
{
    if (!hitop_laps_follow(node, bytes)) {
        return hitop_laps_suit(node, &node->courses, bytes, node->wrote_last);
    }
    node->lesson = NULL;
    return hitop_courses_follow(&node->courses, bytes, node->followed) == HITOP_COURSE_LAPS;
}

/* A long message begins: its slot, and where in the ring. */
static inline void hitop_laps_begin(struct hitop_node *node, struct hitop_node_writer *writer)
{
    const size_t total = writer->total, lap = hitop_lap(node->ring_bytes);
    const size_t first = total < lap ? total : lap;
    const size_t index = (size_t)(node->offset % node->ring_bytes);
    const uint64_t anew = node->offset - index + node->ring_bytes;
    const int is_known = node->consumed_min + node->ring_bytes >= anew + first;

    writer->slot = hitop_node_take_slot(node);
    writer->goes_on = node->wrote_last;
    if (hitop_laps_choose(node, total) && index > 0 &&
        (is_known || (index + first > lap && hitop_node_ring_is_free(node, anew, first)))) {
        node->offset = anew;
    }
    node->wrote_last = 1;
}

#endif /* HITOP_NODE_LAPS_H */
