/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_trial.c - calls that Hitop and the MPI library serve in turns, until ranks agree that one is
 * faster.
 *
 * "decide": many calls of two kinds, so that they come to a result. "mixed": what may go wrong when
 * ranks decide: roots that change, lengths that only some ranks know or that differ from call to
 * call, datatypes that differ between ranks, late ranks. "freed": communicators that end at any
 * moment of it. "ahead": a rank that leaves broadcasts before the other one comes; "scans": the
 * same of scans. "late": a rank that is late only where Hitop serves. "plans": operations that only
 * plans serve.
 */
#include <config.h>

#include "tests/support/mpi_failures.h"

#include "hitop/collectives_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 60, MOST = 40000, RANKS = 64 };

static int rank, size, room[RANKS * MOST];

/* A sum that takes long. */
static void slow_sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    if (getenv("TEST_SLOW_MS")) {
        usleep(1000 * (useconds_t)atoi(getenv("TEST_SLOW_MS")));
    }
    for (int i = 0; i < *n; i++) {
        ((int *)inout)[i] += ((int *)in)[i];
    }
}

static void bcast(int n, int root, MPI_Comm comm)
{
    MPI_Datatype type = MPI_INT;
    int pair = rank % 2 && n % 2 == 0;

    for (int i = 0; i < n; i++) {
        room[i] = rank == root ? n + i : -1;
    }
    if (pair) { /* the same bytes, said otherwise */
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Type_commit(&type);
    }
    check("bcast failed", MPI_Bcast(room, pair ? n / 2 : n, type, root, comm));
    if (pair) {
        MPI_Type_free(&type);
    }
    for (int i = 0; i < n; i++) {
        if (room[i] != n + i) {
            complain("wrong contents of bcast, integers", n);
            return;
        }
    }
}

static void reduce(int n, int root, MPI_Op op, MPI_Comm comm)
{
    int *mine = room + MOST;
#ifdef MPICH /* 4.0 takes MPI_IN_PLACE for an address there */
    const void *brought = mine;
#else
    const void *brought = MPI_IN_PLACE;
#endif

    for (int i = 0; i < n; i++) {
        room[i] = mine[i] = rank + i;
    }
    check("reduce failed", rank == root ? MPI_Reduce(brought, room, n, MPI_INT, op, root, comm)
                                        : MPI_Reduce(mine, NULL, n, MPI_INT, op, root, comm));
    for (int i = 0; rank == root && i < n; i++) {
        if (room[i] != size * (size - 1) / 2 + size * i) {
            complain("wrong contents of reduce, integers", n);
            return;
        }
    }
}

static void allreduce(int n, MPI_Comm comm)
{
    for (int i = 0; i < n; i++) {
        room[i] = rank + i;
    }
    check("allreduce failed", MPI_Allreduce(MPI_IN_PLACE, room, n, MPI_INT, MPI_SUM, comm));
    for (int i = 0; i < n; i++) {
        if (room[i] != size * (size - 1) / 2 + size * i) {
            complain("wrong contents of allreduce, integers", n);
            return;
        }
    }
}

/* Rank r has n + r, or n if that is 0. */
static void gatherv(int n, int root, MPI_Comm comm)
{
    int counts[RANKS], displs[RANKS], end = 0, mine[MOST];

    for (int r = 0; r < size; r++) {
        counts[r] = n > 0 ? n + r : 0;
        displs[r] = end;
        end += counts[r];
    }
    for (int i = 0; i < counts[rank]; i++) {
        mine[i] = 1000 * rank + i;
    }
    check("gatherv failed",
          MPI_Gatherv(mine, counts[rank], MPI_INT, room, counts, displs, MPI_INT, root, comm));
    for (int r = 0; rank == root && r < size; r++) {
        for (int i = 0; i < counts[r]; i++) {
            if (room[displs[r] + i] != 1000 * r + i) {
                complain("wrong contents of gatherv, integers", n);
                return;
            }
        }
    }
    for (int i = 0; rank == root && i < end; i++) {
        room[i] = i;
    }
    check("scatterv failed",
          MPI_Scatterv(room, counts, displs, MPI_INT, mine, counts[rank], MPI_INT, root, comm));
    for (int i = 0; i < counts[rank]; i++) {
        if (mine[i] != displs[rank] + i) {
            complain("wrong contents of scatterv, integers", n);
            return;
        }
    }
}

static void blocks(int n, int root, MPI_Comm comm)
{
    int *got = room + RANKS * n;

    for (int i = 0; i < size * n; i++) {
        room[i] = 1000 * rank + i;
    }
    check("alltoall failed", MPI_Alltoall(room, n, MPI_INT, got, n, MPI_INT, comm));
    for (int i = 0; i < size * n; i++) {
        if (got[i] != 1000 * (i / n) + rank * n + i % n) {
            complain("wrong contents of alltoall, integers", n);
            return;
        }
    }
    check("allgather failed", MPI_Allgather(room, n, MPI_INT, got, n, MPI_INT, comm));
    for (int i = 0; i < size * n; i++) {
        if (got[i] != 1000 * (i / n) + i % n) {
            complain("wrong contents of allgather, integers", n);
            return;
        }
    }
    memset(got, 0xff, (size_t)(size * n) * sizeof(*got));
    check("gather failed", MPI_Gather(room, n, MPI_INT, got, n, MPI_INT, root, comm));
    for (int i = 0; rank == root && i < size * n; i++) {
        if (got[i] != 1000 * (i / n) + i % n) {
            complain("wrong contents of gather, integers", n);
            return;
        }
    }
    check("scatter failed", MPI_Scatter(room, n, MPI_INT, got, n, MPI_INT, root, comm));
    for (int i = 0; i < n; i++) {
        if (got[i] != 1000 * root + rank * n + i) {
            complain("wrong contents of scatter, integers", n);
            return;
        }
    }
}

static void decide(void)
{
    MPI_Op slow;

    MPI_Op_create(slow_sum, 1, &slow);
    for (int i = 0; i < MANY; i++) {
        bcast(256, 0, MPI_COMM_WORLD);
        PMPI_Barrier(MPI_COMM_WORLD); /* the slow rank of a call must not slow the next one down */
    }
    for (int i = 0; i < MANY; i++) {
        reduce(256, 0, slow, MPI_COMM_WORLD);
        PMPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Op_free(&slow);
}

static void mixed(void)
{
    static const int lengths[] = {1, 2, 1200, 0, 1201, 20000};

    for (int i = 0; i < MANY; i++) {
        const int n = lengths[i % 6], root = i % size;

        if (i % 7 == rank) {
            usleep(2000);
        }
        bcast(n, root, MPI_COMM_WORLD);
        reduce(n, root, MPI_SUM, MPI_COMM_WORLD);
        allreduce(n, MPI_COMM_WORLD);
        gatherv(n / 8, root, MPI_COMM_WORLD);
        blocks(1 + n / 400, root, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < MANY; i++) { /* of one length, and of two in turns */
        gatherv(3, 0, MPI_COMM_WORLD);
        bcast(i % 2 ? 1100 : 1900, 1, MPI_COMM_WORLD);
    }
}

static void freed(void)
{
    for (int calls = 0; calls < MANY / 2; calls++) {
        MPI_Comm comm;

        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        for (int i = 0; i < calls; i++) {
            bcast(2, 0, comm);
            if (i % 3 == 0) {
                reduce(2, 0, MPI_SUM, comm);
            }
        }
        if (calls % 4 != 3) { /* the others end in MPI_Finalize */
            MPI_Comm_free(&comm);
        }
    }
}

static int ahead_bcast(int value)
{
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return value;
}

static int ahead_scan(int value)
{
    int mine = rank == 0 ? value : 0;

    check("scan failed", hitop_scan(&mine, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    return value;
}

/*
 * Each message is received before the last of a few calls that rank 0 has left. All ranks get its
 * value.
 */
static void run_ahead(int (*call)(int))
{
    enum { CALLS = 4 };
    int token = 0;

    (void)call(0);
    MPI_Barrier(MPI_COMM_WORLD); /* the first collective prepares, all ranks together */
    for (int i = 0; i < MANY; i++) {
        if (rank == 1) {
            MPI_Recv(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int k = 0; k < CALLS; k++) {
            if (call(rank == 0 ? i + k : -1) != i + k) {
                complain("wrong contents of a call that rank 0 has left", i);
            }
        }
        if (rank == 0) {
            MPI_Send(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&token, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (rank == 1) {
            MPI_Send(&token, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
}

static void ahead(void)
{
    run_ahead(ahead_bcast);
}

static void scans(void)
{
    run_ahead(ahead_scan);
}

/* One rank is late in the first calls that Hitop serves (compare_turn()), and in none of MPI's. */
static void late(void)
{
    allreduce(1, MPI_COMM_WORLD); /* prepares, all ranks together */
    for (int i = 0; i < MANY; i++) {
        if (rank == 1 && (i % 4 == 0 || i % 4 == 3)) {
            usleep(30000);
        }
        allreduce(256, MPI_COMM_WORLD);
    }
}

/* Rank r brings r + i. */
static void sums(int n)
{
    int *got = room + RANKS * n, counts[RANKS], first = 0;

    for (int i = 0; i < size * n; i++) {
        room[i] = rank + i;
    }
    check("scan failed", hitop_scan(room, got, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < n; i++) {
        if (got[i] != rank * (rank + 1) / 2 + (rank + 1) * i) {
            complain("wrong contents of scan, integers", n);
            return;
        }
    }
    check("exscan failed", hitop_exscan(room, got, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; rank > 0 && i < n; i++) {
        if (got[i] != rank * (rank - 1) / 2 + rank * i) {
            complain("wrong contents of exscan, integers", n);
            return;
        }
    }
    for (int r = 0; r < size; r++) {
        counts[r] = n * (r % 2); /* some have none */
        first += r < rank ? counts[r] : 0;
    }
    check("reduce_scatter failed",
          hitop_reduce_scatter(room, got, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    for (int i = 0; i < counts[rank]; i++) {
        if (got[i] != size * (size - 1) / 2 + size * (first + i)) {
            complain("wrong contents of reduce_scatter, integers", n);
            return;
        }
    }
}

/* Rank r sends n + r elements to each. */
static void uneven_blocks(int n)
{
    int *got = room + RANKS * n, sent[RANKS], sent_at[RANKS], taken[RANKS], taken_at[RANKS];

    for (int r = 0; r < size; r++) {
        sent[r] = n + rank;
        sent_at[r] = r * (n + rank);
        taken[r] = n + r;
        taken_at[r] = r * n + r * (r - 1) / 2;
    }
    for (int i = 0; i < size * (n + rank); i++) {
        room[i] = 100000 * rank + i;
    }
    got += RANKS * RANKS;
    check("alltoallv failed", hitop_alltoallv(room, sent, sent_at, MPI_INT, got, taken, taken_at,
                                              MPI_INT, MPI_COMM_WORLD));
    for (int r = 0; r < size; r++) {
        for (int i = 0; i < taken[r]; i++) {
            if (got[taken_at[r] + i] != 100000 * r + rank * (n + r) + i) {
                complain("wrong contents of alltoallv, integers", n);
                return;
            }
        }
    }
}

static void plans(void)
{
    static const int lengths[] = {1, 300, 0, 2};

    for (int i = 0; i < 3 * MANY; i++) { /* up to 28 calls until a scan has a result */
        const int n = lengths[i / 2 % 4];

        if (i % 17 == rank) {
            usleep(2000);
        }
        sums(n);
        uneven_blocks(n);
        uneven_blocks(5);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } parts[] = {{"decide", decide}, {"mixed", mixed}, {"freed", freed}, {"ahead", ahead},
                 {"scans", scans},   {"late", late},   {"plans", plans}};
    int all = 0, any = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (argc > 1 && strcmp(argv[1], parts[i].name) == 0) {
            parts[i].run();
            any = 1;
        }
    }
    if (!any) {
        complain("no such part", argc);
    }
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all > 0;
}
