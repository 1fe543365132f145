/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VALIDATE_TIME_MPI_H
#define VALIDATE_TIME_MPI_H

/* validate_time_mpi.h - how long a plan takes over MPI. */

#include "hitop/sched.h"
#include "hitop/status.h"

#include <mpi.h>

struct hitop_common_clock; /* models/clock/clocks_mpi.h */

/* Known well enough, or as well as the budget allows. Alike on all ranks. */
struct validate_timed {
    double seconds, lo, hi;
    int nsamples, converged;
    int after_barrier; /* 1: it began after a barrier */
};

/* When a measurement is good enough. */
struct validate_precision {
    double eps;                     /* wanted half width of the interval, relative */
    double budget;                  /* seconds, > 0 */
    int (*interrupted)(void *data); /* asked at rank 0: 1, and what is known must do */
    void *interrupted_data;
};

/*
 * The median time from the start time, at which all ranks begin, until the last rank ends its plan.
 * If ranks miss too many start times, repetitions begin after a barrier, at the start of the first
 * rank. Collective.
 *
 * comm  for the messages of the plan only
 * mine  the plan of this rank, which ends with a fence
 */
HITOP_MUST_CHECK enum hitop_status validate_time(const struct hitop_common_clock *clock,
                                                 MPI_Comm comm, const struct hitop_sched *mine,
                                                 const struct validate_precision *precision,
                                                 struct validate_timed *out,
                                                 struct hitop_diag *diag);

#endif /* VALIDATE_TIME_MPI_H */
