/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_kinds_mpi.c - the operations that can be benchmarked, and how they are called. */
#include <config.h>

#include "tools/benchmark/benchmark_data_mpi.h"

#include "hitop/operation.h"
#include "hitop/text.h"

#include <stdio.h>
#include <string.h>

static int broadcast(const struct benchmark_call *c)
{
    void *buffer = c->rank == c->root ? (void *)(uintptr_t)c->in : c->out;

    return c->by->bcast(buffer, c->count, c->type, c->root, c->comm);
}

static int scatter(const struct benchmark_call *c)
{
    return c->by->scatter(c->in, c->count, c->type, c->out, c->count, c->type, c->root, c->comm);
}

static int scatterv(const struct benchmark_call *c)
{
    return c->by->scatterv(c->in, c->counts, c->displs, c->type, c->out, c->count, c->type, c->root,
                           c->comm);
}

static int gather(const struct benchmark_call *c)
{
    return c->by->gather(c->in, c->count, c->type, c->out, c->count, c->type, c->root, c->comm);
}

static int gatherv(const struct benchmark_call *c)
{
    return c->by->gatherv(c->in, c->count, c->type, c->out, c->counts, c->displs, c->type, c->root,
                          c->comm);
}

static int allgather(const struct benchmark_call *c)
{
    return c->by->allgather(c->in, c->count, c->type, c->out, c->count, c->type, c->comm);
}

static int allgatherv(const struct benchmark_call *c)
{
    return c->by->allgatherv(c->in, c->count, c->type, c->out, c->counts, c->displs, c->type,
                             c->comm);
}

static int alltoall(const struct benchmark_call *c)
{
    return c->by->alltoall(c->in, c->count, c->type, c->out, c->count, c->type, c->comm);
}

static int alltoallv(const struct benchmark_call *c)
{
    return c->by->alltoallv(c->in, c->counts, c->displs, c->type, c->out, c->counts, c->displs,
                            c->type, c->comm);
}

static int reduce(const struct benchmark_call *c)
{
    return c->by->reduce(c->in, c->out, c->count, c->type, MPI_SUM, c->root, c->comm);
}

static int allreduce(const struct benchmark_call *c)
{
    return c->by->allreduce(c->in, c->out, c->count, c->type, MPI_SUM, c->comm);
}

static int barrier(const struct benchmark_call *c)
{
    return c->by->barrier(c->comm);
}

enum { TAG = 1, TAG_UP, TAG_DOWN };

/* A message from the lower one of two ranks, and one back; nothing for a rank without a partner. */
static int there_and_back(const struct benchmark_call *c, int peer)
{
    const int begins = c->rank < peer;
    int code = MPI_SUCCESS;

    if (peer < 0) {
        return MPI_SUCCESS;
    }
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

static int other_of_two(int rank, int size, int block)
{
    (void)block;
    return size < 2 || rank > 1 ? -1 : 1 - rank;
}

static int other_of_pair(int rank, int size, int block)
{
    const int half = size / 2;

    (void)block;
    return rank >= 2 * half ? -1 : rank < half ? rank + half : rank - half;
}

static int pingpong(const struct benchmark_call *c)
{
    return there_and_back(c, other_of_two(c->rank, c->size, 0));
}

static int pairs(const struct benchmark_call *c)
{
    return there_and_back(c, other_of_pair(c->rank, c->size, 0));
}

static int neighbour(int rank, int size, int block)
{
    return block == 0 ? (rank + size - 1) % size : (rank + 1) % size;
}

static int sendreceive(const struct benchmark_call *c)
{
    const int from = neighbour(c->rank, c->size, 0), to = neighbour(c->rank, c->size, 1);

    return PMPI_Sendrecv(c->in, c->count, c->type, to, TAG, c->out, c->count, c->type, from, TAG,
                         c->comm, MPI_STATUS_IGNORE);
}

static int exchange(const struct benchmark_call *c)
{
    const int down = neighbour(c->rank, c->size, 0), up = neighbour(c->rank, c->size, 1);
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

/* clang-format off */
const struct benchmark_kind benchmark_kinds[] = {
    {"pingpong", "PingPong", "Latency", NULL,
     "a message from rank 0 to rank 1 and back; half of the time",
     BLOCKS_ONE, BLOCKS_ONE, KIND_TWO_RANKS | KIND_HALVES | KIND_P2P, 1, 1, pingpong, other_of_two},
    {"pairs", "Multi-PingPong", "Multi-Latency", NULL,
     "the same of half of the ranks with the other half, all at once",
     BLOCKS_ONE, BLOCKS_ONE, KIND_HALVES | KIND_P2P, 1, 1, pairs, other_of_pair},
    {"sendreceive", "Sendrecv", NULL, NULL, "MPI_Sendrecv around the ring",
     BLOCKS_ONE, BLOCKS_ONE, KIND_P2P, 1, 2, sendreceive, neighbour},
    {"exchange", "Exchange", NULL, NULL, "messages to and from both neighbours of the ring",
     BLOCKS_ONE, BLOCKS_TWO, KIND_P2P, 2, 4, exchange, neighbour},
    {"broadcast", "Bcast", "Broadcast", "bcast", "MPI_Bcast",
     BLOCKS_ONE, BLOCKS_ONE, KIND_ROOT_GIVES, 0, 0, broadcast, NULL},
    {"scatter", "Scatter", "Scatter", "scatter", "MPI_Scatter",
     BLOCKS_EACH, BLOCKS_ONE, KIND_ROOT_GIVES, 0, 0, scatter, NULL},
    {"scatterv", "Scatterv", "Scatterv", "scatterv", "MPI_Scatterv, of equal blocks",
     BLOCKS_EACH, BLOCKS_ONE, KIND_ROOT_GIVES | KIND_COUNTS, 0, 0, scatterv, NULL},
    {"gather", "Gather", "Gather", "gather", "MPI_Gather",
     BLOCKS_ONE, BLOCKS_EACH, KIND_ROOT_GETS, 0, 0, gather, NULL},
    {"gatherv", "Gatherv", "Gatherv", "gatherv", "MPI_Gatherv, of equal blocks",
     BLOCKS_ONE, BLOCKS_EACH, KIND_ROOT_GETS | KIND_COUNTS, 0, 0, gatherv, NULL},
    {"allgather", "Allgather", "Allgather", "allgather", "MPI_Allgather",
     BLOCKS_ONE, BLOCKS_EACH, 0, 0, 0, allgather, NULL},
    {"allgatherv", "Allgatherv", "Allgatherv", "allgatherv", "MPI_Allgatherv, of equal blocks",
     BLOCKS_ONE, BLOCKS_EACH, KIND_COUNTS, 0, 0, allgatherv, NULL},
    {"alltoall", "Alltoall", "All-to-All", "alltoall", "MPI_Alltoall",
     BLOCKS_EACH, BLOCKS_EACH, 0, 0, 0, alltoall, NULL},
    {"alltoallv", "Alltoallv", "All-to-Allv", "alltoallv", "MPI_Alltoallv, of equal blocks",
     BLOCKS_EACH, BLOCKS_EACH, KIND_COUNTS, 0, 0, alltoallv, NULL},
    {"reduce", "Reduce", "Reduce", "reduce", "MPI_Reduce, a sum",
     BLOCKS_ONE, BLOCKS_ONE, KIND_ROOT_GETS | KIND_SUMS, 0, 0, reduce, NULL},
    {"allreduce", "Allreduce", "Allreduce", "allreduce", "MPI_Allreduce, a sum",
     BLOCKS_ONE, BLOCKS_ONE, KIND_SUMS, 0, 0, allreduce, NULL},
    {"barrier", "Barrier", "Barrier", "barrier", "MPI_Barrier",
     BLOCKS_NONE, BLOCKS_NONE, 0, 0, 0, barrier, NULL},
    {0},
};
/* clang-format on */

const char *const benchmark_cache_names[] = {[CACHE_SAME] = "same",
                                             [CACHE_HOT] = "hot",
                                             [CACHE_STREAM] = "stream",
                                             [CACHE_COLD] = "cold",
                                             NULL};

static int is_called(const struct benchmark_kind *kind, const char *name)
{
    return hitop_text_same_name(kind->name, name) || hitop_text_same_name(kind->imb, name) ||
           (kind->osu && hitop_text_same_name(kind->osu, name));
}

enum hitop_status benchmark_kind_find(const char *name, const struct benchmark_kind **out,
                                      struct hitop_diag *diag)
{
    char valid[512] = "", meant[64];
    const struct hitop_operation *operation = NULL;
    const char *nearest = NULL;

    if (hitop_operation_find(name, &operation, NULL) != HITOP_OK) {
        operation = NULL;
    }
    for (const struct benchmark_kind *k = benchmark_kinds; k->name; k++) {
        if (operation ? k->operation && strcmp(operation->name, k->operation) == 0
                      : is_called(k, name)) {
            *out = k;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), k->name);
        nearest = hitop_text_nearer(name, k->name, nearest);
    }
    hitop_text_meant(nearest, meant, sizeof(meant));
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.64s' is no operation%s; valid: %s", name, meant,
                      valid);
}
