/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ALONE_MPI_H
#define ALONE_MPI_H

/* alone_mpi.h - what MPI takes, by asking it on this rank alone. */

#include <mpi.h>

/* 0: a reduction with these is an error, which is MPI's to report. */
int hitop_alone_takes(MPI_Op op, MPI_Datatype type);

/* 0: to communicate with this type is an error, until it is committed. */
int hitop_alone_takes_type(MPI_Datatype type);

/* MPI ends. */
void hitop_alone_release(void);

#endif /* ALONE_MPI_H */
