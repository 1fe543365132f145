/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * application.c - a program that computes and broadcasts in turns, on a simulated machine.
 *
 * usage: application STEPS BYTES COMPUTE_US NOISE_US BLOCK ALGORITHM[,ALGORITHM...] [WIDTH_US]
 *
 * It has the messages of examples/asp.c (all pairs' shortest paths): in each step all ranks get a
 * row of BYTES from the rank that has it, then each computes for COMPUTE_US and a random part of
 * NOISE_US, drawn for each rank and step and equal for all algorithms. A rank is the root of BLOCK
 * steps in a row; if STEPS are too few for all ranks, the roots are spread evenly over the ranks.
 * No rank waits between steps but in the broadcast. ALGORITHM is "plain" (MPI_Bcast) or a value of
 * HITOP_BCAST. Per algorithm one line: the algorithm, seconds of the program, then in microseconds
 * per step the mean time of a rank in broadcasts, the mean time from the first to the last arrival,
 * and how much the root is behind the first rank to arrive. With WIDTH_US a line follows for each
 * bin of so many microseconds after the first rank's arrival: "arrivals", the algorithm, the middle
 * of the bin in microseconds, and the share of all arrivals, which may be 0; the last bin contains
 * all later ones.
 *
 * Source: the ASP experiment of Liu, Song et al., Journal of Software 22 (2011), figures 22 and 23.
 */
#include <config.h>

#include "hitop/bcast_mpi.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct program {
    int steps, bytes, block;
    double compute_us, noise_us, width_us; /* of a bin; 0: arrivals are not printed */
};

enum { NBINS = 40 };

/* What the ranks' times come to; all but the first per step. */
struct times {
    double all, in_bcast, spread, root;
    double share[NBINS]; /* of all arrivals, by time after the first one */
};

static int rank, size;

static void fail(const char *what)
{
    fprintf(stderr, "application: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static unsigned seed_of_test(void)
{
    const char *text = getenv("HITOP_TEST_SEED");

    return text ? (unsigned)atoi(text) : 4711;
}

/* A number of [0, 1) that depends on nothing but the seed, the rank and the step. */
static double draw(int step)
{
    uint64_t x = ((uint64_t)seed_of_test() << 48 | (uint64_t)rank << 24 | (uint64_t)step) +
                 0x9e3779b97f4a7c15u;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    return (double)(x >> 11) / 9007199254740992.0;
}

static int root_of(const struct program *p, int step)
{
    const int nroots = (p->steps + p->block - 1) / p->block;
    const int stride = nroots < size ? size / nroots : 1;

    return step / p->block * stride % size;
}

static void compute(const struct program *p, int step)
{
    const double us = p->compute_us + p->noise_us * draw(step);

    if (us >= 1) {
        usleep((useconds_t)us);
    }
}

/* One step; *arrival: when this rank calls the broadcast. */
static void run_step(const struct program *p, int step, MPI_Comm comm, int is_plain,
                     unsigned char *row, double *arrival)
{
    const int root = root_of(p, step);
    int code;

    if (rank == root) {
        memset(row, step & 0xff, (size_t)p->bytes);
    }
    *arrival = MPI_Wtime();
    code = is_plain ? MPI_Bcast(row, p->bytes, MPI_BYTE, root, comm)
                    : hitop_bcast(row, p->bytes, MPI_BYTE, root, comm);
    if (code != MPI_SUCCESS || row[0] != (step & 0xff) || row[p->bytes - 1] != (step & 0xff)) {
        fail("a broadcast failed, or a byte is wrong");
    }
}

/* The shares of arrivals in bins, from those of this rank and the first ones of all ranks. */
static void count_arrivals(const struct program *p, const double *arrival, const double *first,
                           struct times *t)
{
    double mine[NBINS] = {0};

    for (int k = 0; k < p->steps; k++) {
        const double bin = (arrival[k] - first[k]) * 1e6 / p->width_us;
        mine[bin < NBINS ? (int)bin : NBINS - 1] += 1.0 / p->steps / size;
    }
    MPI_Reduce(mine, t->share, NBINS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

/* Means over the steps of the spread of arrivals and of the root's lateness, from all arrivals. */
static void judge(const struct program *p, double *arrival, struct times *t)
{
    double *first = calloc(3 * (size_t)p->steps, sizeof(*first));
    double *last = first + p->steps, *root = last + p->steps;

    if (!first) {
        fail("out of memory");
    }
    MPI_Allreduce(arrival, first, p->steps, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    if (p->width_us > 0) {
        count_arrivals(p, arrival, first, t);
    }
    MPI_Reduce(arrival, last, p->steps, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    for (int k = 0; k < p->steps; k++) {
        arrival[k] = rank == root_of(p, k) ? arrival[k] : 0;
    }
    MPI_Reduce(arrival, root, p->steps, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    for (int k = 0; k < p->steps; k++) {
        t->spread += (last[k] - first[k]) / p->steps;
        t->root += (root[k] - first[k]) / p->steps;
    }
    free(first);
}

static struct times run(const struct program *p, MPI_Comm comm, int is_plain)
{
    unsigned char *row = calloc((size_t)p->bytes, 1);
    double *arrival = calloc((size_t)p->steps, sizeof(*arrival));
    struct times t = {0};
    double start, all, mine = 0;

    if (!row || !arrival) {
        fail("out of memory");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    for (int k = 0; k < p->steps; k++) {
        run_step(p, k, comm, is_plain, row, &arrival[k]);
        mine += (MPI_Wtime() - arrival[k]) / p->steps;
        compute(p, k);
    }
    all = MPI_Wtime() - start;
    MPI_Reduce(&all, &t.all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &t.in_bcast, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    t.in_bcast /= size;
    judge(p, arrival, &t);
    free(arrival);
    free(row);
    return t;
}

static void run_algorithm(const struct program *p, const char *name)
{
    const int is_plain = strcmp(name, "plain") == 0;
    struct times t;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(MPI_COMM_WORLD);
    setenv("HITOP_BCAST", is_plain ? "auto" : name, 1);
    t = run(p, comm, is_plain);
    if (rank == 0) {
        printf("%-10s %10.6f %10.2f %10.2f %10.2f\n", name, t.all, t.in_bcast * 1e6, t.spread * 1e6,
               t.root * 1e6);
        for (int b = 0; b < NBINS && p->width_us > 0; b++) {
            printf("arrivals %-10s %10.1f %.6f\n", name, (b + 0.5) * p->width_us, t.share[b]);
        }
        fflush(stdout);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    struct program p;

    if (argc < 7 || argc > 8) {
        fprintf(stderr, "usage: application STEPS BYTES COMPUTE_US NOISE_US BLOCK "
                        "ALGORITHM[,ALGORITHM...] [WIDTH_US]\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    p = (struct program){.steps = atoi(argv[1]),
                         .bytes = atoi(argv[2]),
                         .compute_us = strtod(argv[3], NULL),
                         .noise_us = strtod(argv[4], NULL),
                         .width_us = argc > 7 ? strtod(argv[7], NULL) : 0,
                         .block = atoi(argv[5])};
    if (p.steps < 1 || p.bytes < 1 || p.block < 1) {
        fail("STEPS, BYTES and BLOCK are at least 1");
    }
    /* simulated ranks share the arguments: nothing is written there */
    for (const char *next = argv[6]; *next; next += strspn(next, ",")) {
        char name[32];

        (void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(next, ","), next);
        next += strcspn(next, ",");
        run_algorithm(&p, name);
    }
    MPI_Finalize();
    return 0;
}
