/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dispatch_mpi.c - choose what serves a call: two levels, plans or MPI; and define the functions
 * hitop_*().
 *
 * A plan serves the call where the program or its user names an algorithm; two levels where the
 * communicator is ready and the operation is possible; otherwise MPI or the fastest plan, see enum
 * dispatch_otherwise.
 */
#include <config.h>

#include "hitop/collectives_mpi.h"

#include "coll/runtime/plans_mpi.h"
#include "coll/runtime/signatures_mpi.h"
#include "coll/twolevel/serve_mpi.h"

/* NULL: never in two levels. bcast_mpi.c has the entry of broadcasts. */
static const struct serve *const served[HITOP_NOPERATIONS] = {
    [HITOP_ALLGATHER] = &hitop_serve_allgather, [HITOP_ALLGATHERV] = &hitop_serve_allgather,
    [HITOP_ALLREDUCE] = &hitop_serve_allreduce, [HITOP_ALLTOALL] = &hitop_serve_alltoall,
    [HITOP_BARRIER] = &hitop_serve_barrier,     [HITOP_GATHER] = &hitop_serve_gather,
    [HITOP_GATHERV] = &hitop_serve_gatherv,     [HITOP_REDUCE] = &hitop_serve_reduce,
    [HITOP_SCATTER] = &hitop_serve_scatter,     [HITOP_SCATTERV] = &hitop_serve_scatterv,
};

/* Serve by a plan: the program or its user names an algorithm, or the communicator has no state. */
static int named(const struct call *call)
{
    struct hitop_comm *c = call->comm == MPI_COMM_NULL ? NULL : hitop_comm_state(call->comm);

    if (c) {
        c->served_by = NULL;
    }
    return hitop_call_run(call, 0, NULL);
}

/* Number of calls that compare each plan with MPI; 0 while two levels may still become ready. */
static int plans_trial(struct hitop_comm *c, const struct call *call)
{
    if (served[call->operation] && c->mode == HITOP_COMM_COUNTING) {
        return 0;
    }
    if (!c->agreed && c->mode != HITOP_COMM_PASS && hitop_call_is_valid(call, c->rank, c->size)) {
        hitop_comm_agree(c, call->comm);
    }
    return c->agreed ? c->settings.trial : 0;
}

/* Serve a call without two levels; `c` is the communicator's state if it has one. */
static int other(struct hitop_comm *c, const struct call *call, enum dispatch_otherwise otherwise)
{
    int code;

    if (!c) {
        return otherwise == DISPATCH_PLANS ? named(call) : hitop_call_fallback(call);
    }
    c->served_by = otherwise == DISPATCH_PLANS ? NULL : "";
    watchdog_enter(c, call->operation, call->root, ++c->stats.left[call->operation]);
    code = otherwise == DISPATCH_PLANS ? hitop_call_run(call, plans_trial(c, call), &c->compared)
                                       : hitop_call_fallback(call);
    watchdog_exit(c);
    if (otherwise == DISPATCH_PLANS && hitop_plans_of(call->comm) &&
        hitop_plans_of(call->comm)->last[0]) {
        c->stats.left[call->operation]--;
        c->stats.served[call->operation]++;
    }
    return code;
}

/* Serve in two levels, on a communicator that is ready. */
static int serve_here(struct hitop_comm *c, const struct serve *serve, const struct call *call)
{
    int code;

    serve_begin(c, call->operation);
    c->watchdog.now = (struct hitop_current_call){.call = call};
    watchdog_enter(c, call->operation, call->root, 0);
    code = serve->run(c, call, serve);
    watchdog_exit(c);
    c->watchdog.now.call = NULL;
    return code;
}

/*
 * Serve by the faster of two levels and MPI, or by the one whose turn it is in the comparison.
 * *is_reported: 1 if MPI served the call, which reports its errors itself.
 */
RARELY static int serve_faster(struct hitop_comm *c, const struct serve *serve,
                               const struct call *call, int *is_reported)
{
    const struct compare_key key =
        hitop_compare_key_of(call, c->rank, c->size, c->node_of[call->root]);
    struct compare_turn turn;
    int code;

    watchdog_enter(c, call->operation, call->root, 0);
    *is_reported = hitop_compare_enter(&c->compare, &key, &turn) == COMPARE_MPI;
    watchdog_exit(c);
    code = *is_reported ? other(c, call, DISPATCH_MPI) : serve_here(c, serve, call);
    hitop_compare_exit(&turn, *is_reported ? NULL : c->served_by, code);
    return code;
}

/* A broadcast algorithm that the user names (HITOP_BCAST) is used without comparison. */
static int is_compared(const struct hitop_comm *c, enum hitop_operation_id operation)
{
    return c->compare.most > 0 &&
           (operation != HITOP_BCAST || c->settings.algorithm == HITOP_BCAST_AUTO);
}

int hitop_dispatch_by(const struct call *call, const struct serve *serve,
                      enum dispatch_otherwise otherwise)
{
    struct hitop_comm *c;
    int code, is_reported = 0;

    if (call->comm == MPI_COMM_NULL || plans_serve(call->comm, call->operation)) {
        return named(call);
    }
    c = serve || otherwise == DISPATCH_PLANS ? hitop_comm_state(call->comm) : NULL;
    if (!c || !serve || c->mode == HITOP_COMM_PASS ||
        !hitop_call_is_valid(call, c->rank, c->size) || !hitop_comm_enter(c, call->comm) ||
        !serve->can(c, call)) {
        return other(c, call, otherwise);
    }
    if (c->mode == HITOP_COMM_BROKEN) {
        code = MPI_ERR_OTHER;
    } else if (is_compared(c, call->operation)) {
        code = serve_faster(c, serve, call, &is_reported);
    } else {
        code = serve_here(c, serve, call);
    }
    if (code != MPI_SUCCESS && !is_reported) {
        (void)PMPI_Comm_call_errhandler(call->comm, code);
    }
    return code;
}

int hitop_dispatch_run(const struct call *call, enum dispatch_otherwise otherwise)
{
    return hitop_dispatch_by(call, served[call->operation], otherwise);
}

struct hitop_comm *hitop_dispatch_pass_begin(enum hitop_operation_id operation, int root,
                                             MPI_Comm comm)
{
    struct hitop_comm *c =
        served[operation] && comm != MPI_COMM_NULL ? hitop_comm_state(comm) : NULL;

    if (c) {
        c->served_by = "";
        watchdog_enter(c, operation, root, ++c->stats.left[operation]);
    }
    return c;
}

void hitop_dispatch_pass_end(struct hitop_comm *c)
{
    if (c) {
        watchdog_exit(c);
    }
}

#define DEFINE(Name, name, OPERATION, parameters, arguments, send, recv, op, root)                 \
    int hitop_##name parameters                                                                    \
    {                                                                                              \
        const struct call call = {HITOP_##OPERATION, send, recv, op, root, comm};                  \
                                                                                                   \
        return hitop_dispatch_run(&call, DISPATCH_PLANS);                                          \
    }

OTHER_COLLECTIVES(DEFINE) /* hitop_bcast() is in bcast_mpi.c */

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
