/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective_time_mpi.c - repeat an operation until its time is known.
 *
 * Idea:  all ranks see the same samples, but rank 0 alone judges them, so that no rounding can part
 * them.
 */
#include <config.h>

#include "models/clock/collective_time_impl_mpi.h"
#include "models/transport/agree_mpi.h"

#include <stdlib.h>

/* Rank 0's judgement of the samples. */
struct verdict {
    double seconds, lo, hi, se;
    double status, converged, finished; /* numbers like the others, to be broadcast together */
};

static int most_samples(const struct hitop_timing_options *o)
{
    return o->by_mean ? o->mean.max_reps : o->median.max_samples;
}

static enum hitop_status judge(const struct hitop_timing_options *o, const double *samples, int n,
                               int look, struct verdict *v, struct hitop_diag *diag)
{
    enum hitop_status status;

    if (o->by_mean) {
        struct hitop_mean m;
        status = hitop_precision_check(&o->mean, samples, n, &m, diag);
        *v = (struct verdict){m.mean,
                              m.mean - m.ci,
                              m.mean + m.ci,
                              n > 1 ? m.ci / hitop_student_width(o->mean.cl, n) : 0,
                              0,
                              m.converged,
                              m.finished};
    } else {
        struct hitop_median m = {0};
        status = hitop_stop_check(&o->median, look, samples, n, &m, diag);
        *v = (struct verdict){
            m.median, m.lo, m.hi, m.se, 0, m.converged, m.converged || n >= o->median.max_samples};
    }
    v->status = status;
    return status;
}

/* Rank 0 judges, all learn it. */
static enum hitop_status look_at(MPI_Comm comm, const struct hitop_timing_options *o, int look,
                                 struct hitop_collective_time *out, int *finished,
                                 struct hitop_diag *diag)
{
    struct verdict v = {0};
    enum hitop_status status = HITOP_OK;
    int rank, code;

    (void)MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        status = judge(o, out->samples, out->nsamples, look, &v, diag);
    }
    code = MPI_Bcast(&v, sizeof(v) / sizeof(double), MPI_DOUBLE, 0, comm);
    if (code != MPI_SUCCESS || status != HITOP_OK) {
        return status != HITOP_OK ? status : hitop_transport_check(code, "telling results", diag);
    }
    if ((enum hitop_status)v.status != HITOP_OK) {
        return hitop_fail(diag, (enum hitop_status)v.status, "timing: rank 0 reports: %s",
                          hitop_status_str((enum hitop_status)v.status));
    }
    out->seconds = v.seconds;
    out->lo = v.lo;
    out->hi = v.hi;
    out->se = v.se;
    out->converged = v.converged > 0;
    *finished = v.finished > 0;
    return HITOP_OK;
}

/* Samples at the next look; the rule of means looks at each. */
static int next_look(const struct hitop_timing_options *o, int look)
{
    return o->by_mean ? o->mean.min_reps + look - 1 : hitop_stop_next(&o->median, look);
}

static enum hitop_status repeat(struct timing *t, const struct hitop_timing_options *o,
                                struct hitop_collective_time *out, struct hitop_diag *diag)
{
    const MPI_Comm comm = hitop_common_clock_comm(t->starter.clock);
    enum hitop_status status = HITOP_OK;
    int finished = 0, look = 1, warm = 0;

    while (status == HITOP_OK && !finished) {
        struct repetition r = {0};
        status = hitop_timing_repeat(t, &r, diag);
        if (status != HITOP_OK) {
            return status;
        }
        if (hitop_starter_learn(&t->starter, r.late)) {
            out->after_barrier = 1;
            out->nsamples = warm = 0;
            look = 1;
        }
        out->nlate += r.late;
        if (r.late || !warm) {
            warm = warm || !r.late;
            continue;
        }
        out->samples[out->nsamples] = r.seconds;
        out->own[out->nsamples++] = r.own;
        if (out->nsamples >= next_look(o, look) || r.is_over) {
            status = look_at(comm, o, look++, out, &finished, diag);
            finished = finished || r.is_over;
        }
    }
    return status;
}

enum { BARRIERS = 100 };

/* The time of a barrier; the rule of means wants a mean of as many as it allows repetitions. */
static enum hitop_status measure_barrier(struct timing *t, const struct hitop_timing_options *o,
                                         double *work, struct hitop_diag *diag)
{
    const int most = most_samples(o);
    const int n = o->by_mean || most < BARRIERS ? most : BARRIERS;
    enum hitop_status status = hitop_timing_barriers(t, work, n, diag);
    struct hitop_mean mean;

    if (status == HITOP_OK && o->by_mean) {
        status = hitop_precision_check(&o->mean, work, n, &mean, diag);
        t->barrier = mean.mean;
    } else if (status == HITOP_OK) {
        t->barrier = hitop_median_of(work, n);
    }
    return status;
}

static enum hitop_status prepare(struct timing *t, const struct hitop_common_clock *clock,
                                 const struct hitop_timing_options *o,
                                 struct hitop_collective_time *out, struct hitop_diag *diag)
{
    const struct hitop_clock *local = hitop_common_clock_local(clock);
    const MPI_Comm comm = hitop_common_clock_comm(clock);
    enum hitop_status status = HITOP_OK;

    t->starter.clock = clock;
    if (t->method == HITOP_TIMING_ROUND) {
        hitop_starter_prepare(&t->starter, clock);
        out->after_barrier = t->starter.by_barrier;
    } else if (t->method == HITOP_TIMING_ROOT && !t->operation->ends_at_root) {
        status = measure_barrier(t, o, out->samples, diag);
        if (status == HITOP_OK) {
            status = hitop_transport_check(
                MPI_Bcast(&t->barrier, 1, MPI_DOUBLE, t->operation->root, comm),
                "telling the time of a barrier", diag);
        }
        out->barrier = t->barrier;
    }
    t->deadline = local->now(local->self) + o->budget;
    return status;
}

enum hitop_status hitop_collective_time(const struct hitop_common_clock *clock,
                                        const struct hitop_timed *operation,
                                        const struct hitop_timing_options *options,
                                        struct hitop_collective_time *out, struct hitop_diag *diag)
{
    struct timing t = {.operation = operation, .options = options, .method = options->method};
    enum hitop_status status = hitop_timing_check(clock, operation->root, options, diag);
    size_t n;

    *out = (struct hitop_collective_time){0};
    if (status != HITOP_OK) {
        return status;
    }
    n = (size_t)most_samples(options);
    out->samples = calloc(n, sizeof(*out->samples));
    out->own = calloc(n, sizeof(*out->own));
    if (!out->samples || !out->own) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "timing: out of memory for %zu samples", n);
    }
    status = hitop_agree_mpi(hitop_common_clock_comm(clock), status, diag);
    if (status == HITOP_OK) {
        status = prepare(&t, clock, options, out, diag);
    }
    return status == HITOP_OK ? repeat(&t, options, out, diag) : status;
}

void hitop_collective_time_fini(struct hitop_collective_time *time)
{
    free(time->own);
    free(time->samples);
    *time = (struct hitop_collective_time){0};
}
