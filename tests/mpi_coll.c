/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_coll.c - planned collectives as a program meets them: arguments, errors, communicators that come and go.
 * Their contents are check_collective's business. Prints only failures.
 */
#include <config.h>

#include "hitop/collectives_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 700 };

static int rank, size, failures;

static void complain(const char *what, int number)
{
    if (failures++ < 5) {
        fprintf(stderr, "mpi_coll: rank %d of %d: %s (%d)\n", rank, size, what, number);
    }
}

static int *numbers(int n, int salt)
{
    int *memory = malloc(((size_t)n + 1) * sizeof(*memory));

    if (!memory) {
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(EXIT_FAILURE);
    }
    for (int i = 0; i < n; i++) {
        memory[i] = 7 * i + salt;
    }
    return memory;
}

/* There, back again and summed up; on ranks but the root nothing that MPI does not look at may be. */
static void travel(MPI_Comm comm, int root, int count)
{
    int me, n, *all, *own, *back, code;

    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    all = numbers(n * count, root);
    own = numbers(count, -1);
    back = numbers(n * count, -2);
    if (me == root) {
        code = hitop_scatter(all, count, MPI_INT, own, count, MPI_INT, root, comm);
    } else {
        code = hitop_scatter(NULL, -5, MPI_DATATYPE_NULL, own, count, MPI_INT, root, comm);
    }
    if (code != MPI_SUCCESS || memcmp(own, all + me * count, (size_t)count * sizeof(*own)) != 0) {
        complain("wrong contents of scatter", count);
    }
    if (me == root) {
        code = hitop_gather(own, count, MPI_INT, back, count, MPI_INT, root, comm);
        if (memcmp(back, all, (size_t)(n * count) * sizeof(*all)) != 0) {
            complain("wrong contents of gather", count);
        }
    } else {
        code = hitop_gather(own, count, MPI_INT, NULL, -5, MPI_DATATYPE_NULL, root, comm);
    }
    if (code != MPI_SUCCESS) {
        complain("gather failed", code);
    }
    code = hitop_reduce(own, me == root ? back : NULL, count, MPI_INT, MPI_SUM, root, comm);
    for (int i = 0; i < count && me == root; i++) {
        int sum = 0;
        for (int r = 0; r < n; r++) {
            sum += all[r * count + i];
        }
        if (back[i] != sum) {
            complain("wrong contents of reduce", i);
        }
    }
    free(all);
    free(own);
    free(back);
}

static void every_root(void)
{
    for (int root = 0; root < size; root++) {
        travel(MPI_COMM_WORLD, root, BLOCK);
        travel(MPI_COMM_WORLD, root, 1);
        travel(MPI_COMM_WORLD, root, 0);
    }
}

static void communicators_come_and_go(void)
{
    MPI_Comm comm, half;

    for (int k = 0; k < 30; k++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        travel(comm, k % size, k);
        MPI_Comm_split(comm, rank % 2, -rank, &half);
        travel(half, 0, k);
        MPI_Comm_free(&half);
        MPI_Comm_free(&comm);
    }
    travel(MPI_COMM_SELF, 0, 5);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    every_root();
    communicators_come_and_go();
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
