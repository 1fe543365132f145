/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OPS_MPI_H
#define OPS_MPI_H

/* ops_mpi.h - which operations take which datatypes, by asking MPI. */

#include <mpi.h>

/* 0: a reduction with these is an error, which is MPI's to report. */
int ops_take(MPI_Op op, MPI_Datatype type);

/* MPI ends. */
void ops_release(void);

#endif /* OPS_MPI_H */
