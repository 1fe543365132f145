/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_NODE_THRESHOLDS_H
#define HITOP_NODE_THRESHOLDS_H

/*
 * thresholds.h - from which size on a message on a node goes another way: all numbers of this kind, in one table.
 *
 * bench/node_tune measures them. Only writers look here; readers find everything beside the message, so that
 * processes need not agree.
 */

#include <stddef.h>
#include <stdint.h>

/* Limits of what the segment has places for; see node_inside.h. */
enum {
    HITOP_NODE_INLINE = 120,      /* bytes that travel beside the flag: 56 in its own cache line */
    HITOP_NODE_LINED = 512,       /* longest message in lines with flags of their own */
    HITOP_NODE_SHORT = 2048,      /* longest message with a place of its own */
    HITOP_NODE_SLOTS = 128,       /* operations that a writer may run ahead of the slowest reader */
    HITOP_NODE_RING = 512 * 1024, /* default bytes of the ring */
    HITOP_NODE_WINDOW = 64 * 1024, /* of the ring, for messages that the kernel refuses to copy */
    /* Places of lined and short messages: few stay in the nearest cache, many let a writer run ahead of readers that
     * wait for a processor. */
    HITOP_NODE_FEW_PLACES = 8,
    HITOP_NODE_MANY_PLACES = 32,
    HITOP_DOMAIN_LEAST = 4, /* processes of a domain for which staging pays; fewer have no mirror */
};

/* Pieces of messages up to so many bytes. */
struct hitop_piece {
    size_t up_to, bytes;
};

/* For so many processes, with a processor each or not. */
struct hitop_thresholds {
    int nranks;                         /* at most */
    int alone;                          /* every process has a processor */
    const struct hitop_piece *fragment; /* of the ring; the last one has no limit */
    size_t pull_from;                   /* shortest message that is copied by the kernel */
    const struct hitop_piece *chunk;    /* of what the kernel copies; the last one has no limit */
    size_t mirror_from;                 /* shortest message that domains stage */
    unsigned
        patience; /* with absent readers, in copies: they may just be waiting for a processor */
};

enum {
    HITOP_COPIED_PER_US = 8000,      /* bytes, by one process from another's memory */
    HITOP_COPY_AT_ONCE = 256 * 1024, /* bytes between two calls of MPI */
};

const struct hitop_thresholds *hitop_thresholds_for(int nranks, int alone);

/* The piece for a message of `total` bytes, out of one of the lists above. */
static inline size_t hitop_piece_for(const struct hitop_piece *list, size_t total)
{
    while (total > list->up_to) {
        list++;
    }
    return list->bytes;
}

#endif /* HITOP_NODE_THRESHOLDS_H */
