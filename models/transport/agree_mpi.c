/* SPDX-License-Identifier: BSD-3-Clause */
/* agree_mpi.c - see agree_mpi.h. */
#include <config.h>

#include "models/transport/agree_mpi.h"

#include <limits.h>
#include <stdlib.h>

enum hitop_status hitop_transport_check(int code, const char *what, struct hitop_diag *diag)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;

    if (code == MPI_SUCCESS) {
        return HITOP_OK;
    }
    (void)MPI_Error_string(code, text, &length);
    return hitop_fail(diag, HITOP_ERR_MPI, "%s: %.300s", what, text);
}

enum hitop_status hitop_agree_mpi(MPI_Comm comm, enum hitop_status own, struct hitop_diag *diag)
{
    return own == HITOP_ERR_MPI ? own : hitop_agree_on_local(comm, own, diag);
}

enum hitop_status hitop_agree_on_local(MPI_Comm comm, enum hitop_status own,
                                       struct hitop_diag *diag)
{
    int mine = (int)own, worst = HITOP_OK;
    const int code = MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MIN, comm);
    if (code != MPI_SUCCESS) {
        return hitop_transport_check(code, "agreeing with all ranks",
                                     own == HITOP_OK ? diag : NULL);
    }
    if (own != HITOP_OK || worst == HITOP_OK) {
        return (enum hitop_status)worst;
    }
    return hitop_fail(diag, (enum hitop_status)worst, "another rank reports: %s",
                      hitop_status_str((enum hitop_status)worst));
}

enum hitop_status hitop_share_bytes_mpi(MPI_Comm comm, void *data, size_t length,
                                        struct hitop_diag *diag)
{
    int code = MPI_SUCCESS;

    for (size_t done = 0; done < length && code == MPI_SUCCESS;) {
        const size_t rest = length - done, n = rest < INT_MAX ? rest : INT_MAX;
        code = MPI_Bcast((char *)data + done, (int)n, MPI_BYTE, 0, comm);
        done += n;
    }
    return hitop_transport_check(code, "broadcasting from rank 0", diag);
}

enum hitop_status hitop_share_text_mpi(MPI_Comm comm, char **text, size_t *length,
                                       struct hitop_diag *diag)
{
    unsigned long long n = *length;
    int rank;
    enum hitop_status status = hitop_share_bytes_mpi(comm, &n, sizeof(n), diag);

    if (status != HITOP_OK) {
        return status;
    }
    *length = (size_t)n;
    (void)MPI_Comm_rank(comm, &rank);
    if (rank != 0) {
        *text = malloc(*length + 1);
    }
    status = hitop_agree_mpi(
        comm, *text ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "sharing a text: out of memory"),
        diag);
    return status == HITOP_OK ? hitop_share_bytes_mpi(comm, *text, *length, diag) : status;
}
