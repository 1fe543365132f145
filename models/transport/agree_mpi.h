/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGREE_MPI_H
#define AGREE_MPI_H

/* agree_mpi.h - report errors of MPI, and make all ranks fail if one of them does. */

#include "hitop/status.h"

#include <mpi.h>

/* HITOP_OK for MPI_SUCCESS; else HITOP_ERR_MPI, with the text of MPI_Error_string() in diag. */
enum hitop_status hitop_transport_check(int code, const char *what, struct hitop_diag *diag);

/*
 * Every rank of a communicator passes its own status. If any rank has failed, all ranks return a
 * failure; diag keeps the rank's own reason. HITOP_ERR_MPI returns at once, without messages.
 */
enum hitop_status hitop_agree_mpi(MPI_Comm comm, enum hitop_status own, struct hitop_diag *diag);

#endif /* AGREE_MPI_H */
