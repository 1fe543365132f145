/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * job.c - measure one experiment at one size, until its median is known.
 *
 * Idea:  each visit to a job takes a few samples. Other jobs are visited between two visits, so
 *        that the samples of a job are far apart in time and nearly independent.
 */
#include <config.h>

#include "models/measure/jobs.h"

#include "models/measure/measure_impl.h"
#include "src/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_COUNT = 3, MAX_COUNT = 10 };

/* Messages of a train. */
enum { SHORT_TRAIN = 2, LONG_TRAIN = 64 };

/* Seconds of a visit, about. */
static const double visit_limit = 0.02;

void hitop_job_init(struct job *job, const struct hitop_transport *t,
                    const struct hitop_measure_options *options, const struct hitop_series *series)
{
    *job = (struct job){.series = *series,
                        .pause = t->pause,
                        .look = 1,
                        .rule = {.eps = options->eps,
                                 .confidence = options->confidence,
                                 .min_samples = options->min_samples,
                                 .max_samples = options->max_samples,
                                 .clock_step = t->clock_step,
                                 .batch = 1}};
}

void hitop_job_clear(struct job *job)
{
    free(job->samples);
    job->samples = NULL;
}

/*
 * A job is given up, because others need the time, if its interval is still too wide after ten
 * times the fewest samples and after a second. These limits are for a precision of 5 %; half the
 * width takes four times the samples.
 */
static int is_hopeless(const struct job *job)
{
    const double finer = fmax(1, 0.05 / job->rule.eps);
    const double spent = job->n * job->rule.batch * job->round_trip;

    return job->n > 10 * finer * finer * job->rule.min_samples && spent > finer * finer;
}

/* Check the stop rule if a look is due, or in any case. */
static enum hitop_status look(struct job *job, int at_any_rate, struct hitop_diag *diag)
{
    enum hitop_status status;

    if (job->n < hitop_stop_next(&job->rule, job->look) && !at_any_rate) {
        return HITOP_OK;
    }
    status = hitop_stop_check(&job->rule, job->look, job->samples, job->n, &job->result, diag);
    job->look++;
    job->finished = job->result.converged || job->n >= job->rule.max_samples || is_hopeless(job);
    return status;
}

/* Seconds of a sample with the pause after it. */
static double sample_time(const struct job *job)
{
    return fmax(job->round_trip * job->rule.batch + job->pause, 1e-9);
}

/* Seconds of a sample with the delay before it. */
static double whole_time(const struct job *job)
{
    return sample_time(job) + (job->series.delay > 0 ? job->series.delay + job->round_trip : 0);
}

/* Samples of the next visit. */
static int visit_count(const struct job *job)
{
    const double usual = fmin(fmax(visit_limit / sample_time(job), MIN_COUNT), MAX_COUNT);
    const double fitting = fmax(1, fmin(usual, job->patience / whole_time(job)));
    const int left = job->rule.max_samples - (job->is_stale ? 0 : job->n);

    return (int)fitting < left ? (int)fitting : left;
}

/*
 * The first sample after the hand-shake is discarded, unless samples are much longer than a
 * hand-shake.
 */
static int thrown_away(const struct job *job)
{
    return sample_time(job) < visit_limit;
}

double hitop_job_visit_time(const struct job *job)
{
    return sample_time(job) * (visit_count(job) + thrown_away(job)) +
           (job->series.delay + job->round_trip) * (visit_count(job) + 1);
}

/* Append samples. Those from before the last restart of the job are dropped. */
static enum hitop_status add_samples(struct job *job, const double *samples, int n,
                                     struct hitop_diag *diag)
{
    if (job->is_stale) {
        job->n = job->handed_on = job->is_stale = 0;
    }
    while (job->room < job->n + n) {
        if (!HITOP_GROW(job->samples, job->room, job->room)) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory for %d samples",
                              job->n + n);
        }
    }
    memcpy(job->samples + job->n, samples, (size_t)n * sizeof(*samples));
    job->n += n;
    return look(job, 0, diag);
}

enum hitop_status hitop_job_visit(const struct hitop_transport *t, struct job *job,
                                  struct hitop_diag *diag)
{
    const int count = visit_count(job), skip = thrown_away(job);
    struct hitop_series series = job->series;
    double fresh[MAX_COUNT + 1];
    enum hitop_status status;

    series.batch = job->rule.batch;
    series.count = count + skip;
    status = t->exchange(t->self, &series, fresh, diag);
    return status == HITOP_OK ? add_samples(job, fresh + skip, count, diag) : status;
}

enum hitop_status hitop_job_adopt(struct job *job, const struct hitop_batch *batch,
                                  struct hitop_diag *diag)
{
    enum hitop_status status;

    if (batch->take < job->take || batch->n < 1) {
        return HITOP_OK; /* samples from before the job began again */
    }
    if (batch->take > job->take) {
        hitop_job_retake(job);
        job->take = batch->take;
    }
    job->rule.batch = batch->batch;
    status = add_samples(job, batch->samples, batch->n, diag);
    job->handed_on = job->n;
    return status;
}

void hitop_job_retake(struct job *job)
{
    job->take++;
    job->finished = 0;
    job->is_stale = job->n > 0;
    job->look = 1;
}

int hitop_job_hand_on(struct job *job, struct hitop_batch *out)
{
    *out = (struct hitop_batch){.what = job->series.what,
                                .bytes = job->series.bytes,
                                .take = job->take,
                                .batch = job->rule.batch,
                                .n = job->n - job->handed_on,
                                .samples = job->samples + job->handed_on};
    job->handed_on = job->n;
    return out->n > 0;
}

/*
 * The standard error of a median is at least 0.1 % of it, and at least a quarter of the clock step,
 * divided by the repetitions in a sample.
 */
enum hitop_status hitop_job_point(struct job *job, struct hitop_point *out, struct hitop_diag *diag)
{
    const enum hitop_status status = job->finished ? HITOP_OK : look(job, 1, diag);
    const struct hitop_median *m = &job->result;
    const double step = job->rule.clock_step / (4.0 * job->rule.batch);

    *out = (struct hitop_point){.bytes = job->series.bytes,
                                .seconds = fmax(0, m->median),
                                .se = fmax(fmax(m->se, 1e-3 * m->median), fmax(step, 1e-12)),
                                .lo = fmax(0, m->lo),
                                .hi = fmax(0, m->hi),
                                .nsamples = m->nsamples,
                                .converged = m->converged && !job->is_stale};
    return status;
}

/*
 * Double the length of the train until its gap no longer changes, a sample would take too long, or
 * the train has LONG_TRAIN messages. The first messages of a train only fill buffers.
 */
static enum hitop_status choose_train(const struct hitop_transport *t, struct job *job,
                                      struct hitop_diag *diag)
{
    struct hitop_series series = job->series;
    double fresh[MIN_COUNT];
    double before = -1;
    enum hitop_status status = HITOP_OK;

    series.count = MIN_COUNT;
    for (job->rule.batch = SHORT_TRAIN; status == HITOP_OK; job->rule.batch *= 2) {
        double gap;
        series.batch = job->rule.batch;
        status = t->exchange(t->self, &series, fresh, diag);
        gap = status == HITOP_OK ? hitop_median_of(fresh, MIN_COUNT) : 0;
        if (fabs(gap - before) <= 0.01 * fabs(gap) || job->rule.batch >= LONG_TRAIN ||
            2 * job->rule.batch * job->round_trip > visit_limit) {
            break;
        }
        before = gap;
    }
    return status;
}

/* The round trip of a fan is the longer one of its two links. */
static enum hitop_status warm_up_job(const struct hitop_transport *t, struct job *job, double limit,
                                     struct hitop_diag *diag)
{
    const struct hitop_series *x = &job->series;
    double other = 0;
    enum hitop_status status =
        hitop_warm_up(t, x->from, x->to, x->bytes, limit, &job->round_trip, diag);

    if (status == HITOP_OK && x->what == HITOP_FAN) {
        status = hitop_warm_up(t, x->from, x->third, x->bytes, limit, &other, diag);
    }
    job->round_trip = fmax(job->round_trip, other);
    return status;
}

enum hitop_status hitop_job_settle(const struct hitop_transport *t, struct job *job, double limit,
                                   double at_least, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (at_least > limit && job->series.what != HITOP_GAP) {
        job->round_trip = at_least;
    } else {
        status = warm_up_job(t, job, limit, diag);
        job->is_warm = job->series.what != HITOP_FAN;
    }

    switch (job->series.what) {
    case HITOP_GAP:
        return status == HITOP_OK && job->n == 0 ? choose_train(t, job, diag) : status;
    case HITOP_SEND_CALL:
    case HITOP_RECEIVE_CALL:
        job->series.delay = 3 * job->round_trip;
        break;
    default: /* adopted samples keep their batches */
        job->rule.batch = job->n > 0 ? job->rule.batch : batch_of(t, job->round_trip);
        break;
    }
    return status;
}
