/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_memory.c - each allocation and mapping of the library fails once, on one rank, with
 * fail_memory.la preloaded.
 *
 * usage: mpi_memory prepare PASSES            while a communicator is made ready: it is served or
 * left to MPI mpi_memory call OPERATION K VICTIM   allocation K of a call on that rank: the job
 * ends with a line, if there is one
 *
 * Prints what was tried. Calls of the test itself that have to go on whatever happens go to MPI
 * directly.
 */
#include "tests/coll/intercept/fail_memory.h"

#include <dlfcn.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANKS = 16, COUNT = 300, LONG = 40000 };

static int rank, size;

static void (*arm)(long at);
static long (*disarm)(void);
static unsigned long long (*served)(void);

static int bcast(MPI_Comm comm, int root, MPI_Datatype type, int count, int stride)
{
    static int data[2 * LONG];
    int wrong = 0;

    for (int i = 0; i < count; i++) {
        data[i * stride] = rank == root ? i + 3 : -1;
    }
    MPI_Bcast(data, stride == 1 ? count : 1, type, root, comm);
    for (int i = 0; i < count; i++) {
        wrong += data[i * stride] != i + 3;
    }
    return wrong;
}

static int do_bcast(MPI_Comm comm)
{
    return bcast(comm, size - 1, MPI_INT, COUNT, 1) + bcast(comm, 0, MPI_INT, LONG, 1);
}

static int do_strided(MPI_Comm comm)
{
    MPI_Datatype type;
    int wrong;

    MPI_Type_vector(COUNT, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    wrong = bcast(comm, 0, type, COUNT, 2);
    MPI_Type_free(&type);
    return wrong;
}

static int do_allreduce(MPI_Comm comm)
{
    static int mine[LONG], all[LONG];
    int wrong = 0;

    for (int i = 0; i < LONG; i++) {
        mine[i] = rank + i;
        all[i] = -1;
    }
    MPI_Allreduce(mine, all, LONG, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < LONG; i++) {
        wrong += all[i] != size * i + size * (size - 1) / 2;
    }
    MPI_Reduce(mine, all, COUNT, MPI_INT, MPI_SUM, size - 1, comm);
    for (int i = 0; rank == size - 1 && i < COUNT; i++) {
        wrong += all[i] != size * i + size * (size - 1) / 2;
    }
    return wrong;
}

static int do_gather(MPI_Comm comm)
{
    static int mine[COUNT], all[MOST_RANKS * COUNT], counts[MOST_RANKS], displs[MOST_RANKS];
    int wrong = 0;

    for (int r = 0; r < size; r++) {
        counts[r] = COUNT - r;
        displs[r] = r * COUNT;
    }
    for (int kind = 0; kind < 4; kind++) {
        memset(all, 0, sizeof(all));
        for (int i = 0; i < COUNT; i++) {
            mine[i] = rank * COUNT + i + 1;
        }
        if (kind == 0) {
            MPI_Gather(mine, COUNT, MPI_INT, all, COUNT, MPI_INT, 0, comm);
        } else if (kind == 1) {
            MPI_Gatherv(mine, counts[rank], MPI_INT, all, counts, displs, MPI_INT, 0, comm);
        } else if (kind == 2) {
            MPI_Allgather(mine, COUNT, MPI_INT, all, COUNT, MPI_INT, comm);
        } else {
            MPI_Allgatherv(mine, counts[rank], MPI_INT, all, counts, displs, MPI_INT, comm);
        }
        for (int r = 0; (rank == 0 || kind > 1) && r < size; r++) {
            for (int i = 0; i < (kind % 2 ? counts[r] : COUNT); i++) {
                wrong += all[displs[r] + i] != r * COUNT + i + 1;
            }
        }
    }
    return wrong;
}

static int do_scatter(MPI_Comm comm)
{
    static int mine[COUNT], all[MOST_RANKS * COUNT], counts[MOST_RANKS], displs[MOST_RANKS];
    int wrong = 0;

    for (int r = 0; r < size; r++) {
        counts[r] = COUNT - r;
        displs[r] = r * COUNT;
    }
    for (int i = 0; i < size * COUNT; i++) {
        all[i] = i + 1;
    }
    for (int kind = 0; kind < 2; kind++) {
        memset(mine, 0, sizeof(mine));
        if (kind == 0) {
            MPI_Scatter(all, COUNT, MPI_INT, mine, COUNT, MPI_INT, 0, comm);
        } else {
            MPI_Scatterv(all, counts, displs, MPI_INT, mine, counts[rank], MPI_INT, 0, comm);
        }
        for (int i = 0; i < (kind ? counts[rank] : COUNT); i++) {
            wrong += mine[i] != rank * COUNT + i + 1;
        }
    }
    return wrong;
}

static int do_alltoall(MPI_Comm comm)
{
    static int out[MOST_RANKS * COUNT], in[MOST_RANKS * COUNT];
    int wrong = 0;

    for (int i = 0; i < size * COUNT; i++) {
        out[i] = rank * size * COUNT + i;
        in[i] = -1;
    }
    MPI_Alltoall(out, COUNT, MPI_INT, in, COUNT, MPI_INT, comm);
    for (int i = 0; i < size * COUNT; i++) {
        wrong += in[i] != i / COUNT * size * COUNT + rank * COUNT + i % COUNT;
    }
    return wrong;
}

static const struct {
    const char *name;
    int (*run)(MPI_Comm comm);
} operations[] = {{"bcast", do_bcast},   {"strided", do_strided}, {"allreduce", do_allreduce},
                  {"gather", do_gather}, {"scatter", do_scatter}, {"alltoall", do_alltoall}};

enum { NOPERATIONS = sizeof(operations) / sizeof(operations[0]) };

static long largest(long value)
{
    PMPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    return value;
}

/* A communicator is made ready while allocation `at` of `victim` fails: 1 if there was such a one.
 */
static int prepare_once(int victim, long at, long *nserved, long *wrong)
{
    const unsigned long long before = served();
    MPI_Comm comm;
    long n;
    int any;

    PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
    arm(rank == victim ? at : LONG_MAX);
    MPI_Barrier(comm);
    n = disarm();
    for (int i = 0; i < NOPERATIONS; i++) {
        *wrong += operations[i].run(comm);
    }
    any = served() > before;
    *nserved += any;
    *wrong += largest(any) != any; /* on all ranks or on none */
    MPI_Comm_free(&comm);
    return (int)largest(rank == victim && n >= at);
}

/*
 * More than one pass, because memory that processes share is made for the first communicator that
 * gets so far.
 */
static long prepare(int passes)
{
    const int victims[] = {0, 1, size - 1};
    long nserved = 0, ntried = 0, wrong = 0;

    for (int pass = 0; pass < passes; pass++) {
        for (int v = 0; v < 3; v++) {
            for (long at = 1; prepare_once(victims[v], at, &nserved, &wrong); at++) {
                ntried++;
            }
        }
    }
    if (rank == 0) {
        printf("%ld allocations failed, %ld communicators served\n", ntried, nserved);
    }
    return wrong;
}

/* 1 if the operation has such an allocation. */
static int call(const char *name, long at, int victim, long *wrong)
{
    long n = 0;

    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < NOPERATIONS; i++) {
        if (strcmp(operations[i].name, name) == 0) {
            *wrong += operations[i].run(MPI_COMM_WORLD);
            arm(rank == victim ? at : LONG_MAX);
            *wrong += operations[i].run(MPI_COMM_WORLD);
            n = disarm();
        }
    }
    return (int)largest(rank == victim && n >= at);
}

int main(int argc, char **argv)
{
    long wrong = 0;
    int found = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *(void **)&arm = dlsym(RTLD_DEFAULT, "fail_memory_arm");
    *(void **)&disarm = dlsym(RTLD_DEFAULT, "fail_memory_disarm");
    *(void **)&served = dlsym(RTLD_DEFAULT, "hitop_bcast_served");
    if (!arm || !disarm || !served || size > MOST_RANKS || argc < 3) {
        fputs("mpi_memory: preload libhitop_coll.so and fail_memory.so\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (argc > 4) {
        found = call(argv[2], atol(argv[3]), atoi(argv[4]), &wrong);
    } else {
        wrong = prepare(atoi(argv[2]));
    }
    wrong = largest(wrong);
    if (rank == 0) {
        puts(wrong ? "WRONG" : found ? "right" : "no such allocation");
    }
    MPI_Finalize();
    return wrong != 0;
}
