/* SPDX-License-Identifier: BSD-3-Clause */
/* dispatch_mpi.c - see dispatch_mpi.h. */
#include <config.h>

#include "dispatch_mpi.h"

#include "../runtime/plans_mpi.h"
#include "serve_mpi.h"
#include "stats_mpi.h"
#include "watchdog_mpi.h"

/* NULL: never in two levels. Broadcasts have a way of their own (bcast_mpi.c). */
static const struct serve *const served[HITOP_NOPERATIONS] = {
    [HITOP_ALLGATHER] = &serve_allgather, [HITOP_ALLGATHERV] = &serve_allgather,
    [HITOP_ALLREDUCE] = &serve_allreduce, [HITOP_ALLTOALL] = &serve_alltoall,
    [HITOP_BARRIER] = &serve_barrier,     [HITOP_GATHER] = &serve_gather,
    [HITOP_GATHERV] = &serve_gatherv,     [HITOP_REDUCE] = &serve_reduce,
    [HITOP_SCATTER] = &serve_scatter,     [HITOP_SCATTERV] = &serve_scatterv,
};

/* What is not ours; `c` is the communicator's state if it has any. */
static int other(struct hitop_comm *c, const struct call *call, enum dispatch_otherwise otherwise)
{
    int code;

    if (!c) {
        return otherwise == DISPATCH_PLANS ? call_run(call) : call_leave_to_mpi(call);
    }
    watchdog_enter(c, call->operation, call->root, ++c->stats.left[call->operation]);
    code = otherwise == DISPATCH_PLANS ? call_run(call) : call_leave_to_mpi(call);
    watchdog_leave(c);
    return code;
}

int dispatch_run(const struct call *call, enum dispatch_otherwise otherwise)
{
    const struct serve *serve = served[call->operation];
    struct hitop_comm *c;
    int code;

    if (call->comm == MPI_COMM_NULL || plans_serve(call->comm, call->operation)) {
        return other(NULL, call, DISPATCH_PLANS);
    }
    c = serve ? hitop_comm_state(call->comm) : NULL;
    if (!c || c->mode == HITOP_COMM_PASS || !call_is_valid(call, c->rank, c->size) ||
        !hitop_comm_enter(c, call->comm) || !serve->can(c, call)) {
        return other(c, call, otherwise);
    }
    if (c->mode == HITOP_COMM_BROKEN) {
        code = MPI_ERR_OTHER;
    } else {
        c->seq++;
        stats_call(c, call->operation);
        watchdog_call(c, call);
        watchdog_enter(c, call->operation, call->root, 0);
        code = serve->run(c, call);
        watchdog_leave(c);
        watchdog_call(c, NULL);
    }
    if (code != MPI_SUCCESS) {
        (void)PMPI_Comm_call_errhandler(call->comm, code);
    }
    return code;
}
