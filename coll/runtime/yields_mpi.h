/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef YIELDS_MPI_H
#define YIELDS_MPI_H

/*
 * yields_mpi.h - does MPI yield the processor, too?
 *
 * Open MPI yields in a call that has progressed messages but completed none, and returns only when
 * it has the processor again: on a busy host every message that arrives then costs a time slice of
 * all other processes. So Hitop disables this during its operations, which yield by themselves when
 * nothing has arrived.
 */

/*
 * 1: a call that probes for messages and finds none yields its processor, and Hitop cannot disable
 * that. Open MPI yields where it knows of more processes than processors, or where
 * mpi_yield_when_idle is set; for other libraries this is unknown, 0.
 */
int hitop_mpi_yields(void);

/*
 * Disable yields of MPI until the caller passes the result to hitop_mpi_release_yields(). 1: MPI
 * did yield. 0: it did not, or another caller has disabled its yields already and enables them
 * again. Has no effect before the first call of hitop_mpi_yields().
 */
int hitop_mpi_hold_yields(void);
void hitop_mpi_release_yields(int held);

#endif /* YIELDS_MPI_H */
