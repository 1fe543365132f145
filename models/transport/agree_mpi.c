/* SPDX-License-Identifier: BSD-3-Clause */
/* agree_mpi.c - report errors of MPI, and make all ranks fail if one of them does. */
#include <config.h>

#include "models/transport/agree_mpi.h"

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
    int mine = (int)own, worst = HITOP_OK, code;

    if (own == HITOP_ERR_MPI) {
        return own;
    }
    code = MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MIN, comm);
    if (code != MPI_SUCCESS) {
        return hitop_transport_check(code, "agreeing with all ranks",
                                     own == HITOP_OK ? diag : NULL);
    }
    if (own != HITOP_OK || worst == HITOP_OK) {
        return own;
    }
    return hitop_fail(diag, (enum hitop_status)worst, "another rank reports: %s",
                      hitop_status_str((enum hitop_status)worst));
}
