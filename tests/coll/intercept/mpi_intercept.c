/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi_intercept.c - contents of every collective called by MPI's name, ROUNDS times each, every
 * other time with MPI_IN_PLACE. No other collective is called, so that a profiler must count ROUNDS
 * of each.
 */
#define _GNU_SOURCE /* syscall() */
#include <linux/membarrier.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROUNDS = 4, BLOCK = 321, GET_REGISTRATIONS = 1 << 9 /* of Linux 6.3 */ };

static int rank, size, wrong;
static int *in, *out, *counts, *displs; /* room for a block of each rank */

/* Element i of what rank r brings. */
static int value(int r, int i)
{
    return r * 7919 + i;
}

static int sum(int first, int behind, int i)
{
    int total = 0;

    for (int r = first; r < behind; r++) {
        total += value(r, i);
    }
    return total;
}

/* This rank's `n` elements in `in`; nothing in `out`. */
static void fill(int n)
{
    for (int i = 0; i < n; i++) {
        in[i] = value(rank, i);
    }
    for (int i = 0; i < size * BLOCK; i++) {
        out[i] = -1;
    }
}

static void expect(const char *what, int got, int wanted)
{
    if (got != wanted && wrong++ < 5) {
        printf("rank %d, %s: %d instead of %d\n", rank, what, got, wanted);
    }
}

/* Blocks of ranks, `n` each or counts[r], of which element i is value(r, first + i). */
static void expect_blocks(const char *what, const int *got, int first, int uneven)
{
    for (int r = 0; r < size; r++) {
        for (int i = 0; i < (uneven ? counts[r] : BLOCK); i++) {
            expect(what, got[(uneven ? displs[r] : r * BLOCK) + i], value(r, first + i));
        }
    }
}

static void spread(int root, int in_place)
{
    const int from_root = rank == root;
    void *mine = in_place && from_root ? MPI_IN_PLACE : out;

    fill(BLOCK);
    MPI_Bcast(in, BLOCK, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < BLOCK; i++) {
        expect("bcast", in[i], value(root, i));
    }
    fill(size * BLOCK);
    MPI_Scatter(in, BLOCK, MPI_INT, mine, BLOCK, MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < BLOCK && mine == out; i++) {
        expect("scatter", out[i], value(root, rank * BLOCK + i));
    }
    MPI_Scatterv(in, counts, displs, MPI_INT, mine, counts[rank], MPI_INT, root, MPI_COMM_WORLD);
    for (int i = 0; i < counts[rank] && mine == out; i++) {
        expect("scatterv", out[i], value(root, displs[rank] + i));
    }
}

static void collect(int root, int in_place)
{
    const int at_root = rank == root;
    int *const block = out + rank * BLOCK, *const part = out + displs[rank];
    void *brought = in_place && at_root ? MPI_IN_PLACE : in;

    fill(BLOCK);
    for (int i = 0; i < BLOCK && in_place; i++) {
        block[i] = in[i];
    }
    MPI_Gather(brought, BLOCK, MPI_INT, out, BLOCK, MPI_INT, root, MPI_COMM_WORLD);
    if (at_root) {
        expect_blocks("gather", out, 0, 0);
    }
    MPI_Allgather(in_place ? MPI_IN_PLACE : in, BLOCK, MPI_INT, out, BLOCK, MPI_INT,
                  MPI_COMM_WORLD);
    expect_blocks("allgather", out, 0, 0);
    fill(BLOCK);
    for (int i = 0; i < counts[rank] && in_place; i++) {
        part[i] = in[i];
    }
    MPI_Gatherv(brought, counts[rank], MPI_INT, out, counts, displs, MPI_INT, root, MPI_COMM_WORLD);
    if (at_root) {
        expect_blocks("gatherv", out, 0, 1);
    }
    MPI_Allgatherv(in_place ? MPI_IN_PLACE : in, counts[rank], MPI_INT, out, counts, displs,
                   MPI_INT, MPI_COMM_WORLD);
    expect_blocks("allgatherv", out, 0, 1);
}

static void exchange(int in_place)
{
    int *const own = in_place ? out : in;
    void *brought = in_place ? MPI_IN_PLACE : in;

    fill(size * BLOCK);
    for (int i = 0; i < size * BLOCK; i++) {
        own[i] = value(rank, i);
    }
    MPI_Alltoall(brought, BLOCK, MPI_INT, out, BLOCK, MPI_INT, MPI_COMM_WORLD);
    expect_blocks("alltoall", out, rank * BLOCK, 0);
    /* rank r sends counts[r] elements to each; in place rows and columns must match */
    for (int r = 0; r < size; r++) {
        counts[r] = in_place ? 3 : r + 1;
    }
    fill(size * BLOCK);
    for (int i = 0; i < size * BLOCK; i++) {
        own[i] = value(rank, i);
    }
    {
        int *const rows = malloc((size_t)size * sizeof(int)), *const at = malloc((size_t)size *
                                                                                 sizeof(int));

        for (int r = 0; r < size && rows && at; r++) {
            rows[r] = counts[rank];
            at[r] = r * BLOCK;
        }
        MPI_Alltoallv(brought, rows, at, MPI_INT, out, counts, at, MPI_INT, MPI_COMM_WORLD);
        for (int r = 0; r < size; r++) {
            for (int i = 0; i < counts[r]; i++) {
                expect("alltoallv", out[r * BLOCK + i], value(r, rank * BLOCK + i));
            }
            counts[r] = r + 1;
        }
        free(rows);
        free(at);
    }
}

/*
 * As many elements as `n`, of which this rank's result shall be those from `at` on of the sum of
 * [0, behind).
 */
static void expect_sums(const char *what, const int *got, int n, int at, int behind)
{
    for (int i = 0; i < n; i++) {
        expect(what, got[i], sum(0, behind, at + i));
    }
}

/* Fill, and return what to pass as sendbuf. */
static const void *operands(int n, int in_place)
{
    fill(n);
    for (int i = 0; i < n && in_place; i++) {
        out[i] = in[i];
    }
    return in_place ? MPI_IN_PLACE : in;
}

static void combine(int root, int in_place)
{
    const void *brought = operands(BLOCK, in_place && rank == root);

    MPI_Reduce(brought, out, BLOCK, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
    if (rank == root) {
        expect_sums("reduce", out, BLOCK, 0, size);
    }
    brought = operands(BLOCK, in_place);
    MPI_Allreduce(brought, out, BLOCK, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect_sums("allreduce", out, BLOCK, 0, size);
    brought = operands(BLOCK, in_place);
    MPI_Scan(brought, out, BLOCK, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect_sums("scan", out, BLOCK, 0, rank + 1);
    brought = operands(BLOCK, in_place);
    MPI_Exscan(brought, out, BLOCK, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank > 0) {
        expect_sums("exscan", out, BLOCK, 0, rank);
    }
    brought = operands(size * BLOCK, in_place);
    MPI_Reduce_scatter_block(brought, out, BLOCK, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect_sums("reduce_scatter_block", out, BLOCK, rank * BLOCK, size);
    brought = operands(size * BLOCK, in_place);
    MPI_Reduce_scatter(brought, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect_sums("reduce_scatter", out, counts[rank], displs[rank], size);
}

/*
 * The kernel knows of fences before MPI has threads: behind them the first collective would wait
 * for that.
 */
static void expect_registration(void)
{
    const long registered = syscall(SYS_membarrier, GET_REGISTRATIONS, 0, 0);

    if (registered >= 0) {
        expect("registered", (registered & MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) != 0, 1);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    expect_registration();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    in = malloc((size_t)size * BLOCK * sizeof(int));
    out = malloc((size_t)size * BLOCK * sizeof(int));
    counts = malloc((size_t)size * sizeof(int));
    displs = malloc((size_t)size * sizeof(int));
    if (!in || !out || !counts || !displs) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int r = 0; r < size; r++) {
        counts[r] = r + 1;
        displs[r] = r * (r + 1) / 2;
    }
    for (int round = 0; round < ROUNDS; round++) {
        spread(round % size, round % 2);
        collect(round % size, round % 2);
        exchange(round % 2);
        combine(round % size, round % 2);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    free(in);
    free(out);
    free(counts);
    free(displs);
    MPI_Finalize();
    return wrong > 0;
}
