/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * never_worse.c - are preloaded collectives ever slower than those of the MPI library alone?
 *
 * usage: never_worse PLACEMENT OPERATION[,OPERATION...] SECONDS BYTES..., with libhitop_coll.so
 * preloaded
 *
 * A is PMPI_Bcast() and so on, B is MPI_Bcast(). First come calls of B, in which Hitop and the MPI
 * library are compared (HITOP_TRIAL), for at most SECONDS; then A B A B, in which a time is that of
 * the slowest rank. A line has the medians, the median and quartiles of B/A over pairs. Blocks of
 * alltoall are at most 64 KiB: over hosts long ones are MPI's in any case.
 */
#include <config.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 11, FEW = 5, WARM = 80, MOST = 1 << 22 };

static int rank, size;
static unsigned char *sent, *received;
static volatile int sum;

static void fail(const char *what)
{
    fprintf(stderr, "never_worse: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

#define RUN(name, plain, preloaded)                                                                \
    static int name(int n, int b)                                                                  \
    {                                                                                              \
        return b ? preloaded : plain;                                                              \
    }
#define BOTH(name, function, arguments)                                                            \
    RUN(name, PMPI_##function arguments, MPI_##function arguments)

BOTH(run_allgather, Allgather, (sent, n, MPI_BYTE, received, n, MPI_BYTE, MPI_COMM_WORLD))
BOTH(run_allreduce, Allreduce, (sent, received, n, MPI_BYTE, MPI_BXOR, MPI_COMM_WORLD))
BOTH(run_alltoall, Alltoall, (sent, n, MPI_BYTE, received, n, MPI_BYTE, MPI_COMM_WORLD))
BOTH(run_bcast, Bcast, (sent, n, MPI_BYTE, 0, MPI_COMM_WORLD))
BOTH(run_gather, Gather, (sent, n, MPI_BYTE, received, n, MPI_BYTE, 0, MPI_COMM_WORLD))
BOTH(run_reduce, Reduce, (sent, received, n, MPI_BYTE, MPI_BXOR, 0, MPI_COMM_WORLD))
BOTH(run_scatter, Scatter, (sent, n, MPI_BYTE, received, n, MPI_BYTE, 0, MPI_COMM_WORLD))

static int run_barrier(int n, int b)
{
    (void)n;
    return (b ? MPI_Barrier : PMPI_Barrier)(MPI_COMM_WORLD);
}

static const struct operation {
    const char *name;
    int (*run)(int n, int b);
} operations[] = {{"allgather", run_allgather}, {"allreduce", run_allreduce},
                  {"alltoall", run_alltoall},   {"barrier", run_barrier},
                  {"bcast", run_bcast},         {"gather", run_gather},
                  {"reduce", run_reduce},       {"scatter", run_scatter}};

/* Seconds of the slowest rank, on all ranks. */
static double measure(const struct operation *o, int n, int b)
{
    static int turn;
    double mine, most;

    memset(sent, ++turn, (size_t)n * (size_t)size); /* a program computes what it sends, */
    for (int i = 0; i < n; i += 64) {               /* and reads what it gets */
        sum += received[i];
    }
    PMPI_Barrier(MPI_COMM_WORLD);
    mine = MPI_Wtime();
    if (o->run(n, b) != MPI_SUCCESS) {
        fail("a call failed");
    }
    mine = MPI_Wtime() - mine;
    PMPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* Calls of B until a comparison should be over. */
static void warm_up(const struct operation *o, int n, double seconds)
{
    double spent = 0;

    for (int i = 0; i < WARM && (i < FEW || spent < seconds); i++) {
        spent += measure(o, n, 1);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void sort(double *x, int n)
{
    qsort(x, (size_t)n, sizeof(*x), compare_doubles);
}

static void compare(const char *placement, const struct operation *o, int n, double seconds)
{
    double a[PAIRS], b[PAIRS], ratio[PAIRS], spent = 0;
    int pairs = 0;

    warm_up(o, n, seconds);
    while (pairs < PAIRS && (pairs < FEW || spent < seconds)) {
        a[pairs] = measure(o, n, 0);
        b[pairs] = measure(o, n, 1);
        ratio[pairs] = b[pairs] / a[pairs];
        spent += a[pairs] + b[pairs];
        pairs++;
    }
    sort(a, pairs);
    sort(b, pairs);
    sort(ratio, pairs);
    if (rank == 0) {
        printf("%-24s %2d %-9s %8d %11.1f %11.1f %6.2f  %5.2f .. %-5.2f\n", placement, size,
               o->name, n, 1e6 * a[pairs / 2], 1e6 * b[pairs / 2], ratio[pairs / 2],
               ratio[pairs / 4], ratio[pairs - 1 - pairs / 4]);
        (void)fflush(stdout);
    }
}

/* All sizes of one operation; a barrier has none. */
static void compare_sizes(const char *placement, const struct operation *o, double seconds,
                          char **sizes)
{
    if (o->run == run_barrier) {
        compare(placement, o, 0, seconds);
        return;
    }
    for (; *sizes; sizes++) {
        const int bytes = atoi(*sizes);

        if (bytes < 1 || bytes > MOST) {
            fail("a size is not in 1 .. 4194304");
        }
        if (o->run != run_alltoall || bytes <= 65536) {
            compare(placement, o, bytes, seconds);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 5) {
        fail("usage: never_worse PLACEMENT OPERATIONS SECONDS BYTES..., with libhitop_coll.so "
             "preloaded");
    }
    sent = calloc((size_t)size, MOST);
    received = calloc((size_t)size, MOST);
    if (!sent || !received) {
        fail("out of memory");
    }
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        const char *name = operations[i].name, *at = strstr(argv[2], name);

        if (at && (at == argv[2] || at[-1] == ',') && strchr(",", at[strlen(name)])) {
            compare_sizes(argv[1], &operations[i], atof(argv[3]), argv + 4);
        }
    }
    MPI_Finalize();
    return 0;
}
