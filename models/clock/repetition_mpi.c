/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * repetition_mpi.c - one repetition of an operation of all ranks.
 *
 * Idea:  the methods of timing need the largest value over all ranks. One reduction returns all of
 *        these, together with the flags for a late rank, a failure and the end of the time.
 */
#include <config.h>

#include "models/clock/collective_time_impl_mpi.h"
#include "models/transport/agree_mpi.h"

#include <math.h>
#include <stdlib.h>

/* What a rank knows, by the largest of all. */
enum {
    FACT_LATE,
    FACT_BEGAN, /* negative, so that the first one counts; common time */
    FACT_ENDED, /* common time */
    FACT_TOOK,
    FACT_ROOT_BEGAN, /* common time; nothing of other ranks */
    FACT_ROOT_TOOK,
    FACT_FAILED,
    FACT_OVER,
    NFACTS
};

static enum hitop_status start(struct timing *t, int *late, struct hitop_diag *diag)
{
    const MPI_Comm comm = hitop_common_clock_comm(t->starter.clock);
    int code = MPI_SUCCESS;

    *late = 0;
    if (t->options->before) {
        t->options->before(t->options->before_data);
        code = MPI_Barrier(comm); /* so that before() makes no rank late */
    }
    if (code != MPI_SUCCESS) {
        return hitop_transport_check(code, "starting together", diag);
    }
    if (t->method == HITOP_TIMING_ROUND) {
        return hitop_starter_begin(&t->starter, late, diag);
    }
    code = MPI_Barrier(comm);
    if (code == MPI_SUCCESS && t->method == HITOP_TIMING_MAX) {
        code = MPI_Barrier(comm);
    }
    return hitop_transport_check(code, "starting together", diag);
}

static double method_seconds(const struct timing *t, const double *facts)
{
    if (t->operation->ends_at_root) {
        return facts[FACT_ROOT_TOOK];
    }
    switch (t->method) {
    case HITOP_TIMING_ROUND:
        return facts[FACT_ENDED] + facts[FACT_BEGAN];
    case HITOP_TIMING_GLOBAL:
        return facts[FACT_ENDED] - facts[FACT_ROOT_BEGAN];
    case HITOP_TIMING_ROOT:
        return facts[FACT_ROOT_TOOK] - t->barrier;
    default:
        return facts[FACT_TOOK];
    }
}

static int is_interrupted(const struct hitop_timing_options *o)
{
    return o->interrupted && o->interrupted(o->interrupted_data);
}

enum hitop_status hitop_timing_repeat(struct timing *t, struct repetition *out,
                                      struct hitop_diag *diag)
{
    const struct hitop_common_clock *clock = t->starter.clock;
    const struct hitop_clock *local = hitop_common_clock_local(clock);
    const struct hitop_clock_line *line = hitop_common_clock_line(clock);
    const MPI_Comm comm = hitop_common_clock_comm(clock);
    double facts[NFACTS], mine[NFACTS];
    double began, ended;
    int rank, late, failed;
    int code = MPI_SUCCESS;
    enum hitop_status status = start(t, &late, diag);

    (void)MPI_Comm_rank(comm, &rank);
    if (status != HITOP_OK) {
        return status;
    }
    began = local->now(local->self);
    failed = t->operation->operate(t->operation->data);
    ended = local->now(local->self);
    out->own = ended - began;
    if (t->method == HITOP_TIMING_ROOT && !t->operation->ends_at_root) {
        code = MPI_Barrier(comm);
        ended = local->now(local->self);
    }
    mine[FACT_LATE] = late;
    mine[FACT_BEGAN] = -hitop_clock_line_apply(line, began);
    mine[FACT_ENDED] = hitop_clock_line_apply(line, ended);
    mine[FACT_TOOK] = ended - began;
    mine[FACT_ROOT_BEGAN] = rank == t->operation->root ? -mine[FACT_BEGAN] : -INFINITY;
    mine[FACT_ROOT_TOOK] = rank == t->operation->root ? ended - began : -INFINITY;
    mine[FACT_FAILED] = failed != 0;
    mine[FACT_OVER] = rank == 0 && (ended > t->deadline || is_interrupted(t->options));
    if (code == MPI_SUCCESS) {
        code = MPI_Allreduce(mine, facts, NFACTS, MPI_DOUBLE, MPI_MAX, comm);
    }
    if (code != MPI_SUCCESS) {
        return hitop_transport_check(code, "agreeing on a repetition", diag);
    }
    if (facts[FACT_FAILED] > 0) {
        return failed
                   ? hitop_fail(diag, HITOP_ERR_MPI, "timing: the operation failed with %d", failed)
                   : hitop_fail(diag, HITOP_ERR_MPI, "timing: the operation failed elsewhere");
    }
    out->late = facts[FACT_LATE] > 0;
    out->is_over = facts[FACT_OVER] > 0;
    out->seconds = method_seconds(t, facts);
    return HITOP_OK;
}

enum hitop_status hitop_timing_barriers(const struct timing *t, double *seconds, int n,
                                        struct hitop_diag *diag)
{
    const struct hitop_clock *local = hitop_common_clock_local(t->starter.clock);
    const MPI_Comm comm = hitop_common_clock_comm(t->starter.clock);
    int code = MPI_SUCCESS;

    for (int i = -1; i < n && code == MPI_SUCCESS; i++) {
        const double began = local->now(local->self);
        code = MPI_Barrier(comm);
        seconds[i < 0 ? 0 : i] = local->now(local->self) - began;
    }
    return hitop_transport_check(code, "timing barriers", diag);
}
