/* SPDX-License-Identifier: BSD-3-Clause */
/* benchmark_kinds_mpi.c - the operations that can be benchmarked, in the order of the guide that
 * they come from. */
#include <config.h>

#include "tools/benchmark/calls_mpi.h"

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

static int neighbour(int rank, int size, int block)
{
    return block == 0 ? (rank + size - 1) % size : (rank + 1) % size;
}

/* clang-format off */
const struct benchmark_kind benchmark_kinds[] = {
    {"pingpong", "PingPong", "Latency", NULL, "a message from rank 0 to rank 1 and back; half of the time",
     BLOCKS_ONE, BLOCKS_ONE, KIND_TWO_RANKS | KIND_HALVES | KIND_P2P, 1, 1, benchmark_pingpong, other_of_two},
    {"pairs", "Multi-PingPong", "Multi-Latency", NULL, "the same of half of the ranks with the other half, all at once",
     BLOCKS_ONE, BLOCKS_ONE, KIND_HALVES | KIND_P2P, 1, 1, benchmark_pairs, other_of_pair},
    {"sendreceive", "Sendrecv", NULL, NULL, "MPI_Sendrecv around the ring",
     BLOCKS_ONE, BLOCKS_ONE, KIND_P2P, 1, 2, benchmark_sendreceive, neighbour},
    {"exchange", "Exchange", NULL, NULL, "messages to and from both neighbours of the ring",
     BLOCKS_ONE, BLOCKS_TWO, KIND_P2P, 2, 4, benchmark_exchange, neighbour},
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

static int is_called(const struct benchmark_kind *kind, const char *name)
{
    return hitop_text_same_name(kind->name, name) || hitop_text_same_name(kind->imb, name) ||
           (kind->osu && hitop_text_same_name(kind->osu, name));
}

enum hitop_status benchmark_kind_find(const char *name, size_t length,
                                      const struct benchmark_kind **out, struct hitop_diag *diag)
{
    char word[64], valid[512] = "", meant[64];
    const struct hitop_operation *operation = NULL;
    const char *nearest = NULL;

    (void)snprintf(word, sizeof(word), "%.*s", (int)length, name);
    if (hitop_operation_find(word, &operation, NULL) != HITOP_OK) {
        operation = NULL;
    }
    for (const struct benchmark_kind *k = benchmark_kinds; k->name; k++) {
        if (operation ? k->operation && strcmp(operation->name, k->operation) == 0
                      : is_called(k, word)) {
            *out = k;
            return HITOP_OK;
        }
        hitop_text_list_name(valid, sizeof(valid), k->name);
        nearest = hitop_text_nearer(word, k->name, nearest);
    }
    hitop_text_meant(nearest, meant, sizeof(meant));
    return hitop_fail(diag, HITOP_ERR_NOTFOUND, "'%.64s' is no operation%s; valid: %s", word, meant,
                      valid);
}
