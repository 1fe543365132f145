/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef START_MPI_H
#define START_MPI_H

/* start_mpi.h - all ranks begin at one moment. */

#include "models/clock/clocks_mpi.h"

struct starter {
    const struct hitop_common_clock *clock;
    double margin; /* at rank 0: time from an appointment to the start */
    double least;  /* of it */
    int late_in_a_row;
    unsigned long long random; /* at rank 0: by how much appointments are put off */
    int by_barrier;            /* appointments are not kept: a barrier has to do */
};

/* Set the distance of start times from the broadcasts of the clock comparison; without start times
 * if this clock has given them up. */
void hitop_starter_prepare(struct starter *s, const struct hitop_common_clock *clock);

/* Returns at the start time of rank 0; *late becomes 1 when it is over, or farther away than
 * possible. Collective. */
enum hitop_status hitop_starter_begin(struct starter *s, int *late, struct hitop_diag *diag);

/* Whether any rank was late, which all ranks know alike. Returns 1 when by_barrier has changed. */
int hitop_starter_learn(struct starter *s, int was_late);

#endif /* START_MPI_H */
