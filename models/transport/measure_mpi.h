/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASURE_MPI_H
#define MEASURE_MPI_H

/**
 * @file measure_mpi.h
 * @brief The transport that measures over MPI.
 */

#include "models/transport/payload.h"

#include "hitop/sys/transport.h"

#include <mpi.h>

/**
 * Open the transport of a communicator. Collective. The transport duplicates the communicator, so
 * that messages of the program and of the measurement never mix.
 *
 * @param payload  buffers of the messages that are timed, with the same policy on all ranks;
 *                 borrowed until the transport is closed. NULL: the transport allocates buffers
 *                 with HITOP_CACHE_HOT
 * @param out      the transport; all ranks call its close() before MPI_Finalize()
 */
HITOP_MUST_CHECK enum hitop_status hitop_transport_mpi(MPI_Comm comm, struct hitop_payload *payload,
                                                       struct hitop_transport *out,
                                                       struct hitop_diag *diag);

#endif /* MEASURE_MPI_H */
