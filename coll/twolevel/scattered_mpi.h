/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_SCATTERED_MPI_H
#define HITOP_SCATTERED_MPI_H

/*
 * scattered_mpi.h - a message on its way through a node in pieces that are scattered, then exchanged.
 *
 * Idea:   what a leader gets in a step it may send on from the next one on, and shares with its node at once.
 * Needs:  all leaders are known: from the list of the header, or because they are fixed.
 */

#include "coll/twolevel/bcast_between.h"
#include "coll/twolevel/exchange.h"

/* Messages of one direction, in the order in which they begin. */
struct scattered_flow {
    MPI_Request *requests;
    int all, posted, complete;
};

/* Private. */
struct scattered {
    struct hitop_comm *c;
    const struct header *h;
    unsigned char *data; /* room for all of it */
    size_t piece;        /* bytes */
    int root, root_node;
    int me; /* this node, counted from the root's */
    const struct hitop_exchange *exchange;
    int nchildren, children[32];
    struct scattered_flow get, put;
    struct hitop_node_writer share; /* into this node */
    int shared;                     /* of the messages got, those that are shared */
    size_t begun;                   /* bytes of the next one that are */
};

/*
 * Begin; the header stays where it is. MPI_SUCCESS or MPI_ERR_NO_MEM; hitop_scattered_close() in
 * any case.
 */
int hitop_scattered_open(struct scattered *s, const struct bcast *b, const struct header *h,
                         unsigned char *data);

/* The root, before leaders are known: share with its node as far as there is room. *moved: set to 1 when it did. */
void hitop_scattered_share(struct scattered *s, int *moved);

/* All of it. Only now the header's list is looked at, and the header sent on. */
int hitop_scattered_run(struct scattered *s);

void hitop_scattered_close(struct scattered *s);

#endif /* HITOP_SCATTERED_MPI_H */
