/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ONE_CLOCK_H
#define ONE_CLOCK_H

/*
 * one_clock.h - a common clock of all ranks, on one machine (even if they report different hosts)
 * or on several.
 */

#include <mpi.h>

/*
 * Where ranks have clocks of their own, or `compare` is set, learn how they belong together, which
 * takes a second or two; else, or without this call, one_clock_now() is the machine's. Collective.
 */
void one_clock_init(MPI_Comm comm, int compare);
void one_clock_fini(void);

/* Seconds; MPI_Wtime() of Open MPI counts from each process's own start. */
double one_clock_now(void);

/*
 * Sleep, then watch the clock: spinning ranks would keep others from a shared processor. Until
 * shortly before the end MPI goes on with what other ranks may still wait for, unless comm is
 * MPI_COMM_NULL. Returns the time of another look, at or after `when`: what follows has not to
 * leave a loop first.
 */
double one_clock_wait(double when, MPI_Comm comm);

#endif /* ONE_CLOCK_H */
