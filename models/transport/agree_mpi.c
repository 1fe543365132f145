/* SPDX-License-Identifier: BSD-3-Clause */
/* agree_mpi.c - the failure of any rank becomes the failure of all. */
#include <config.h>

#include "models/transport/agree_mpi.h"
#include "models/transport/transport_mpi.h"

enum hitop_status agree_mpi(MPI_Comm comm, enum hitop_status own, struct hitop_diag *diag)
{
    int mine = (int)own, worst = HITOP_OK;
    const int code = MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MIN, comm);

    if (code != MPI_SUCCESS) {
        return transport_check(code, "agreeing with all ranks", own == HITOP_OK ? diag : NULL);
    }
    if (own != HITOP_OK || worst == HITOP_OK) {
        return own;
    }
    return hitop_fail(diag, (enum hitop_status)worst, "another rank reports: %s",
                      hitop_status_str((enum hitop_status)worst));
}
