/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef YIELDS_MPI_H
#define YIELDS_MPI_H

/*
 * yields_mpi.h - does MPI give the processor away, too?
 *
 * Open MPI yields in a call that has moved messages but has not finished any, and tells nothing
 * before it has the processor again: on a busy host that is a turn of everybody else for each
 * message that comes. So it is told not to for as long as an operation of ours lasts, which yields
 * by itself when nothing has come.
 */

/*
 * 1: a call that looks for messages and finds none yields its processor, whatever it is told. Open
 * MPI yields where it knows of more processes than processors, or is told to (mpi_yield_when_idle);
 * what another library does is not known, 0.
 */
int hitop_mpi_yields(void);

/*
 * MPI shall not yield until the same caller releases it with what it got here: 1 when MPI did, 0
 * when it did not or others hold it already, whose release is enough. From the first call of
 * hitop_mpi_yields() on.
 */
int hitop_mpi_hold_yields(void);
void hitop_mpi_release_yields(int held);

#endif /* YIELDS_MPI_H */
