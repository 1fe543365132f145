/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_BCAST_MPI_H
#define HITOP_BCAST_MPI_H

/**
 * @file bcast_mpi.h
 * @brief Broadcast in two levels: along a tree of nodes mapped by a model, then in shared memory.
 *
 * A drop-in for MPI_Bcast, called explicitly; preloading libhitop_coll.so does the same to programs that
 * call MPI_Bcast. The first calls on a communicator go to MPI, then the communicator is prepared once
 * (private communicator, shared memory, agreement of all its ranks); where that is impossible every call
 * goes to MPI for ever.
 *
 * Environment: HITOP_MODEL names the model file (read by rank 0 of each communicator); HITOP_COLL=off
 * sends everything to MPI; HITOP_LAZY is the number of calls that go to MPI first (3); HITOP_VERBOSE=1
 * says on stderr what was prepared or why not.
 */

#include "hitop/status.h"

#include <mpi.h>

HITOP_BEGIN_DECLS

/**
 * As MPI_Bcast(), including its errors: they go through the error handler of @p comm.
 *
 * @return MPI_SUCCESS or an MPI error code; MPI_ERR_TRUNCATE on ranks that see another length than
 *         their own, which get the bytes that fit
 */
HITOP_API int hitop_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);

/** How many broadcasts this process has served itself, that is, not left to MPI. */
HITOP_API unsigned long long hitop_bcast_served(void);

HITOP_END_DECLS

#endif /* HITOP_BCAST_MPI_H */
