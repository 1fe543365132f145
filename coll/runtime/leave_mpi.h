/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LEAVE_MPI_H
#define LEAVE_MPI_H

/*
 * leave_mpi.h - where calls go that are not served: to the MPI library, or to the tool that comes behind a preloaded
 * library.
 */

#include "coll/runtime/signatures_mpi.h"

#define LEAVE_MEMBER(Name, name, OPERATION, parameters, ...) int(*name) parameters;

struct leave {
    COLLECTIVES(LEAVE_MEMBER)
#if MPI_VERSION >= 4
    int (*bcast_c)(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
#endif
};

#undef LEAVE_MEMBER

/*
 * PMPI_*, so that explicit calls of Hitop never come back to what somebody put in front of MPI, Hitop's own preloaded
 * library included; that one puts in the MPI_* behind it before main() runs.
 */
extern struct leave hitop_leave;

#endif /* LEAVE_MPI_H */
