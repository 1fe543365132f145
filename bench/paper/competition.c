/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * competition.c - broadcasts among processes that come at different times, on a simulated machine.
 *
 * usage: competition INTERVAL_US REPEATS STYLE[,STYLE...] SIZE..., under smpirun
 *
 * Each rank comes some time of 0..INTERVAL_US after the others, drawn anew for each operation, the
 * same for all styles: once in each of REPEATS parts of the interval, in random order, so that
 * fewer operations give the same precision. HITOP_TEST_SEED draws others. Per size and style one
 * line: style, bytes, then in microseconds the largest of the ranks' mean times inside the call,
 * the mean of them, the mean of the root, and the bounds of the first two that no broadcast can
 * beat: what ranks wait for the root.
 *
 * Source: the benchmark of Liu, Song et al., Journal of Software 22 (2011), figure 11.
 */
#include <config.h>

#include "hitop/bcast_mpi.h"
#include "hitop/text.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

/* What the ranks' times come to. */
struct times {
    double most, mean, root, least_most, least_mean;
};

static void fail(const char *what)
{
    fprintf(stderr, "competition: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void sleep_us(double us)
{
    if (us >= 1) {
        usleep((useconds_t)us);
    }
}

/*
 * One broadcast after a delay: seconds inside the call, and how much later than this rank the root
 * came.
 */
static double measure(MPI_Comm comm, unsigned char *data, int bytes, double delay_us, int k,
                      double *root_later)
{
    const double now = MPI_Wtime();
    double start, began, mine, roots;

    MPI_Allreduce(&now, &start, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* one clock for all */
    start += 1e-3;
    sleep_us((start - MPI_Wtime()) * 1e6 + delay_us);
    if (rank == 0) {
        memset(data, k, (size_t)bytes);
    }
    began = roots = MPI_Wtime();
    if (hitop_bcast(data, bytes, MPI_BYTE, 0, comm) != MPI_SUCCESS) {
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

static unsigned short seed_of_test(void)
{
    const char *text = getenv("HITOP_TEST_SEED");

    return (unsigned short)(text ? atoi(text) : 4711);
}

/*
 * The state of this rank's generator. States that differ by a multiple of the rank would make
 * neighbours come one shortly after the other.
 */
static void begin_draws(unsigned short *state)
{
    uint64_t x = ((uint64_t)seed_of_test() << 32 | (uint64_t)rank) + 0x9e3779b97f4a7c15u;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    memcpy(state, &x, 3 * sizeof(*state));
}

/* When this rank comes to each of n operations, as shares of the interval. */
static double *draw_delays(int n)
{
    unsigned short state[3];
    double *delay = malloc((size_t)n * sizeof(*delay));

    begin_draws(state);
    for (int k = 0; delay && k < n; k++) { /* each part has its place among those before it */
        const int place = (int)(nrand48(state) % (k + 1));
        delay[k] = delay[place];
        delay[place] = (k + erand48(state)) / n;
    }
    return delay;
}

static struct times run(MPI_Comm comm, size_t bytes, double interval_us, int repeats)
{
    const int warm = 8;
    unsigned char *data = calloc(bytes, 1);
    struct times t = {0};
    double sums[2] = {0, 0}, all[2];
    double *delays = draw_delays(repeats);

    if (!data || !delays) {
        fail("out of memory");
    }
    for (int k = -warm; k < repeats; k++) {
        const double delay = interval_us * delays[(k + warm * repeats) % repeats];
        double later;
        const double mine = measure(comm, data, (int)bytes, delay, k + warm + 1, &later);
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

/* A communicator whose broadcasts go this way: its first call reads the environment. */
static MPI_Comm communicator(const char *style)
{
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(MPI_COMM_WORLD);
    setenv("HITOP_BCAST", style, 1);
    setenv("HITOP_LAZY", "0", 1);
    (void)run(comm, 8, 0, 1);
    return comm;
}

int main(int argc, char **argv)
{
    double interval;
    int repeats;

    if (argc < 5) {
        fprintf(stderr, "usage: competition INTERVAL_US REPEATS STYLE[,STYLE...] SIZE...\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    interval = strtod(argv[1], NULL);
    repeats = atoi(argv[2]);
    /* simulated ranks share the arguments: nothing is written there */
    for (const char *next = argv[3]; *next; next += strspn(next, ",")) {
        char style[32];
        MPI_Comm comm;

        (void)snprintf(style, sizeof(style), "%.*s", (int)strcspn(next, ","), next);
        next += strcspn(next, ",");
        comm = communicator(style);
        for (int a = 4; a < argc; a++) {
            size_t bytes;
            if (hitop_text_size(argv[a], &bytes, NULL) != HITOP_OK) {
                fail("that is no size");
            }
            const struct times t = run(comm, bytes, interval, repeats);
            if (rank == 0) {
                printf("%-9s %9zu %10.2f %10.2f %10.2f %10.2f %10.2f\n", style, bytes, t.most * 1e6,
                       t.mean * 1e6, t.root * 1e6, t.least_most * 1e6, t.least_mean * 1e6);
                fflush(stdout);
            }
        }
        MPI_Comm_free(&comm);
    }
    MPI_Finalize();
    return 0;
}
