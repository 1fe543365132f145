/* SPDX-License-Identifier: BSD-3-Clause */
/* late.c - draws times of arrival and waits for them. */
#include <config.h>

#include "bench/paper/late.h"

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void late_sleep(double us)
{
    if (us >= 1) {
        usleep((useconds_t)us);
    }
}

void late_begin(double delay_us)
{
    const double now = MPI_Wtime();
    double start;

    MPI_Allreduce(&now, &start, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    late_sleep((start + 1e-3 - MPI_Wtime()) * 1e6 + delay_us);
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
    int rank;
    uint64_t x;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    x = ((uint64_t)seed_of_test() << 32 | (uint64_t)rank) + 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= x >> 31;
    memcpy(state, &x, 3 * sizeof(*state));
}

double *late_draw(int n)
{
    unsigned short state[3];
    double *delay = malloc((size_t)n * sizeof(*delay) + 1);

    if (!delay) {
        fputs("late: out of memory\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    begin_draws(state);
    for (int k = 0; delay && k < n; k++) { /* each part has its place among those before it */
        const int place = (int)(nrand48(state) % (k + 1));
        delay[k] = delay[place];
        delay[place] = (k + erand48(state)) / n;
    }
    return delay;
}
