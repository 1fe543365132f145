/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_AWAIT_H
#define HITOP_NODE_AWAIT_H

/*
 * node_await.h - waiting for the message of the operation under way.
 *
 * Idea:   it is in one of several places, which its length tells. Who waits looks where a message of the length that it expects
 *         would be, and only in one of so many looks where others would.
 */

#include "coll/node/node_inside.h"

/* Of the looks for a message, one in so many goes to where one of another kind would be, too. */
enum { LOOKS_PER_OTHER = 8 };

/*
 * So many messages that are there at once, one after another: their reader lags so far behind that not only the next one is
 * there. Whoever fetches a line earlier takes it from a writer that has fetched it to write (node_write.c).
 */
enum { READY_PER_LAG = 4 };

/* Where it may be. */
struct hitop_node_sources {
    uint64_t slot_at, line_at;
    const _Atomic uint64_t *deposit; /* the tag of a lane's slot, or NULL */
};

static inline struct hitop_node_sources hitop_node_sources_of(const struct hitop_node *node,
                                                              const _Atomic uint64_t *deposit)
{
    return (struct hitop_node_sources){.slot_at = hitop_node_turn(node, &node->slot, 0),
                                       .line_at = hitop_node_turn(node, &node->line, 0),
                                       .deposit = deposit};
}

/* Is the message of the operation under way there in lines? */
static inline int hitop_node_is_lined(const struct hitop_node *node,
                                      const struct hitop_node_place *place)
{
    return atomic_load_explicit(&place->line[0].word, memory_order_acquire) >> LINE_SHIFT ==
           node->seq;
}

/* The tag of a slot of the node or of a lane, if something is told there of the operation under way, or 0. */
static inline uint64_t hitop_node_told(const struct hitop_node *node, const _Atomic uint64_t *tag)
{
    const uint64_t told = atomic_load_explicit(tag, memory_order_acquire);

    return told >> TAG_SHIFT == node->seq ? told : 0;
}

/* Wherever it is: its tag, LINED, DEPOSITED, or 0. */
static inline uint64_t hitop_node_look(const struct hitop_node *node,
                                       const struct hitop_node_sources *s)
{
    const uint64_t tag = hitop_node_told(node, &hitop_node_slot_at(node, s->slot_at)->tag);

    if (tag != 0) {
        return tag;
    }
    if (hitop_node_is_lined(node, hitop_node_place_at(node, s->line_at))) {
        return LINED;
    }
    return s->deposit && hitop_node_told(node, s->deposit) != 0 ? DEPOSITED : 0;
}

/* Before a look where the message is expected: is it time to look everywhere? */
static inline int hitop_node_looks_everywhere(const struct hitop_node *node, unsigned round)
{
    return round % LOOKS_PER_OTHER == LOOKS_PER_OTHER - 1 || round >= node->wait.spins;
}

/* Wait for it where `tag` would tell; what that tells, or where else it is. *round: looks before that one. */
static inline uint64_t hitop_node_await_tag(struct hitop_node *node,
                                            const struct hitop_node_sources *s,
                                            const _Atomic uint64_t *tag, unsigned *round)
{
    uint64_t told;

    while ((told = hitop_node_told(node, tag)) == 0) {
        if (hitop_node_looks_everywhere(node, *round) && (told = hitop_node_look(node, s)) != 0) {
            return told;
        }
        hitop_wait_relax(&node->wait, round);
    }
    return told;
}

/* It was there after so many looks in vain: is the one after the next probably there, too? */
static inline int hitop_node_lags(struct hitop_node *node, unsigned looks)
{
    node->nready = looks == 0 ? node->nready + 1 : 0;
    return node->nready > READY_PER_LAG;
}

/* Wait for it, expected in a slot; its tag, LINED or DEPOSITED. */
static inline uint64_t hitop_node_await_slot(struct hitop_node *node,
                                             const struct hitop_node_sources *s)
{
    unsigned round = 0;
    const uint64_t tag =
        hitop_node_await_tag(node, s, &hitop_node_slot_at(node, s->slot_at)->tag, &round);

    if (hitop_node_lags(node, round)) {
        hitop_node_fetch_to_read(hitop_node_slot_at(node, s->slot_at + 2));
    }
    return tag;
}

/* The same, expected in lines. */
static inline uint64_t hitop_node_await_line(struct hitop_node *node,
                                             const struct hitop_node_sources *s, size_t bytes)
{
    const struct hitop_node_place *place = hitop_node_place_at(node, s->line_at);
    unsigned round = 0;
    uint64_t tag;

    while (!hitop_node_is_lined(node, place)) {
        if (hitop_node_looks_everywhere(node, round) && (tag = hitop_node_look(node, s)) != 0) {
            return tag;
        }
        hitop_wait_relax(&node->wait, &round);
    }
    if (hitop_node_lags(node, round)) {
        hitop_node_fetch_lines(hitop_node_place_at(node, s->line_at + 2), bytes, 0);
    }
    return LINED;
}

/* The same, of a message of `bytes`. */
static inline uint64_t hitop_node_await(struct hitop_node *node, const struct hitop_node_sources *s,
                                        size_t bytes)
{
    return bytes > HITOP_NODE_INLINE && bytes <= HITOP_NODE_LINED
               ? hitop_node_await_line(node, s, bytes)
               : hitop_node_await_slot(node, s);
}

/* The length of a message that is there and that the kernel does not copy. */
static inline size_t hitop_node_length(const struct hitop_node *node,
                                       const struct hitop_node_sources *s, uint64_t tag)
{
    const uint64_t kind = tag & KIND;

    if (kind == LINED) {
        const struct hitop_node_place *place = hitop_node_place_at(node, s->line_at);

        return (size_t)(atomic_load_explicit(&place->line[0].word, memory_order_relaxed) &
                        LINE_BYTES);
    }
    if (kind <= HITOP_NODE_INLINE) {
        return (size_t)kind;
    }
    return kind == SHORT ? (size_t)hitop_node_slot_at(node, s->slot_at)->u.total
                         : (size_t)hitop_node_slot_at(node, s->slot_at)->u.staged.total;
}

/* A reader's part of the operation, after it has found the message, which was not deposited; see hitop_node_read(). */
size_t hitop_node_take(struct hitop_node *node, const struct hitop_node_sources *s, uint64_t tag,
                       void *buffer, size_t capacity, int *note);

#endif /* HITOP_NODE_AWAIT_H */
