/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_PARCEL_MPI_H
#define HITOP_PARCEL_MPI_H

/*
 * parcel_mpi.h - blocks of lengths that only their owner and the root know, between nodes.
 *
 * Idea:   a parcel is the length of a block, and the block unless it is long: a long block goes by
 *         itself from its sender to its receiver. The parcels of a node travel one after another in
 *         one message, so that no rank that passes it on needs memory for long blocks.
 * Cost:   eight bytes and a copy of a short block.
 */

#include "coll/node/node.h"
#include "coll/twolevel/comm_state_mpi.h"
#include "coll/twolevel/style.h"

/* The place of a node in the tree of parcels, the node of a place, the rank that speaks for it. */
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

/* 1: a block goes by itself; of more ranks shorter ones do, so that parcels have at most 8 MiB. */
int hitop_parcel_is_apart(const struct hitop_comm *c, size_t block);

/* Make a parcel, without a block that goes by itself. */
void hitop_parcel_pack(const struct hitop_comm *c, unsigned char *parcel, const void *block,
                       size_t bytes);

/* The block to `rank`, waiting until it is on its way; or as messages, each with its request. */
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
 * The root: all parcels but those of its node, each place's with the end of the branch that it is
 * for before them, so that only the root decides whether there is a tree. Those of place p begin at
 * starts[p]; starts[nnodes] is the end. To be freed; NULL when out of memory.
 */
unsigned char *hitop_parcel_branches_pack(const struct hitop_comm *c,
                                          const struct hitop_node_blocks *from, int root,
                                          size_t *starts);

/* The place behind the branch that the part beginning here is for. */
int hitop_parcel_branch_end(const unsigned char *data);

/* What came for `place`: where the parts of each place of the branch and each own parcel begin. */
void hitop_parcel_branch_starts(const struct hitop_comm *c, const unsigned char *parcels, int place,
                                int root, size_t *starts, size_t *of_node);

#endif /* HITOP_PARCEL_MPI_H */
