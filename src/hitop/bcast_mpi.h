/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_BCAST_MPI_H
#define HITOP_BCAST_MPI_H

/**
 * @file bcast_mpi.h
 * @brief Broadcast in two levels: along a tree of nodes mapped by a model, then in shared memory.
 *
 * A drop-in replacement of MPI_Bcast for explicit calls; preloading libhitop_coll.so into all
 * processes of a job replaces MPI_Bcast in C and Fortran programs. The first calls on a
 * communicator go to MPI, then the communicator is prepared once (private communicator, shared
 * memory, agreement of all its ranks). If that is impossible all calls go to MPI.
 *
 * Environment: see hitop(7). If variables differ between ranks, the ranks of a communicator agree
 * on a value. A wrong value is reported by one line, and all calls go to MPI; a wrong file or an
 * unknown algorithm is reported and not used.
 */

#include "hitop/status.h"

#include <mpi.h>

HITOP_BEGIN_DECLS

/**
 * As MPI_Bcast(), including its errors: they go through the error handler of @p comm.
 *
 * @return MPI_SUCCESS or an MPI error code; MPI_ERR_TRUNCATE on ranks whose length differs from
 * that of the root; these receive the bytes that fit
 */
HITOP_API int hitop_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);

#if MPI_VERSION >= 4
/** The same with a large count, as MPI_Bcast_c(). */
HITOP_API int hitop_bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                            MPI_Comm comm);
#endif

/** Number of broadcasts of this process that were not left to MPI. */
HITOP_API unsigned long long hitop_bcast_served(void);

HITOP_END_DECLS

#endif /* HITOP_BCAST_MPI_H */
