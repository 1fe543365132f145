/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * packed_block_mpi.c - packed blocks: make, send and open them; packed blocks of a branch of nodes.
 */
#include <config.h>

#include "coll/twolevel/packed_block_mpi.h"

#include "coll/twolevel/serve_mpi.h"

#include <stdlib.h>
#include <string.h>

/*
 * HEAD bytes contain one number: before a packed block the length of the block; before the part of
 * a place the end of the branch of that place.
 */
enum { HEAD = sizeof(uint64_t) };

static void put_number(unsigned char *at, uint64_t number)
{
    memcpy(at, &number, HEAD);
}

static size_t get_number(const unsigned char *at)
{
    uint64_t number;

    memcpy(&number, at, HEAD);
    return (size_t)number;
}

/* Most bytes of one message. */
#define MOST ((size_t)1 << 30)

int hitop_packed_is_separate(const struct hitop_comm *c, size_t block)
{
    const size_t share = HITOP_NODES_BYTES / (size_t)c->size;

    return block >= (share < HITOP_NODES_APART_FROM ? share + 1 : HITOP_NODES_APART_FROM);
}

size_t hitop_packed_bytes(const struct hitop_comm *c, size_t block)
{
    return HEAD + (hitop_packed_is_separate(c, block) ? 0 : block);
}

size_t hitop_packed_length(const struct hitop_comm *c, const unsigned char *packed)
{
    return hitop_packed_bytes(c, get_number(packed));
}

void hitop_packed_pack(const struct hitop_comm *c, unsigned char *packed, const void *block,
                       size_t bytes)
{
    put_number(packed, bytes);
    if (bytes > 0 && !hitop_packed_is_separate(c, bytes)) {
        memcpy(packed + HEAD, block, bytes);
    }
}

/*
 * A tag other than that of packed blocks, so that a receive of packed blocks from any rank does not
 * match a long block.
 */
static int tag_separate(const struct hitop_comm *c)
{
    return hitop_comm_tag(c, HITOP_TAG_HEADER);
}

/* Bytes of the message that begins at `at`, of a block that is sent by itself. */
static int piece(size_t bytes, size_t at)
{
    return (int)(bytes - at < MOST ? bytes - at : MOST);
}

int hitop_packed_send_separate(struct hitop_comm *c, const void *block, size_t bytes, int rank)
{
    const unsigned char *from = block;
    int code = MPI_SUCCESS;

    for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += MOST) {
        code = PMPI_Send(from + at, piece(bytes, at), MPI_BYTE, rank, tag_separate(c), c->wire);
    }
    return code;
}

size_t hitop_packed_messages(const struct hitop_comm *c, size_t block)
{
    return hitop_packed_is_separate(c, block) ? (block + MOST - 1) / MOST : 0;
}

int hitop_packed_start_separate(struct hitop_comm *c, const void *block, size_t bytes, int rank,
                                MPI_Request *requests)
{
    const unsigned char *from = block;
    int code = MPI_SUCCESS;

    for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += MOST) {
        code = PMPI_Isend(from + at, piece(bytes, at), MPI_BYTE, rank, tag_separate(c), c->wire,
                          requests++);
    }
    return code;
}

static int receive_separate(struct hitop_comm *c, unsigned char *to, size_t bytes, int rank)
{
    int code = MPI_SUCCESS;

    for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += MOST) {
        code = PMPI_Recv(to + at, piece(bytes, at), MPI_BYTE, rank, tag_separate(c), c->wire,
                         MPI_STATUS_IGNORE);
    }
    return code;
}

/* Receive a block whose length differs from the room for it. */
static int receive_misfit(struct hitop_comm *c, void *to, size_t capacity, size_t bytes, int rank)
{
    unsigned char *all = hitop_comm_memory(c, bytes);
    int code = receive_separate(c, all, bytes, rank);

    if (code == MPI_SUCCESS && capacity > 0) {
        memcpy(to, all, capacity < bytes ? capacity : bytes);
    }
    free(all);
    return code;
}

int hitop_packed_open(struct hitop_comm *c, const unsigned char *packed, int rank, void *to,
                      size_t capacity, int *differs)
{
    const size_t bytes = get_number(packed);

    if (bytes != capacity) {
        *differs = 1;
    }
    if (hitop_packed_is_separate(c, bytes)) {
        return bytes == capacity ? receive_separate(c, to, bytes, rank)
                                 : receive_misfit(c, to, capacity, bytes, rank);
    }
    if (bytes > 0 && capacity > 0) {
        memcpy(to, packed + HEAD, bytes < capacity ? bytes : capacity);
    }
    return MPI_SUCCESS;
}

int hitop_packed_receive(struct hitop_comm *c, int rank, struct packed_blocks *out)
{
    const int tag = hitop_comm_tag(c, HITOP_TAG_SEGMENT);
    MPI_Status status;
    int bytes = 0, code = PMPI_Probe(rank, tag, c->wire, &status);

    *out = (struct packed_blocks){.data = NULL};
    if (code == MPI_SUCCESS) {
        code = PMPI_Get_count(&status, MPI_BYTE, &bytes);
    }
    if (code != MPI_SUCCESS) {
        return code;
    }
    *out = (struct packed_blocks){hitop_comm_memory(c, (size_t)bytes), (size_t)bytes,
                                  status.MPI_SOURCE};
    return PMPI_Recv(out->data, bytes, MPI_BYTE, out->from, tag, c->wire, MPI_STATUS_IGNORE);
}

int hitop_packed_branch_end(const unsigned char *at)
{
    return (int)get_number(at);
}

/*
 * A tree pays where messages are short. On 128 ranks of 32 simulated hosts with InfiniBand a
 * scatter of 8 B per rank along the tree takes 0.17 times as long as MPI's, one of 1 KiB 1.34
 * times, because the data of half of the hosts are sent twice; see bench/cluster/over_nodes.sh.
 */
static int wants_tree(const struct hitop_comm *c, size_t bytes)
{
    return c->nnodes > HITOP_NODES_MOST && bytes <= HITOP_NODES_TREE_TO * (size_t)c->nnodes;
}

unsigned char *hitop_packed_branches_pack(const struct hitop_comm *c,
                                          const struct hitop_node_blocks *from, int root,
                                          size_t *starts)
{
    unsigned char *packed_blocks = NULL;

    for (int filling = 0; filling < 2; filling++) {
        const int by_tree = filling && wants_tree(c, starts[c->nnodes]);
        size_t at = 0;
        for (int place = 1; place < c->nnodes; place++) {
            const int node = packed_node(c, place, root);
            starts[place] = at;
            if (packed_blocks) {
                put_number(
                    packed_blocks + at,
                    (uint64_t)(by_tree ? hitop_packed_tree_end(c->nnodes, place) : place + 1));
            }
            at += HEAD;
            for (int r = c->first_of[node]; r < serve_nodes_end(c, node); r++) {
                const struct hitop_node_block block = hitop_node_block(from, r);
                if (packed_blocks) {
                    hitop_packed_pack(c, packed_blocks + at, block.at, block.bytes);
                }
                at += hitop_packed_bytes(c, block.bytes);
            }
        }
        starts[c->nnodes] = at;
        packed_blocks = filling ? packed_blocks : hitop_comm_memory(c, at);
    }
    return packed_blocks;
}

void hitop_packed_branch_starts(const struct hitop_comm *c, const unsigned char *packed_blocks,
                                int place, int root, size_t *starts, size_t *of_node)
{
    const int first = place, end = hitop_packed_branch_end(packed_blocks);
    size_t at = 0;

    for (; place < end; place++) {
        const int node = packed_node(c, place, root);
        const int n = serve_nodes_end(c, node) - c->first_of[node];
        starts[place] = at;
        at += HEAD;
        for (int i = 0; i < n; i++) {
            if (place == first) {
                of_node[i] = at;
            }
            at += hitop_packed_length(c, packed_blocks + at);
        }
        if (place == first) {
            of_node[n] = at;
        }
    }
    starts[end] = at;
}
