/* SPDX-License-Identifier: BSD-3-Clause */
/* api_mpi.c - Hitop's own collectives: MPI's argument lists as calls; what served the last one. */
#include <config.h>

#include "hitop/collectives_mpi.h"

#include "coll/runtime/plans_mpi.h"
#include "coll/runtime/signatures_mpi.h"
#include "coll/twolevel/comm_state_mpi.h"
#include "coll/twolevel/dispatch_mpi.h"

#define DEFINE(Name, name, OPERATION, parameters, arguments, send, recv, op, root)                 \
    int hitop_##name parameters                                                                    \
    {                                                                                              \
        const struct call call = {HITOP_##OPERATION, send, recv, op, root, comm};                  \
                                                                                                   \
        return hitop_dispatch_run(&call, DISPATCH_PLANS);                                          \
    }

OTHER_COLLECTIVES(DEFINE) /* broadcasts are in bcast_mpi.c */

int hitop_call_bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    const struct call_side message = even(buffer, count, type);
    const struct call call = {HITOP_BCAST, message, message, MPI_OP_NULL, root, comm};

    return hitop_call_run(&call, 0, NULL);
}

const char *hitop_coll_last(MPI_Comm comm)
{
    const struct hitop_comm *c = comm == MPI_COMM_NULL ? NULL : hitop_comm_state(comm);
    const struct plans *p;

    if (c && c->served_by) {
        return c->served_by;
    }
    p = hitop_plans_of(comm);
    return p ? p->last : "";
}
