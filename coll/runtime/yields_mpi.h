/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef YIELDS_MPI_H
#define YIELDS_MPI_H

/*
 * yields_mpi.h - keep MPI from yielding the processor.
 *
 * Open MPI yields in a call that has progressed messages but completed none, and returns only when
 * it has the processor again: on a busy host every message that arrives then costs a time slice of
 * all other processes. So Hitop disables this during its operations, which yield by themselves when
 * nothing has arrived. No such function of another MPI library is known; with those nothing
 * changes.
 */

/*
 * Disable yields of MPI until all callers have passed the result to hitop_mpi_release_yields(),
 * which then restores the setting. Calls may be nested, and threads may call at the same time.
 */
int hitop_mpi_hold_yields(void);
void hitop_mpi_release_yields(int held);

#endif /* YIELDS_MPI_H */
