/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_HEADER_MPI_H
#define HITOP_HEADER_MPI_H

/*
 * header_mpi.h - the message that tells a node of a broadcast.
 *
 * It carries the root's choices, whom its receiver has to serve, and the data if they are short. Only the root decides;
 * everybody else does what the header says.
 */

#include "coll/twolevel/branch.h"
#include "coll/twolevel/eager_mpi.h"
#include "coll/twolevel/style.h"

#include <stddef.h>

enum {
    HEADER_ANNOUNCES = 1, /* leaders of the next operation announce themselves */
    HEADER_WHOLE = 2,     /* all data are in here */
    HEADER_UNASKED = 4,   /* it is no answer to a leader */
};

struct header {
    uint64_t seq;     /* number of the operation */
    uint64_t total;   /* bytes of the broadcast */
    uint32_t segment; /* bytes of a segment, of data that are not in here */
    uint16_t builder; /* of the tree between nodes, where leaders are fixed */
    uint16_t way;     /* enum hitop_style_way */
    uint32_t flags;
    int32_t
        nbranch; /* ranks in the list: a branch, or the leaders of all nodes; 0 where they are fixed */
    unsigned char rest[HITOP_HEADER_BYTES - 32]; /* the list, then the data */
};

_Static_assert(offsetof(struct header, rest) == 32 && sizeof(struct header) == HITOP_HEADER_BYTES,
               "no padding goes over the wire");
_Static_assert(sizeof(struct hitop_branch) * MEET_NODES <
                   EAGER_SURE - offsetof(struct header, rest),
               "the longest list has room");

/* Most data for which a header of the operation under way has room, whatever its list, without its receiver. */
static inline size_t header_room(const struct hitop_comm *c)
{
    const size_t list =
        c->meet.announces ? (size_t)(c->nnodes - 1) * sizeof(struct hitop_branch) : 0;

    const size_t most =
        c->eager < HITOP_HEADER_BYTES ? (size_t)c->eager : (size_t)HITOP_HEADER_BYTES;

    return most - offsetof(struct header, rest) - list;
}

/* Put the list and, where HEADER_WHOLE is set, the data into the header; its bytes. */
int hitop_header_fill(struct header *h, const struct hitop_branch *list, int nbranch,
                      const unsigned char *data);

static inline const struct hitop_branch *header_list(const struct header *h)
{
    return (const struct hitop_branch *)(const void *)h->rest;
}

static inline const unsigned char *header_data(const struct header *h)
{
    return h->rest + (size_t)h->nbranch * sizeof(struct hitop_branch);
}

/* Do its data go in pieces, each another way? */
static inline int header_is_scattered(const struct header *h)
{
    return hitop_style_exchange((enum hitop_style_way)h->way) != NULL;
}

/* Bytes of a header with its list and data. */
static inline int header_bytes(const struct header *h)
{
    return (int)(header_data(h) - (const unsigned char *)h) +
           (h->flags & HEADER_WHOLE ? (int)h->total : 0);
}

/* Look whether a header of the operation under way has come, and receive it. *found: 1 when one has. */
int hitop_header_take(struct hitop_comm *c, struct header *h, int *from, int *found);

/* Wait for the header of the operation under way, which is sent to this process. */
int hitop_header_await(struct hitop_comm *c, struct header *h, int *from);

/* Send `h` with its list and data to a process that waits for it. */
int hitop_header_send(struct hitop_comm *c, const struct header *h, int bytes, int rank);

#endif /* HITOP_HEADER_MPI_H */
