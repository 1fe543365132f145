/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef YIELDS_MPI_H
#define YIELDS_MPI_H

/* yields_mpi.h - does MPI give the processor away, too? */

/*
 * 1: a call that looks for messages and finds none yields its processor. Open MPI does so where it knows of more
 * processes than processors, or is told to (mpi_yield_when_idle); what another library does is not known, 0.
 */
int hitop_mpi_yields(void);

#endif /* YIELDS_MPI_H */
