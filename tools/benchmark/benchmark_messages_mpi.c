/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_messages_mpi.c - kinds that are made of messages. */
#include <config.h>

#include "tools/benchmark/benchmark_kinds_mpi.h"

enum { TAG = 1, TAG_UP, TAG_DOWN };

/* A message to a rank, which sends one back. */
static int there_and_back(const struct benchmark_call *c, int peer, int begins)
{
    int code = MPI_SUCCESS;

    if (begins) {
        code = PMPI_Send(c->in, c->count, c->type, peer, TAG, c->comm);
    }
    if (code == MPI_SUCCESS) {
        code = PMPI_Recv(c->out, c->count, c->type, peer, TAG, c->comm, MPI_STATUS_IGNORE);
    }
    if (code == MPI_SUCCESS && !begins) {
        code = PMPI_Send(c->in, c->count, c->type, peer, TAG, c->comm);
    }
    return code;
}

int benchmark_pingpong(const struct benchmark_call *c)
{
    return c->size < 2 || c->rank > 1 ? MPI_SUCCESS : there_and_back(c, 1 - c->rank, c->rank == 0);
}

/* The last one of an odd number of ranks has no partner. */
int benchmark_pairs(const struct benchmark_call *c)
{
    const int half = c->size / 2;

    if (c->rank >= 2 * half) {
        return MPI_SUCCESS;
    }
    return there_and_back(c, c->rank < half ? c->rank + half : c->rank - half, c->rank < half);
}

int benchmark_sendreceive(const struct benchmark_call *c)
{
    const int to = (c->rank + 1) % c->size, from = (c->rank + c->size - 1) % c->size;

    return PMPI_Sendrecv(c->in, c->count, c->type, to, TAG, c->out, c->count, c->type, from, TAG,
                         c->comm, MPI_STATUS_IGNORE);
}

int benchmark_exchange(const struct benchmark_call *c)
{
    const int up = (c->rank + 1) % c->size, down = (c->rank + c->size - 1) % c->size;
    unsigned char *out = c->out;
    MPI_Request requests[4];
    int code = PMPI_Irecv(out, c->count, c->type, down, TAG_UP, c->comm, &requests[0]);

    if (code == MPI_SUCCESS) {
        code = PMPI_Irecv(out + c->block, c->count, c->type, up, TAG_DOWN, c->comm, &requests[1]);
    }
    if (code == MPI_SUCCESS) {
        code = PMPI_Isend(c->in, c->count, c->type, up, TAG_UP, c->comm, &requests[2]);
    }
    if (code == MPI_SUCCESS) {
        code = PMPI_Isend(c->in, c->count, c->type, down, TAG_DOWN, c->comm, &requests[3]);
    }
    /* not MPI_Waitall(): compilers take MPICH's MPI_STATUSES_IGNORE for an address */
    for (int i = 0; i < 4 && code == MPI_SUCCESS; i++) {
        code = PMPI_Wait(&requests[i], MPI_STATUS_IGNORE);
    }
    return code;
}
