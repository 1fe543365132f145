/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ONE_CLOCK_H
#define ONE_CLOCK_H

/* one_clock.h - time that all ranks of one machine share, whatever hosts they believe to be on. */

#include <mpi.h>

/* Seconds; MPI_Wtime() of Open MPI counts from each process's own start. */
double one_clock_now(void);

/*
 * Sleep, then watch the clock: spinning ranks would keep others from a shared processor. Until shortly before the end
 * MPI goes on with what other ranks may still wait for.
 */
void one_clock_wait(double when, MPI_Comm comm);

#endif /* ONE_CLOCK_H */
