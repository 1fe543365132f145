/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_MEET_MPI_H
#define HITOP_MEET_MPI_H

/*
 * meet_mpi.h - leaders whom nobody knows beforehand meet at the root.
 *
 * Idea:   on each node the first process of an operation leads it and tells the root so (READY). The root serves those
 *         who have told it; after some patience it sends a short message to the others' likely leaders (PUSH), and the
 *         READY of such a node, which is still to come, is owed to it.
 * Needs:  a prepared communicator; every call of one operation is made by all its ranks.
 *
 * Invariants: per node and operation one READY is sent, by the process that has claimed it; it is taken by the root
 * during the operation or owed and taken later, at the latest when the communicator is freed, so that no message is
 * left. At most MEET_CREDIT of a node are owed to one root, fewer of long messages: that bounds what waits unexpected in MPI.
 */

#include "coll/twolevel/arrivals.h"
#include "coll/twolevel/post_mpi.h"

#include <stdint.h>

struct hitop_comm;

enum {
    MEET_NODES = 128, /* most nodes that meet: above, one process would hear of too many */
    MEET_CREDIT = 32,
    MEET_BYTES = 256 * 1024, /* of messages that are on their way to a node unasked */
};

/* A READY for an operation that is still to come here. */
struct meet_early {
    uint64_t seq;
    int rank;
    uint64_t late;
};

struct meet {
    int announces; /* the operation under way: 1 leaders announce themselves, 0 they are fixed */
    int next;      /* what is said of the next operation */
    struct arrivals arrivals; /* under this rank as root */
    double
        *answer; /* [nnodes] the quickest answer of a root there, or of ours to there, in seconds */
    double patience; /* seconds: the longest of these */
    double waits;    /* how many times its patience a root waits before it sends unasked */
    int *likely;     /* [nnodes] who led last, as far as this rank knows */
    int *owed;       /* [nnodes] READYs still to come to this rank */
    uint64_t *sent;  /* [nnodes] the last operation of which a message went there unasked */
    int nowed;       /* all of them */
    struct meet_early *early;
    int nearly, early_room;
    struct post post; /* what has been sent */
};

/* A leader who has told the root. */
struct meet_ready {
    int rank;
    uint64_t late; /* ns that a message has waited for the first rank of its node, of late */
};

/* Memory for c->nnodes nodes: MPI_SUCCESS or MPI_ERR_NO_MEM. Nobody announces himself yet. */
int meet_create(struct hitop_comm *c);

/* Take what is owed and wait for what is on its way: collective in effect. Harmless before meet_create(). */
void meet_free(struct hitop_comm *c);

/* Answers take `seconds`, until quicker ones are seen. */
void meet_expect(struct hitop_comm *c, double seconds);

/* Root: `rank` leads its node. Was it likely to? The surer, the sooner a root sends unasked. */
void meet_compare(struct hitop_comm *c, int rank);

/* Leader: the header of an operation of which `root` was told came `ns` later. */
void meet_heard(struct hitop_comm *c, int root, uint64_t ns);

/*
 * Tell rank `to`, the root or somebody who has to serve him, that `leader` leads his node, for whose first rank a message
 * has waited for `late` ns, of late. MPI_SUCCESS or an MPI code.
 */
int meet_tell(struct hitop_comm *c, int to, int leader, uint64_t late);

/* Who is told: the next leader who is there for the operation under way. *found: 1 when there was one. */
int meet_take(struct hitop_comm *c, struct meet_ready *ready, int *found);

/* Root: may a message of `total` bytes go to `node`, which has not told, or does it owe too much already? */
int meet_may_push(const struct hitop_comm *c, int node, size_t total);

/* Root: send its header of `bytes` to the likely leader there. */
int meet_push(struct hitop_comm *c, int node, const void *header, int bytes);

#endif /* HITOP_MEET_MPI_H */
