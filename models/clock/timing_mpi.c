/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timing_mpi.c - repeat an operation of all ranks until its time is known.
 *
 * Idea:  a repetition needs the largest value over all ranks of some facts: one reduction returns
 *        them, together with the flags for a late rank, a failure and the end of the time. All
 *        ranks see the same samples, but rank 0 alone evaluates them, so that rounding cannot make
 *        ranks decide differently.
 */
#include <config.h>

#include "models/clock/start_mpi.h"
#include "models/clock/timing_mpi.h"
#include "models/transport/agree_mpi.h"

#include <math.h>
#include <stdlib.h>

void hitop_timing_defaults(struct hitop_timing_options *options)
{
    *options = (struct hitop_timing_options){.method = &hitop_timing_window,
                                             .median = {.eps = 0.01,
                                                        .confidence = 0.95,
                                                        .min_samples = 20,
                                                        .max_samples = 2000,
                                                        .batch = 1},
                                             .budget = 10};
    hitop_precision_defaults(&options->mean);
}

/* An operation under way. */
struct timing {
    const struct hitop_timed *operation;
    const struct hitop_timing_options *options;
    const struct hitop_common_clock *clock;
    MPI_Comm comm;
    int rank;
    struct starter starter;
    double deadline; /* at rank 0, by its clock */
    double *samples;
    struct hitop_collective_time *out;
};

/* One repetition; the same on all ranks. */
struct repetition {
    double seconds;
    int late;    /* 1: a rank was late; the repetition does not count */
    int is_over; /* 1: the deadline is over, or rank 0 asks for the end */
};

/* Facts of a rank, of which the largest over all ranks counts: all members are doubles. */
struct facts {
    struct hitop_timing_facts times;
    double ends_at_took; /* seconds of the rank ends_at */
    double late, failed, is_over;
};

static enum hitop_status start(struct timing *t, int *late, struct hitop_diag *diag)
{
    if (t->options->before) {
        int code;
        t->options->before(t->options->before_data);
        /* so that before() makes no rank late; other methods begin with a barrier */
        code = t->starter.method->barriers > 0 ? MPI_SUCCESS : MPI_Barrier(t->comm);
        if (code != MPI_SUCCESS) {
            return hitop_transport_check(code, "starting together", diag);
        }
    }
    return hitop_starter_begin(&t->starter, late, diag);
}

static enum hitop_status repeat(struct timing *t, struct repetition *out, struct hitop_diag *diag)
{
    const struct hitop_timing_options *o = t->options;
    const struct hitop_clock *local = hitop_common_clock_local(t->clock);
    const struct hitop_clock_line *line = hitop_common_clock_line(t->clock);
    const int ends_at = t->operation->ends_at;
    struct hitop_timing_stamp stamp;
    struct facts mine, most;
    int late, failed, code;
    enum hitop_status status = start(t, &late, diag);

    if (status != HITOP_OK) {
        return status;
    }
    stamp.called = local->now(local->self);
    failed = t->operation->operate(t->operation->data);
    stamp.returned = local->now(local->self);
    status = hitop_starter_confirm(&t->starter, diag);
    if (status != HITOP_OK) {
        return status;
    }
    stamp.confirmed = local->now(local->self);
    mine = (struct facts){
        .times =
            hitop_timing_facts_of(&stamp, line, t->starter.barrier, t->rank == t->operation->root),
        .ends_at_took = t->rank == ends_at ? stamp.returned - stamp.called : -HUGE_VAL,
        .late = late,
        .failed = failed != 0,
        .is_over = t->rank == 0 && (stamp.returned > t->deadline ||
                                    (o->interrupted && o->interrupted(o->interrupted_data)))};
    code = MPI_Allreduce(&mine, &most, sizeof(mine) / sizeof(double), MPI_DOUBLE, MPI_MAX, t->comm);
    if (code != MPI_SUCCESS) {
        return hitop_transport_check(code, "agreeing on a repetition", diag);
    }
    if (most.failed > 0) {
        return failed
                   ? hitop_fail(diag, HITOP_ERR_MPI, "timing: the operation failed with %d", failed)
                   : hitop_fail(diag, HITOP_ERR_MPI, "timing: the operation failed elsewhere");
    }
    *out = (struct repetition){.late = most.late > 0,
                               .is_over = most.is_over > 0,
                               .seconds = ends_at >= 0 ? most.ends_at_took
                                                       : t->starter.method->seconds(&most.times)};
    return HITOP_OK;
}

/* Evaluation of the samples by rank 0: numbers of one type, which are broadcast together. */
struct verdict {
    double seconds, lo, hi, se;
    double status, converged, finished;
};

static enum hitop_status judge(const struct timing *t, int look, struct verdict *v,
                               struct hitop_diag *diag)
{
    const struct hitop_timing_options *o = t->options;
    const int n = t->out->nsamples;
    enum hitop_status status = HITOP_OK;

    if (o->by_mean) {
        const struct hitop_mean m = hitop_precision_check(&o->mean, t->samples, n);
        *v = (struct verdict){m.mean,
                              m.mean - m.ci,
                              m.mean + m.ci,
                              n > 1 ? m.ci / hitop_student_width(o->mean.cl, n) : 0,
                              0,
                              m.converged,
                              m.finished};
    } else {
        struct hitop_median m = {0};
        status = hitop_stop_check(&o->median, look, t->samples, n, &m, diag);
        *v = (struct verdict){
            m.median, m.lo, m.hi, m.se, 0, m.converged, m.converged || n >= o->median.max_samples};
    }
    v->status = status;
    return status;
}

/* Rank 0 evaluates the samples and broadcasts the result. */
static enum hitop_status look_at(struct timing *t, int look, int *finished, struct hitop_diag *diag)
{
    struct verdict v = {0};
    enum hitop_status status = t->rank == 0 ? judge(t, look, &v, diag) : HITOP_OK;
    const int code = MPI_Bcast(&v, sizeof(v) / sizeof(double), MPI_DOUBLE, 0, t->comm);

    if (code != MPI_SUCCESS || status != HITOP_OK) {
        return status != HITOP_OK ? status : hitop_transport_check(code, "sharing results", diag);
    }
    status = (enum hitop_status)v.status;
    if (status != HITOP_OK) {
        return hitop_fail(diag, status, "timing: rank 0 reports: %s", hitop_status_str(status));
    }
    t->out->seconds = v.seconds;
    t->out->lo = v.lo;
    t->out->hi = v.hi;
    t->out->se = v.se;
    t->out->converged = v.converged > 0;
    *finished = v.finished > 0;
    return HITOP_OK;
}

/* Samples at the next check of the stop rule; that of means checks each sample. */
static int next_look(const struct hitop_timing_options *o, int look)
{
    return o->by_mean ? o->mean.min_reps + look - 1 : hitop_stop_next(&o->median, look);
}

static enum hitop_status sample(struct timing *t, struct hitop_diag *diag)
{
    struct hitop_collective_time *out = t->out;
    int finished = 0, look = 1, warm = 0;

    while (!finished) {
        struct repetition r = {0};
        enum hitop_status status = repeat(t, &r, diag);
        if (status != HITOP_OK) {
            return status;
        }
        if (hitop_starter_learn(&t->starter, r.late)) {
            out->method = t->starter.method;
            out->nsamples = warm = 0;
            look = 1;
        }
        out->nlate += r.late;
        if (r.late || !warm) {
            warm = warm || !r.late;
            continue;
        }
        t->samples[out->nsamples++] = r.seconds;
        if (out->nsamples >= next_look(t->options, look) || r.is_over) {
            status = look_at(t, look++, &finished, diag);
            finished = finished || r.is_over;
        }
        if (status != HITOP_OK) {
            return status;
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_collective_time(const struct hitop_common_clock *clock,
                                        const struct hitop_timed *operation,
                                        const struct hitop_timing_options *options,
                                        struct hitop_collective_time *out, struct hitop_diag *diag)
{
    const struct hitop_clock *local = hitop_common_clock_local(clock);
    const int most = options->by_mean ? options->mean.max_reps : options->median.max_samples;
    struct timing t = {.operation = operation,
                       .options = options,
                       .clock = clock,
                       .comm = hitop_common_clock_comm(clock),
                       .samples = calloc((size_t)most, sizeof(*t.samples)),
                       .out = out};
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_collective_time){0};
    (void)MPI_Comm_rank(t.comm, &t.rank);
    if (!t.samples) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "timing: out of memory for %d samples", most);
    }
    status = hitop_agree_mpi(t.comm, status, diag);
    if (status == HITOP_OK) {
        hitop_starter_prepare(&t.starter, clock, options->method);
        out->method = t.starter.method;
        t.deadline = local->now(local->self) + options->budget;
        status = hitop_starter_time_barrier(&t.starter, most, diag);
    }
    if (status == HITOP_OK) {
        status = sample(&t, diag);
    }
    free(t.samples);
    return status;
}
