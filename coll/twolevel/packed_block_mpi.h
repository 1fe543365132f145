/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PACKED_BLOCK_MPI_H
#define PACKED_BLOCK_MPI_H

/*
 * packed_block_mpi.h - internode messages with blocks whose lengths only their owner and the root
 * know.
 *
 * Idea:   A packed block is the length of a block, followed by the block unless it is
 *         long: a long block goes from its sender to its receiver by itself. The packed blocks of a
 *         node travel one after another in one message, so that a rank that forwards them needs no
 *         memory for long blocks.
 * Cost:   Eight bytes and a copy of a short block.
 */

#include "coll/node/node.h"
#include "coll/twolevel/bcast_algorithm.h"
#include "coll/twolevel/comm_state_mpi.h"

/* The place of a node in the tree of packed blocks, the node of a place, and its leader. */
static inline int packed_place(const struct hitop_comm *c, int node, int root)
{
    return (node - c->node_of[root] + c->nnodes) % c->nnodes;
}

static inline int packed_node(const struct hitop_comm *c, int place, int root)
{
    return (place + c->node_of[root]) % c->nnodes;
}

static inline int packed_leader(const struct hitop_comm *c, int place, int root)
{
    return hitop_comm_leader(c, packed_node(c, place, root), root);
}

/* Bytes of a packed block for a block of `block` bytes; of the packed block at `packed`. */
size_t hitop_packed_bytes(const struct hitop_comm *c, size_t block);
size_t hitop_packed_length(const struct hitop_comm *c, const unsigned char *packed);

/*
 * 1: the block is sent by itself. With many ranks the limit is lower, so that all packed blocks
 * together have at most 8 MiB.
 */
int hitop_packed_is_separate(const struct hitop_comm *c, size_t block);

/* Make a packed block; without the data if the block is sent by itself. */
void hitop_packed_pack(const struct hitop_comm *c, unsigned char *packed, const void *block,
                       size_t bytes);

/* Send a block by itself to `rank`: blocking, or as a number of messages with one request each. */
int hitop_packed_send_separate(struct hitop_comm *c, const void *block, size_t bytes, int rank);
size_t hitop_packed_messages(const struct hitop_comm *c, size_t block);
int hitop_packed_start_separate(struct hitop_comm *c, const void *block, size_t bytes, int rank,
                                MPI_Request *requests);

/*
 * Copy the block to `to`, which has `capacity` bytes; receive a block that is sent by itself from
 * `rank`. *differs becomes 1 where the lengths differ. MPI_SUCCESS or an MPI code.
 */
int hitop_packed_open(struct hitop_comm *c, const unsigned char *packed, int rank, void *to,
                      size_t capacity, int *differs);

/* Packed blocks in one message. */
struct packed_blocks {
    unsigned char *data; /* the receiver frees it */
    size_t bytes;
    int from; /* rank that sent them */
};

/* Receive the message of packed blocks from `rank`, which may be MPI_ANY_SOURCE. */
int hitop_packed_receive(struct hitop_comm *c, int rank, struct packed_blocks *out);

/*
 * The root: pack the blocks of all other nodes, in the order of places. The part for place p begins
 * at starts[p] with the end of its branch, from which other nodes know whether the root chose a
 * tree; starts[nnodes] is the end. The caller frees the result.
 */
unsigned char *hitop_packed_branches_pack(const struct hitop_comm *c,
                                          const struct hitop_node_blocks *from, int root,
                                          size_t *starts);

/* One after the last place of the branch that begins with the part at `data`. */
int hitop_packed_branch_end(const unsigned char *data);

/*
 * For the message that `place` received: where the part of each place of its branch begins
 * (starts), and where each packed block for its own ranks begins (of_node).
 */
void hitop_packed_branch_starts(const struct hitop_comm *c, const unsigned char *packed_blocks,
                                int place, int root, size_t *starts, size_t *of_node);

#endif /* PACKED_BLOCK_MPI_H */
