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
 * Invariants: per node and operation one READY is sent, by the process that has claimed it; it is
 * taken by the root during the operation or owed and taken later, at the latest when the
 * communicator is freed, so that no message is left. At most MEET_CREDIT of a node are owed to one
 * root, fewer of long messages: that bounds what waits unexpected in MPI.
 */

#include "coll/twolevel/comm_state_mpi.h"

/* A leader who has told the root. */
struct meet_ready {
    int rank;
    uint64_t late; /* ns that a message has waited for the first rank of its node, of late */
};

/* Memory for c->nnodes nodes: MPI_SUCCESS or MPI_ERR_NO_MEM. Nobody announces himself yet. */
int hitop_meet_create(struct hitop_comm *c);

/*
 * Take what is owed and wait for what is on its way: collective in effect. Harmless before
 * hitop_meet_create().
 */
void hitop_meet_free(struct hitop_comm *c);

/* Answers take `seconds`, until quicker ones are seen. */
void hitop_meet_expect(struct hitop_comm *c, double seconds);

/* Root: `rank` leads its node. Was it likely to? The surer, the sooner a root sends unasked. */
void hitop_meet_compare(struct hitop_comm *c, int rank);

/* Leader: the header of an operation of which `root` was told came `ns` later. */
void hitop_meet_heard(struct hitop_comm *c, int root, uint64_t ns);

/*
 * Tell rank `to`, the root or somebody who has to serve him, that `leader` leads his node, for
 * whose first rank a message has waited for `late` ns, of late. MPI_SUCCESS or an MPI code.
 */
int hitop_meet_tell(struct hitop_comm *c, int to, int leader, uint64_t late);

/*
 * Who is told: the next leader who is there for the operation under way. *found: 1 when there was
 * one.
 */
int hitop_meet_take(struct hitop_comm *c, struct meet_ready *ready, int *found);

/*
 * Root: may a message of `total` bytes go to `node`, which has not told, or does it owe too much
 * already?
 */
int hitop_meet_may_push(const struct hitop_comm *c, int node, size_t total);

/* Root: send its header of `bytes` to the likely leader there. */
int hitop_meet_push(struct hitop_comm *c, int node, const void *header, int bytes);

#endif /* HITOP_MEET_MPI_H */
