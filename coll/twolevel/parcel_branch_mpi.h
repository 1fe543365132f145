/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PARCEL_BRANCH_MPI_H
#define HITOP_PARCEL_BRANCH_MPI_H

/*
 * parcel_branch_mpi.h - parcels from a root on their way down: those of all nodes of a branch, in the order of places.
 *
 * What a place gets says up to which place it goes, so that only the root decides whether there is a tree.
 */

#include "coll/node/operations.h"
#include "coll/twolevel/parcel_mpi.h"

/*
 * The root: all parcels but those of its node; place p has those from starts[p] on, starts[nnodes] is the end. To be freed;
 * NULL when out of memory.
 */
unsigned char *hitop_parcel_branches_pack(const struct hitop_comm *c,
                                          const struct hitop_node_blocks *from, int root,
                                          size_t *starts);

/* The place behind the last one for which what begins here is. */
int hitop_parcel_branch_end(const unsigned char *data);

/* What came for `place`: where that of each place of the branch begins, and the end; and each parcel of its own node. */
void hitop_parcel_branch_starts(const struct hitop_comm *c, const unsigned char *parcels, int place,
                                int root, size_t *starts, size_t *of_node);

#endif /* HITOP_PARCEL_BRANCH_MPI_H */
