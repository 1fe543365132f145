/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * competition.c - broadcasts among processes that come at different times, on a simulated machine.
 *
 * usage: competition INTERVAL_US REPEATS ALGORITHM[,ALGORITHM...] SIZE..., under smpirun
 *
 * Each rank comes some time of 0..INTERVAL_US after the others, drawn anew for each operation, the
 * same for all algorithms (late.h). An ALGORITHM is a name of HITOP_BCAST, or mpi: MPI_Bcast().
 * Per size and algorithm one line: algorithm, bytes, then in microseconds the largest of the ranks'
 * mean times inside the call, the mean of them, the mean of the root, and the bounds of the first
 * two that no broadcast can beat: what ranks wait for the root.
 *
 * Source: the benchmark of Liu, Song et al., Journal of Software 22 (2011), figure 11.
 */
#include <config.h>

#include "bench/paper/late.h"
#include "hitop/bcast_mpi.h"
#include "hitop/text.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* A broadcast, and the communicator on which it is the one that is asked for. */
struct algorithm {
    char name[32];
    MPI_Comm comm;
    int (*bcast)(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
};

/* What the ranks' times come to. */
struct times {
    double most, mean, root, least_most, least_mean;
};

static void fail(const char *what)
{
    fprintf(stderr, "competition: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/*
 * One broadcast after a delay: seconds inside the call, and how much later than this rank the root
 * came.
 */
static double measure(const struct algorithm *algorithm, unsigned char *data, int bytes,
                      double delay_us, int k, double *root_later)
{
    double began, mine, roots;

    late_begin(delay_us);
    if (rank == 0) {
        memset(data, k, (size_t)bytes);
    }
    began = roots = MPI_Wtime();
    if (algorithm->bcast(data, bytes, MPI_BYTE, 0, algorithm->comm) != MPI_SUCCESS) {
        fail("a broadcast failed");
    }
    mine = MPI_Wtime() - began;
    if (data[0] != (unsigned char)k || data[bytes - 1] != (unsigned char)k) {
        fail("a byte is wrong");
    }
    MPI_Bcast(&roots, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    *root_later = roots > began ? roots - began : 0;
    return mine;
}

static struct times run(const struct algorithm *algorithm, size_t bytes, double interval_us,
                        int repeats)
{
    const int warm = 8;
    unsigned char *data = calloc(bytes, 1);
    struct times t = {0};
    double sums[2] = {0, 0}, all[2];
    double *delays = late_draw(repeats);

    if (!data) {
        fail("out of memory");
    }
    for (int k = -warm; k < repeats; k++) {
        const double delay = interval_us * delays[(k + warm * repeats) % repeats];
        double later;
        const double mine = measure(algorithm, data, (int)bytes, delay, k + warm + 1, &later);
        sums[0] += k >= 0 ? mine / repeats : 0;
        sums[1] += k >= 0 ? later / repeats : 0;
    }
    t.root = sums[0];
    MPI_Reduce(&sums[0], &t.most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&sums[1], &t.least_most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    t.mean = all[0] / size;
    t.least_mean = all[1] / size;
    free(delays);
    free(data);
    return t;
}

/* "mpi" is MPI_Bcast(); other names are those of HITOP_BCAST, which a first call reads. */
static void open_algorithm(struct algorithm *algorithm)
{
    MPI_Comm_dup(MPI_COMM_WORLD, &algorithm->comm);
    MPI_Barrier(MPI_COMM_WORLD);
    algorithm->bcast = MPI_Bcast;
    if (strcmp(algorithm->name, "mpi") != 0) {
        setenv("HITOP_BCAST", algorithm->name, 1);
        setenv("HITOP_LAZY", "0", 1);
        algorithm->bcast = hitop_bcast;
        (void)run(algorithm, 8, 0, 1);
    }
}

/* One line for each size. */
static void print_times(const struct algorithm *algorithm, double interval_us, int repeats,
                        char **sizes)
{
    for (; *sizes; sizes++) {
        size_t bytes;
        if (hitop_text_size(*sizes, &bytes, NULL) != HITOP_OK || bytes == 0 || bytes > INT_MAX) {
            fail("sizes are numbers of bytes from 1 to 2147483647");
        }
        const struct times t = run(algorithm, bytes, interval_us, repeats);
        if (rank == 0) {
            printf("%-9s %9zu %10.2f %10.2f %10.2f %10.2f %10.2f\n", algorithm->name, bytes,
                   t.most * 1e6, t.mean * 1e6, t.root * 1e6, t.least_most * 1e6,
                   t.least_mean * 1e6);
            fflush(stdout);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 5 || strtod(argv[1], NULL) < 0 || atoi(argv[2]) < 1) {
        fprintf(stderr,
                "usage: competition INTERVAL_US REPEATS ALGORITHM[,ALGORITHM...] SIZE...\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    /* simulated ranks share the arguments: nothing is written there */
    for (const char *next = argv[3]; *next; next += strspn(next, ",")) {
        struct algorithm algorithm;

        (void)snprintf(algorithm.name, sizeof(algorithm.name), "%.*s", (int)strcspn(next, ","),
                       next);
        next += strcspn(next, ",");
        open_algorithm(&algorithm);
        print_times(&algorithm, strtod(argv[1], NULL), atoi(argv[2]), argv + 4);
        MPI_Comm_free(&algorithm.comm);
    }
    MPI_Finalize();
    return 0;
}
