/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AGREE_MPI_H
#define AGREE_MPI_H

/*
 * agree_mpi.h - report errors of MPI, make all ranks fail if one of them does, and send them what
 * rank 0 has read.
 */

#include "hitop/status.h"

#include <mpi.h>
#include <stddef.h>

/* HITOP_OK for MPI_SUCCESS; else HITOP_ERR_MPI, with the text of MPI_Error_string() in diag. */
enum hitop_status hitop_transport_check(int code, const char *what, struct hitop_diag *diag);

/*
 * Every rank of a communicator passes its own status. If any rank has failed, all ranks return the
 * worst status, which is the smallest number; diag keeps the rank's own reason.
 *
 * HITOP_ERR_MPI returns at once, without messages, because comm may not work any more: the other
 * ranks get an error of MPI or wait, until the program aborts.
 */
enum hitop_status hitop_agree_mpi(MPI_Comm comm, enum hitop_status own, struct hitop_diag *diag);

/*
 * The same, but a rank with HITOP_ERR_MPI takes part, too: for calls that can fail at one rank and
 * leave comm as it was, such as MPI_Comm_dup().
 */
enum hitop_status hitop_agree_on_local(MPI_Comm comm, enum hitop_status own,
                                       struct hitop_diag *diag);

/* All ranks get `length` bytes of rank 0, in pieces that MPI can count. Collective. */
enum hitop_status hitop_share_bytes_mpi(MPI_Comm comm, void *data, size_t length,
                                        struct hitop_diag *diag);

/*
 * All ranks get *text of rank 0, with its *length, which other ranks need not know before; *text is
 * NULL there. Each rank frees its text, also on failure. If a rank has no memory, or rank 0 no
 * text, all return HITOP_ERR_NOMEM. Collective.
 */
enum hitop_status hitop_share_text_mpi(MPI_Comm comm, char **text, size_t *length,
                                       struct hitop_diag *diag);

#endif /* AGREE_MPI_H */
