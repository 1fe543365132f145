/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leaders.c - when the leaders of nodes come to broadcasts, on a simulated machine.
 *
 * usage: leaders INTERVAL_US REPEATS p-bt|cp-bt BINS, under smpirun
 *
 * Each rank comes some time of 0..INTERVAL_US after the others (late.h) to broadcasts of 8 bytes.
 * For the leader of each node but the root's the share of the interval after which it comes is
 * counted: with cp-bt the rank that the library elects, with p-bt the first rank of the node. Per
 * bin one line: its middle, and the density, which is 1 where all times are equally frequent.
 *
 * Source: figure 6 of Liu, Song et al., Journal of Software 22 (2011).
 */
#include <config.h>

#include "bench/paper/late.h"
#include "coll/twolevel/comm_state_mpi.h"
#include "hitop/bcast_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BINS = 100 };

static void fail(const char *what)
{
    fprintf(stderr, "leaders: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* One broadcast: 1 if the library elects this rank as the leader of its node. */
static int broadcast(double delay_us)
{
    const struct hitop_comm *c = hitop_comm_state(MPI_COMM_WORLD);
    unsigned char data[8] = "message";
    uint64_t before;

    if (!c) {
        fail("MPI_COMM_WORLD has no state");
    }
    before = c->stats.counts[HITOP_COUNT_ELECTIONS];
    late_begin(delay_us);
    if (hitop_bcast(data, sizeof(data), MPI_BYTE, 0, MPI_COMM_WORLD) != MPI_SUCCESS) {
        fail("a broadcast failed");
    }
    return c->stats.counts[HITOP_COUNT_ELECTIONS] > before;
}

/* Does this rank lead its node in an operation in which it is elected or not? */
static int leads(int is_competitive, int elected)
{
    const struct hitop_comm *c = hitop_comm_state(MPI_COMM_WORLD);
    const int led = is_competitive ? elected : c->local == 0 && c->node != c->node_of[0];
    int all;

    MPI_Allreduce(&led, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (all != c->nnodes - 1) {
        fail("a node has no leader, or two");
    }
    return led;
}

/* Counts the leaders in bins of equal width; returns their number. */
static double count(double interval_us, int repeats, int is_competitive, int nbins, double *counts)
{
    double mine[MOST_BINS] = {0}, all = 0;
    double *share = late_draw(repeats);

    (void)broadcast(0); /* prepares the communicator */
    for (int k = 0; k < repeats; k++) {
        if (leads(is_competitive, broadcast(interval_us * share[k]))) {
            mine[(int)(share[k] * nbins)]++;
        }
    }
    MPI_Reduce(mine, counts, nbins, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    for (int b = 0; b < nbins; b++) {
        all += counts[b];
    }
    free(share);
    return all;
}

int main(int argc, char **argv)
{
    const int nbins = argc == 5 ? atoi(argv[4]) : 0;
    double counts[MOST_BINS] = {0}, all;
    int rank;

    if (nbins < 1 || nbins > MOST_BINS || strtod(argv[1], NULL) <= 0 || atoi(argv[2]) < 1 ||
        (strcmp(argv[3], "p-bt") != 0 && strcmp(argv[3], "cp-bt") != 0)) {
        fprintf(stderr, "usage: leaders INTERVAL_US REPEATS p-bt|cp-bt BINS, at most %d bins\n",
                (int)MOST_BINS);
        return 2;
    }
    setenv("HITOP_BCAST", argv[3], 1);
    setenv("HITOP_LAZY", "0", 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    all = count(strtod(argv[1], NULL), atoi(argv[2]), strcmp(argv[3], "cp-bt") == 0, nbins, counts);
    for (int b = 0; b < nbins && rank == 0; b++) {
        printf("%.4f %.4f\n", (b + 0.5) / nbins, counts[b] / all * nbins);
    }
    MPI_Finalize();
    return 0;
}
