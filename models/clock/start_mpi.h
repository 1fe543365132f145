/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef START_MPI_H
#define START_MPI_H

/* start_mpi.h - all ranks begin at one moment. */

#include "models/clock/clocks_mpi.h"

struct starter {
    const struct hitop_common_clock *clock;
    double margin; /* at rank 0: seconds from the choice of a start time to the start */
    double least;  /* least margin */
    int late_in_a_row;
    unsigned long long random; /* at rank 0: state of the generator of random shifts */
    int by_barrier;            /* 1: ranks missed too many start times; barriers replace them */
};

/*
 * Set the margin from the time that broadcasts take with this clock. If it has given up start
 * times, barriers replace them.
 */
void hitop_starter_prepare(struct starter *s, const struct hitop_common_clock *clock);

/*
 * Returns at the start time of rank 0; *late becomes 1 if the start time is over, or farther ahead
 * than twice the margin. Collective.
 */
enum hitop_status hitop_starter_begin(struct starter *s, int *late, struct hitop_diag *diag);

/*
 * Adapt the margin. was_late: 1 if any rank was late, the same on all ranks. Returns 1 when
 * by_barrier has changed.
 */
int hitop_starter_learn(struct starter *s, int was_late);

#endif /* START_MPI_H */
