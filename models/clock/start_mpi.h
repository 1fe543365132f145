/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef START_MPI_H
#define START_MPI_H

/* start_mpi.h - all ranks begin at one moment, as a timing method defines it. */

#include "models/clock/clocks_mpi.h"
#include "models/clock/timing.h"

struct starter {
    const struct hitop_common_clock *clock;
    /* one-barrier instead of window, once ranks missed too many start times */
    const struct hitop_timing *method;
    double barrier; /* of this rank: seconds of a barrier, where the method confirms; else 0 */
    double margin;  /* at rank 0: seconds from the choice of a start time to the start */
    double least;   /* least margin */
    int late_in_a_row;
    unsigned long long random; /* at rank 0: state of the generator of random shifts */
};

/*
 * Set the method, and the margin from the time that broadcasts take with this clock. If the clock
 * has given up start times, a barrier replaces them.
 */
void hitop_starter_prepare(struct starter *s, const struct hitop_common_clock *clock,
                           const struct hitop_timing *method);

/*
 * Measure the time of a barrier, where the method confirms: the median of n barriers, but of 20 at
 * least and 100 at most, so that no single late barrier is subtracted from few calls. Else nothing
 * happens. Collective.
 */
enum hitop_status hitop_starter_time_barrier(struct starter *s, int n, struct hitop_diag *diag);

/*
 * Returns after the barriers of the method, or at the start time of rank 0; *late becomes 1 if the
 * start time is over, or farther ahead than twice the margin. Collective.
 */
enum hitop_status hitop_starter_begin(struct starter *s, int *late, struct hitop_diag *diag);

/* Behind the operation: the barrier of a method that confirms; else nothing. Collective. */
enum hitop_status hitop_starter_confirm(struct starter *s, struct hitop_diag *diag);

/*
 * Adapt the margin. was_late: 1 if any rank was late, the same on all ranks. Returns 1 when
 * the method has changed.
 */
int hitop_starter_learn(struct starter *s, int was_late);

#endif /* START_MPI_H */
