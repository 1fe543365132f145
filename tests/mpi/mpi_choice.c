/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_choice.c - which algorithm each operation takes: prints operation, bytes and algorithm, as
 * predict_collective prints them. The first word is the value of "choice": with "now" the first
 * call takes it; with "later" calls are repeated until rank 0 has chosen, which must be the same
 * number of calls on all ranks, and some must have been left to MPI. "known" is "later", and no
 * call may be left to MPI, except of operations with lengths that only some ranks know.
 *
 *     mpi_choice now|later|known BYTES...
 */
#include <config.h>

#include "hitop/collectives_mpi.h"
#include "hitop/operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CALLS = 20000 };

/* Memory for all blocks of a call, with lengths and places of equal ones. */
static struct {
    MPI_Comm comm;
    int size, bytes;
    char *send, *recv;
    int *counts, *displs;
    const char *when;
    int nleft; /* calls that were left to MPI */
} my;

static void *get(size_t n)
{
    void *memory = calloc(n + 1, 1);

    if (!memory) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(EXIT_FAILURE);
    }
    return memory;
}

static void prepare(int bytes)
{
    MPI_Comm_size(MPI_COMM_WORLD, &my.size);
    my.bytes = bytes;
    my.send = get((size_t)my.size * (size_t)bytes);
    my.recv = get((size_t)my.size * (size_t)bytes);
    my.counts = get((size_t)my.size * sizeof(int));
    my.displs = get((size_t)my.size * sizeof(int));
    for (int r = 0; r < my.size; r++) {
        my.counts[r] = bytes;
        my.displs[r] = r * bytes;
    }
}

static int call_blocks(enum hitop_operation_id id)
{
    const int n = my.bytes;
    const MPI_Datatype t = MPI_BYTE;
    MPI_Comm comm = my.comm;

    switch (id) {
    case HITOP_ALLGATHER:
        return hitop_allgather(my.send, n, t, my.recv, n, t, comm);
    case HITOP_ALLGATHERV:
        return hitop_allgatherv(my.send, n, t, my.recv, my.counts, my.displs, t, comm);
    case HITOP_ALLTOALL:
        return hitop_alltoall(my.send, n, t, my.recv, n, t, comm);
    case HITOP_ALLTOALLV:
        return hitop_alltoallv(my.send, my.counts, my.displs, t, my.recv, my.counts, my.displs, t,
                               comm);
    case HITOP_BCAST:
        return hitop_bcast(my.recv, n, t, 0, comm);
    case HITOP_GATHER:
        return hitop_gather(my.send, n, t, my.recv, n, t, 0, comm);
    case HITOP_GATHERV:
        return hitop_gatherv(my.send, n, t, my.recv, my.counts, my.displs, t, 0, comm);
    case HITOP_SCATTER:
        return hitop_scatter(my.send, n, t, my.recv, n, t, 0, comm);
    case HITOP_SCATTERV:
        return hitop_scatterv(my.send, my.counts, my.displs, t, my.recv, n, t, 0, comm);
    default:
        return hitop_barrier(comm);
    }
}

static int call(enum hitop_operation_id id)
{
    const int n = my.bytes;
    const MPI_Datatype t = MPI_BYTE;
    MPI_Comm comm = my.comm;

    switch (id) {
    case HITOP_ALLREDUCE:
        return hitop_allreduce(my.send, my.recv, n, t, MPI_BOR, comm);
    case HITOP_EXSCAN:
        return hitop_exscan(my.send, my.recv, n, t, MPI_BOR, comm);
    case HITOP_REDUCE:
        return hitop_reduce(my.send, my.recv, n, t, MPI_BOR, 0, comm);
    case HITOP_REDUCE_SCATTER:
        return hitop_reduce_scatter(my.send, my.recv, my.counts, t, MPI_BOR, comm);
    case HITOP_REDUCE_SCATTER_BLOCK:
        return hitop_reduce_scatter_block(my.send, my.recv, n, t, MPI_BOR, comm);
    case HITOP_SCAN:
        return hitop_scan(my.send, my.recv, n, t, MPI_BOR, comm);
    default:
        return call_blocks(id);
    }
}

/* Call until an algorithm serves the call, or once; return the MPI code. */
static int call_until_chosen(enum hitop_operation_id id)
{
    const int most = strcmp(my.when, "now") == 0 ? 1 : MOST_CALLS;
    int code = MPI_SUCCESS, ncalls = 0, same[2];

    do {
        code = call(id);
    } while (++ncalls < most && code == MPI_SUCCESS && !hitop_coll_last(my.comm)[0]);
    same[0] = ncalls;
    same[1] = -ncalls;
    MPI_Allreduce(MPI_IN_PLACE, same, 2, MPI_INT, MPI_MAX, my.comm);
    my.nleft +=
        id == HITOP_ALLTOALLV || id == HITOP_GATHERV || id == HITOP_SCATTERV ? 0 : ncalls - 1;
    return same[0] == -same[1] ? code : MPI_ERR_OTHER;
}

/*
 * On a communicator of its own: where not all ranks know all lengths, the first call decides for
 * all that follow.
 */
static void print_choice(enum hitop_operation_id id, int bytes)
{
    int rank, code;

    MPI_Comm_dup(MPI_COMM_WORLD, &my.comm);
    MPI_Comm_rank(my.comm, &rank);
    if (hitop_coll_set(my.comm, hitop_operations()[id].name, "auto", NULL) != HITOP_OK ||
        hitop_coll_set(my.comm, "choice", strcmp(my.when, "now") == 0 ? "now" : "later", NULL) !=
            HITOP_OK) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    prepare(bytes);
    code = call_until_chosen(id);
    if (rank == 0) {
        printf("%s,%d,%s\n", hitop_operations()[id].name, bytes,
               code == MPI_SUCCESS ? hitop_coll_last(my.comm) : "failed");
    }
    free(my.send);
    free(my.recv);
    free(my.counts);
    free(my.displs);
    MPI_Comm_free(&my.comm);
}

int main(int argc, char **argv)
{
    int is_late;

    MPI_Init(&argc, &argv);
    my.when = argc > 1 ? argv[1] : "now";
    is_late = strcmp(my.when, "later") == 0;
    for (int id = 0; id < HITOP_NOPERATIONS; id++) {
        for (int i = 2; i < argc; i++) {
            print_choice((enum hitop_operation_id)id, atoi(argv[i]));
        }
    }
    if (is_late != (my.nleft > 0)) {
        fprintf(stderr, "%s: %d calls were left to MPI\n", my.when, my.nleft);
    }
    MPI_Finalize();
    return 0;
}
