/* SPDX-License-Identifier: BSD-3-Clause */
/* preload_mpi.c - the C functions of collectives that libhitop_coll.so intercepts. */
#include <config.h>

#include "coll/intercept/disabled_mpi.h"
#include "coll/runtime/signatures_mpi.h"
#include "coll/twolevel/serve_mpi.h"
#include "hitop/bcast_mpi.h"

#define TAKE_OVER(Name, name, OPERATION, parameters, arguments, send, recv, op, root)              \
    HITOP_API int MPI_##Name parameters;                                                           \
                                                                                                   \
    int MPI_##Name parameters                                                                      \
    {                                                                                              \
        const struct call call = {HITOP_##OPERATION, send, recv, op, root, comm};                  \
                                                                                                   \
        if (hitop_intercept_disabled & 1u << HITOP_##OPERATION) {                                  \
            return hitop_fallback.name arguments;                                                  \
        }                                                                                          \
        return hitop_dispatch_run(&call, DISPATCH_MPI);                                            \
    }

OTHER_COLLECTIVES(TAKE_OVER)

HITOP_API int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    if (hitop_intercept_disabled & 1u << HITOP_BCAST) {
        return hitop_fallback.bcast(buffer, count, type, root, comm);
    }
    return hitop_bcast(buffer, count, type, root, comm);
}

#if HITOP_MPI_LARGE_COUNTS
HITOP_API int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root,
                          MPI_Comm comm);

int MPI_Bcast_c(void *buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm)
{
    if (hitop_intercept_disabled & 1u << HITOP_BCAST) {
        return hitop_fallback.bcast_c(buffer, count, type, root, comm);
    }
    return hitop_bcast_c(buffer, count, type, root, comm);
}
#endif
