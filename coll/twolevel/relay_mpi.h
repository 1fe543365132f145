/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_RELAY_MPI_H
#define HITOP_RELAY_MPI_H

/*
 * relay_mpi.h - forward the segments of one message through a node.
 *
 * A leader receives segments from its parent, forwards each to its children as soon as it arrives,
 * and writes it to the node's shared memory when there is room. None of these waits for another, so
 * that a slow process on this node does not delay other nodes. The caller may add children
 * meanwhile.
 *
 * MPI may send all segments concurrently, so that the first arrives with the last and nothing
 * overlaps. Therefore the link is paced where the model is measured and the process has its own
 * processor: a segment is sent when at most one segment is ahead of it. A segment is assumed to
 * take half of the model's time, because the link may have been slower when it was measured. If the
 * process loses its processor to others nevertheless, more segments may be ahead, and finally
 * pacing ends.
 */

#include "coll/twolevel/comm_state_mpi.h"

struct relay_child;

/* All members are private except `data`. */
struct relay {
    struct hitop_comm *c;
    unsigned char *data;   /* the message at the root; elsewhere room for it */
    size_t total, segment; /* bytes, both > 0 */
    size_t nsegments;
    int parent;                     /* rank to receive from; MPI_PROC_NULL: all data are there */
    size_t posted, arrived;         /* segments whose receives are posted, segments received */
    MPI_Request *requests;          /* for the parent's segments */
    struct relay_child *children;   /* in the order of hitop_relay_add() */
    struct relay_child *turn;       /* the child whose segment is next; NULL: the first child */
    int is_paced;                   /* the link is paced, see the head of this file */
    int is_refused;                 /* paced: a segment has had to wait */
    long lost;                      /* paced: times_lost() when the relay began */
    double link_free;               /* paced: the time at which the link is free again */
    struct hitop_node_writer share; /* to the other ranks of this node */
};

/* Begin. The data are in `data` already when `parent` is MPI_PROC_NULL. */
void hitop_relay_open(struct relay *r, struct hitop_comm *c, unsigned char *data, size_t total,
                      size_t segment, int parent);

/* Send all segments to this rank, too. */
void hitop_relay_add(struct relay *r, int rank);

/* Do what is possible now. *moved: 1 if anything was done; *busy: 0 when nothing is left to do. */
int hitop_relay_step(struct relay *r, int *moved, int *busy);

/* Steps until nothing is left to do. */
int hitop_relay_run(struct relay *r);

void hitop_relay_close(struct relay *r);

#endif /* HITOP_RELAY_MPI_H */
