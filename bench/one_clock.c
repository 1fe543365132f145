/* SPDX-License-Identifier: BSD-3-Clause */
/* one_clock.c - the monotonic clock, and waiting for it. */
#include "one_clock.h"

#include <sched.h>
#include <time.h>

double one_clock_now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void one_clock_wait(double when, MPI_Comm comm)
{
    double left;

    while ((left = when - one_clock_now()) > 0) {
        if (left > 20e-6) {
            int flag;
            (void)PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
            (void)sched_yield();
        }
        if (left > 250e-6) {
            const double nap = left > 1150e-6 ? 1e-3 : left - 150e-6;
            const struct timespec t = {0, (long)(nap * 1e9)};
            (void)nanosleep(&t, NULL);
        }
    }
}
