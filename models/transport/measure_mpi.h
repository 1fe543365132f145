/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASURE_MPI_H
#define MEASURE_MPI_H

/**
 * @file measure_mpi.h
 * @brief Measurement over MPI.
 */

#include "models/transport/payload.h"

#include "hitop/sys/transport.h"

#include <mpi.h>

/**
 * Open the transport of a communicator. Collective; works on a private duplicate, so messages of
 * the program and of the measurement never mix.
 *
 * @param payload  of the messages that are timed, lent until the transport is closed, of one policy
 *                 on all ranks; NULL: memory of its own, HITOP_CACHE_HOT
 * @param out      to be closed with its close(), collectively, before MPI_Finalize()
 */
HITOP_MUST_CHECK enum hitop_status hitop_transport_mpi(MPI_Comm comm, struct hitop_payload *payload,
                                                       struct hitop_transport *out,
                                                       struct hitop_diag *diag);

#endif /* MEASURE_MPI_H */
