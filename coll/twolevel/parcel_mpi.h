/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PARCEL_MPI_H
#define HITOP_PARCEL_MPI_H

/*
 * parcel_mpi.h - blocks of lengths that only their owner and the root know, on their way between
 * nodes.
 *
 * Idea:   a parcel says how long its block is, and has it inside unless it is long: then the block goes by itself from
 *         its sender to its receiver. The parcels of a node travel one after another in one message, which nobody who
 *         passes it on needs memory for that grows with long blocks.
 * Cost:   eight bytes and a copy of a short block.
 */

#include "coll/node/operations.h"
#include "coll/twolevel/comm_state_mpi.h"
#include "coll/twolevel/style.h"

/*
 * The place of a node in the tree of parcels, and whose place it is; who sends and gets the parcels
 * of a place.
 */
static inline int parcel_place(const struct hitop_comm *c, int node, int root)
{
    return (node - c->node_of[root] + c->nnodes) % c->nnodes;
}

static inline int parcel_node(const struct hitop_comm *c, int place, int root)
{
    return (place + c->node_of[root]) % c->nnodes;
}

static inline int parcel_speaker(const struct hitop_comm *c, int place, int root)
{
    return hitop_comm_leader(c, parcel_node(c, place, root), root);
}

/* Bytes of a parcel for a block; or of the one that begins here. */
size_t hitop_parcel_bytes(const struct hitop_comm *c, size_t block);
size_t hitop_parcel_length(const struct hitop_comm *c, const unsigned char *parcel);

/*
 * 1: a block of so many bytes goes by itself; of more ranks shorter ones do, so that all parcels
 * have at most 8 MiB.
 */
int hitop_parcel_is_apart(const struct hitop_comm *c, size_t block);

/* Make a parcel. Who sends a block that goes by itself does so besides. */
void hitop_parcel_pack(const struct hitop_comm *c, unsigned char *parcel, const void *block,
                       size_t bytes);

/*
 * The block to `rank`, waiting until it is on its way; or as so many messages, each with its
 * request.
 */
int hitop_parcel_send_apart(struct hitop_comm *c, const void *block, size_t bytes, int rank);
size_t hitop_parcel_messages(const struct hitop_comm *c, size_t block);
int hitop_parcel_start_apart(struct hitop_comm *c, const void *block, size_t bytes, int rank,
                             MPI_Request *requests);

/*
 * Its block to `to`, which has `room`; a long one comes from `rank`. *differs becomes 1 where the
 * lengths do. MPI_SUCCESS or an MPI code.
 */
int hitop_parcel_open(struct hitop_comm *c, const unsigned char *parcel, int rank, void *to,
                      size_t room, int *differs);

/* Parcels in one message. */
struct parcels {
    unsigned char *data; /* to be freed */
    size_t bytes;
    int from; /* whose they are */
};

/* The message of parcels of another rank, or MPI_ANY_SOURCE. */
int hitop_parcel_receive(struct hitop_comm *c, int rank, struct parcels *out);

/*
 * Parcels from a root on their way down: those of all nodes of a branch, in the order of places.
 *
 * What a place gets says up to which place it goes, so that only the root decides whether there is a tree.
 */

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

#endif /* HITOP_PARCEL_MPI_H */
