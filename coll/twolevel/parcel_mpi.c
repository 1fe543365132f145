/* SPDX-License-Identifier: BSD-3-Clause */
/* parcel_mpi.c - see parcel_mpi.h. */
#include <config.h>

#include "coll/twolevel/parcel_mpi.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = sizeof(uint64_t) };

/* Bytes of one message. */
#define MOST ((size_t)1 << 30)

int hitop_parcel_is_apart(const struct hitop_comm *c, size_t block)
{
    const size_t share = HITOP_NODES_BYTES / (size_t)c->size;

    return block >= (share < HITOP_NODES_APART_FROM ? share + 1 : HITOP_NODES_APART_FROM);
}

size_t hitop_parcel_bytes(const struct hitop_comm *c, size_t block)
{
    return HEAD + (hitop_parcel_is_apart(c, block) ? 0 : block);
}

/* Bytes of the block. */
static size_t block_of(const unsigned char *parcel)
{
    uint64_t bytes;

    memcpy(&bytes, parcel, HEAD);
    return (size_t)bytes;
}

size_t hitop_parcel_length(const struct hitop_comm *c, const unsigned char *parcel)
{
    return hitop_parcel_bytes(c, block_of(parcel));
}

void hitop_parcel_pack(const struct hitop_comm *c, unsigned char *parcel, const void *block,
                       size_t bytes)
{
    const uint64_t said = bytes;

    memcpy(parcel, &said, HEAD);
    if (bytes > 0 && !hitop_parcel_is_apart(c, bytes)) {
        memcpy(parcel + HEAD, block, bytes);
    }
}

/* Other tag than that of parcels, for which whoever waits for those of any rank does not look. */
static int tag_apart(const struct hitop_comm *c)
{
    return hitop_comm_tag(c, HITOP_TAG_HEADER);
}

/* Of a block apart, the bytes of the message that begins at `at`. */
static int piece(size_t bytes, size_t at)
{
    return (int)(bytes - at < MOST ? bytes - at : MOST);
}

int hitop_parcel_send_apart(struct hitop_comm *c, const void *block, size_t bytes, int rank)
{
    const unsigned char *from = block;
    int code = MPI_SUCCESS;

    for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += MOST) {
        code = PMPI_Send(from + at, piece(bytes, at), MPI_BYTE, rank, tag_apart(c), c->wire);
    }
    return code;
}

size_t hitop_parcel_messages(const struct hitop_comm *c, size_t block)
{
    return hitop_parcel_is_apart(c, block) ? (block + MOST - 1) / MOST : 0;
}

int hitop_parcel_start_apart(struct hitop_comm *c, const void *block, size_t bytes, int rank,
                             MPI_Request *requests)
{
    const unsigned char *from = block;
    int code = MPI_SUCCESS;

    for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += MOST) {
        code = PMPI_Isend(from + at, piece(bytes, at), MPI_BYTE, rank, tag_apart(c), c->wire,
                          requests++);
    }
    return code;
}

static int receive_apart(struct hitop_comm *c, unsigned char *to, size_t bytes, int rank)
{
    int code = MPI_SUCCESS;

    for (size_t at = 0; at < bytes && code == MPI_SUCCESS; at += MOST) {
        code = PMPI_Recv(to + at, piece(bytes, at), MPI_BYTE, rank, tag_apart(c), c->wire,
                         MPI_STATUS_IGNORE);
    }
    return code;
}

/* A block for which there is another room than it needs. */
static int receive_misfit(struct hitop_comm *c, void *to, size_t room, size_t bytes, int rank)
{
    unsigned char *all = malloc(bytes);
    int code;

    if (!all) { /* its sender waits for us */
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    code = receive_apart(c, all, bytes, rank);
    if (code == MPI_SUCCESS && room > 0) {
        memcpy(to, all, room < bytes ? room : bytes);
    }
    free(all);
    return code;
}

int hitop_parcel_open(struct hitop_comm *c, const unsigned char *parcel, int rank, void *to,
                      size_t room, int *differs)
{
    const size_t bytes = block_of(parcel);

    if (bytes != room) {
        *differs = 1;
    }
    if (hitop_parcel_is_apart(c, bytes)) {
        return bytes == room ? receive_apart(c, to, bytes, rank)
                             : receive_misfit(c, to, room, bytes, rank);
    }
    if (bytes > 0 && room > 0) {
        memcpy(to, parcel + HEAD, bytes < room ? bytes : room);
    }
    return MPI_SUCCESS;
}

int hitop_parcel_receive(struct hitop_comm *c, int rank, struct parcels *out)
{
    const int tag = hitop_comm_tag(c, HITOP_TAG_SEGMENT);
    MPI_Status status;
    int bytes = 0, code = PMPI_Probe(rank, tag, c->wire, &status);

    *out = (struct parcels){.data = NULL};
    if (code == MPI_SUCCESS) {
        code = PMPI_Get_count(&status, MPI_BYTE, &bytes);
    }
    if (code != MPI_SUCCESS) {
        return code;
    }
    *out = (struct parcels){malloc((size_t)bytes), (size_t)bytes, status.MPI_SOURCE};
    if (!out->data) { /* others wait for us */
        hitop_trouble_abort(c->wire, "out of memory");
        return MPI_ERR_NO_MEM;
    }
    return PMPI_Recv(out->data, bytes, MPI_BYTE, out->from, tag, c->wire, MPI_STATUS_IGNORE);
}
