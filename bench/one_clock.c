/* SPDX-License-Identifier: BSD-3-Clause */
/* one_clock.c - a clock common to all ranks, and waiting for it. */
#include <config.h>

#include "bench/one_clock.h"

#include "bench/ticks.h"

#include "hierarchy/job/machine.h"

#include "models/clock/clocks_mpi.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

/* Seconds that one is awake before the end of a wait: sleepers wake that late on virtual machines.
 */
#define AWAKE 60e-6

/* And that one looks at nothing but the clock: a yield alone takes half a microsecond there. */
#define INTENT 3e-6

static struct hitop_common_clock *common; /* NULL: the machine's clock */
static double tick; /* seconds of the processors' counter; 0: it is not used */

/* Ranks of one machine take its counter, by one measure of all, if all may. */
static void take_ticks(MPI_Comm comm)
{
    int are_common = ticks_are_common(), rank;

    PMPI_Comm_rank(comm, &rank);
    PMPI_Allreduce(MPI_IN_PLACE, &are_common, 1, MPI_INT, MPI_MIN, comm);
    tick = are_common && rank == 0 ? ticks_measure() : 0;
    PMPI_Bcast(&tick, 1, MPI_DOUBLE, 0, comm);
}

void one_clock_init(MPI_Comm comm, int compare)
{
    const struct hitop_clock local = hitop_clock_monotonic();
    struct hitop_clock_options options;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    uint64_t range[2] = {hitop_machine_number()};

    (void)prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); /* naps end when they shall */
    range[1] = ~range[0];
    PMPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_UINT64_T, MPI_MAX, comm);
    if (range[0] == ~range[1] && !compare) {
        take_ticks(comm);
        return;
    }
    hitop_clock_defaults(&options);
    if (hitop_common_clock_create(comm, &local, &options, &common, &diag) != HITOP_OK) {
        fprintf(stderr, "%s\n", diag.message);
        MPI_Abort(comm, 1);
    }
}

void one_clock_fini(void)
{
    hitop_common_clock_free(common);
    common = NULL;
    tick = 0;
}

/* At the clock, perhaps before loads that come earlier are done. */
static double glance(void)
{
    struct timespec t;

    if (tick > 0) {
        return tick * (double)ticks_now();
    }
    if (common) {
        return hitop_common_clock_now(common);
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double one_clock_now(void)
{
    ticks_fence();
    return glance();
}

double one_clock_wait(double when, MPI_Comm comm)
{
    double left;

    while ((left = when - glance()) > 0) {
        if (left > 20e-6 && comm != MPI_COMM_NULL) {
            int flag;
            (void)PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
        }
        if (left > INTENT) {
            (void)sched_yield();
        }
        if (left > 2 * AWAKE) {
            const double nap = left > 1e-3 + AWAKE ? 1e-3 : left - AWAKE;
            const struct timespec t = {0, (long)(nap * 1e9)};
            (void)nanosleep(&t, NULL);
        }
    }
    return glance();
}
