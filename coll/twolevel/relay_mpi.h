/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_RELAY_MPI_H
#define HITOP_RELAY_MPI_H

/*
 * relay_mpi.h - the segments of one message on their way through a node.
 *
 * A leader receives segments from its parent, forwards each to its children as soon as it is there,
 * and puts it into the node's shared memory when there is room. None of these waits for another, so
 * that a slow process on this node does not delay other nodes. Children may come meanwhile.
 *
 * MPI may put all segments on the line at once, so that the first arrives with the last and nothing
 * overlaps. So where the model is measured and the process does not share its processor, the line
 * is paced: a segment leaves when no more than one of its size is ahead of it, by half of the time
 * of the model, as the line may have been slower then. Where the process turns out to lose its
 * processor to others, more may be ahead, and in the end all.
 */

#include "coll/twolevel/comm_state_mpi.h"

struct relay_child;

/* Private but for `data`. */
struct relay {
    struct hitop_comm *c;
    unsigned char *data;   /* the message at the root, room for it elsewhere */
    size_t total, segment; /* bytes, both > 0 */
    size_t nsegments;
    int parent;                     /* rank to receive from, or MPI_PROC_NULL when all is there */
    size_t posted, arrived;         /* segments to come, segments that are there */
    MPI_Request *requests;          /* of the parent's segments */
    struct relay_child *children;   /* in the order in which they came */
    struct relay_child *turn;       /* whose segment is next; NULL: the first one's */
    int is_paced;                   /* segments leave one after the other */
    int is_refused;                 /* paced: a segment has had to wait */
    long lost;                      /* paced: how often others had taken our processor before */
    double line;                    /* paced: the time when those that left will be through */
    struct hitop_node_writer share; /* into this node */
};

/*
 * Begin: `data` is there when `parent` is MPI_PROC_NULL. MPI_SUCCESS or MPI_ERR_NO_MEM;
 * hitop_relay_close() in any case.
 */
int hitop_relay_open(struct relay *r, struct hitop_comm *c, unsigned char *data, size_t total,
                     size_t segment, int parent);

/* All segments go to this rank, too. */
int hitop_relay_add(struct relay *r, int rank);

/* Do what can be done now. *moved: 1 when that was something; *busy: 0 when nothing is left. */
int hitop_relay_step(struct relay *r, int *moved, int *busy);

/* Steps until nothing is left to do. */
int hitop_relay_run(struct relay *r);

void hitop_relay_close(struct relay *r);

#endif /* HITOP_RELAY_MPI_H */
