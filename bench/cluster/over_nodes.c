/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * over_nodes.c - operations in two levels against those of MPI alone, on a simulated cluster.
 *
 * usage: over_nodes REPEATS OPERATION[,OPERATION...] SIZE..., under smpirun
 *
 * Sizes are bytes of a rank's block, of gatherv and scatterv their mean. Each call begins on all
 * ranks at one time; a time is that of the rank that takes longest, and what is printed the mean of
 * REPEATS of them, in microseconds: of MPI, of two levels, and their ratio. On a simulated machine
 * there is no noise, so that few repeats do.
 */
#include <config.h>

#include "hitop/collectives_mpi.h"
#include "hitop/text.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

struct buffers {
    unsigned char *send, *recv;
    int bytes;
};

static void fail(const char *what)
{
    fprintf(stderr, "over_nodes: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

typedef int (*call)(const struct buffers *b, MPI_Comm comm, int ours);

static int call_allgather(const struct buffers *b, MPI_Comm comm, int ours)
{
    return (ours ? hitop_allgather : PMPI_Allgather)(b->send, b->bytes, MPI_BYTE, b->recv, b->bytes,
                                                     MPI_BYTE, comm);
}

static int call_allreduce(const struct buffers *b, MPI_Comm comm, int ours)
{
    return (ours ? hitop_allreduce : PMPI_Allreduce)(b->send, b->recv, b->bytes, MPI_BYTE, MPI_BXOR,
                                                     comm);
}

static int call_alltoall(const struct buffers *b, MPI_Comm comm, int ours)
{
    return (ours ? hitop_alltoall : PMPI_Alltoall)(b->send, b->bytes, MPI_BYTE, b->recv, b->bytes,
                                                   MPI_BYTE, comm);
}

static int call_barrier(const struct buffers *b, MPI_Comm comm, int ours)
{
    (void)b;
    return (ours ? hitop_barrier : PMPI_Barrier)(comm);
}

static int call_gather(const struct buffers *b, MPI_Comm comm, int ours)
{
    return (ours ? hitop_gather : PMPI_Gather)(b->send, b->bytes, MPI_BYTE, b->recv, b->bytes,
                                               MPI_BYTE, 0, comm);
}

static int call_reduce(const struct buffers *b, MPI_Comm comm, int ours)
{
    return (ours ? hitop_reduce : PMPI_Reduce)(b->send, b->recv, b->bytes, MPI_BYTE, MPI_BXOR, 0,
                                               comm);
}

static int call_scatter(const struct buffers *b, MPI_Comm comm, int ours)
{
    return (ours ? hitop_scatter : PMPI_Scatter)(b->send, b->bytes, MPI_BYTE, b->recv, b->bytes,
                                                 MPI_BYTE, 0, comm);
}

/* Lengths from none to twice the size, of which the root alone knows all. */
struct uneven {
    int *counts, *displs;
};

static struct uneven make_uneven(const struct buffers *b)
{
    static struct uneven u;
    int at = 0;

    u.counts = realloc(u.counts, (size_t)size * sizeof(int));
    u.displs = realloc(u.displs, (size_t)size * sizeof(int));
    if (!u.counts || !u.displs) {
        fail("out of memory");
    }
    for (int r = 0; r < size; r++) {
        u.counts[r] = b->bytes / 2 * (r % 5);
        u.displs[r] = at;
        at += u.counts[r];
    }
    return u;
}

static int call_gatherv(const struct buffers *b, MPI_Comm comm, int ours)
{
    const struct uneven u = make_uneven(b);

    return (ours ? hitop_gatherv : PMPI_Gatherv)(b->send, u.counts[rank], MPI_BYTE, b->recv,
                                                 u.counts, u.displs, MPI_BYTE, 0, comm);
}

static int call_scatterv(const struct buffers *b, MPI_Comm comm, int ours)
{
    const struct uneven u = make_uneven(b);

    return (ours ? hitop_scatterv : PMPI_Scatterv)(b->send, u.counts, u.displs, MPI_BYTE, b->recv,
                                                   u.counts[rank], MPI_BYTE, 0, comm);
}

static const struct {
    const char *name;
    call call;
} operations[] = {
    {"allgather", call_allgather}, {"allreduce", call_allreduce}, {"alltoall", call_alltoall},
    {"barrier", call_barrier},     {"gather", call_gather},       {"gatherv", call_gatherv},
    {"reduce", call_reduce},       {"scatter", call_scatter},     {"scatterv", call_scatterv},
};

static call find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++) {
        if (strlen(operations[i].name) == length && !memcmp(operations[i].name, name, length)) {
            return operations[i].call;
        }
    }
    fail("no such operation");
    return NULL;
}

/* Seconds that the slowest rank takes from a time when all begin. */
static double measure(call run, const struct buffers *b, MPI_Comm comm, int ours)
{
    const double now = MPI_Wtime();
    double start, mine, most;

    MPI_Allreduce(&now, &start, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* one clock for all */
    start += 1e-3;
    usleep((useconds_t)((start - MPI_Wtime()) * 1e6));
    start = MPI_Wtime();
    if (run(b, comm, ours) != MPI_SUCCESS) {
        fail("a call failed");
    }
    mine = MPI_Wtime() - start;
    MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

static double mean(call run, const struct buffers *b, MPI_Comm comm, int ours, int repeats)
{
    double sum = 0;

    for (int k = -3; k < repeats; k++) {
        const double t = measure(run, b, comm, ours);
        sum += k >= 0 ? t : 0;
    }
    return sum / repeats;
}

static void compare(const char *name, size_t length, const char *size_text, int repeats,
                    MPI_Comm comm)
{
    const call run = find(name, length);
    struct buffers b;
    size_t bytes;
    double t[2];

    if (hitop_text_size(size_text, &bytes, NULL) != HITOP_OK || bytes > (1U << 30)) {
        fail("that is no size");
    }
    b = (struct buffers){.send = calloc((size_t)size, 2 * bytes + 1),
                         .recv = calloc((size_t)size, 2 * bytes + 1),
                         .bytes = (int)bytes};
    if (!b.send || !b.recv) {
        fail("out of memory");
    }
    for (int ours = 0; ours < 2; ours++) {
        t[ours] = mean(run, &b, comm, ours, repeats);
    }
    if (rank == 0) {
        printf("%-10.*s %9zu %10.2f %10.2f %6.2f\n", (int)length, name, bytes, t[0] * 1e6,
               t[1] * 1e6, t[1] / t[0]);
        fflush(stdout);
    }
    free(b.send);
    free(b.recv);
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    int repeats;

    if (argc < 4) {
        fprintf(stderr, "usage: over_nodes REPEATS OPERATION[,OPERATION...] SIZE...\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    repeats = atoi(argv[1]);
    setenv("HITOP_LAZY", "0", 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (const char *next = argv[2]; *next; next += strspn(next, ",")) {
        const size_t length = strcspn(next, ",");

        for (int a = 3; a < argc; a++) {
            compare(next, length, argv[a], repeats, comm);
        }
        next += length;
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
