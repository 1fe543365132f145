/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jobs.c - experiments of one rank, interleaved.
 *
 * Idea:  an experiment at a size is a job. In every block the unfinished jobs are shuffled and each takes
 *        a few samples. A change of the machine's mood then hits all jobs alike, and the samples of one
 *        job are far apart in time, so that they are nearly independent.
 */
#include <config.h>

#include "jobs.h"

#include "measure_impl.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include <math.h>
#include <stdlib.h>

enum { MIN_COUNT = 3, MAX_COUNT = 10, MAX_RETAKES = 3 };

/* Messages of a train. */
enum { SHORT_TRAIN = 2, LONG_TRAIN = 64 };

/* Seconds that one visit to a size should not exceed much. */
static const double visit_limit = 0.02;

/* Where jobs are done, and until when. */
struct session {
    const struct hitop_transport *t;
    double deadline;
    gsl_rng *rng;
};

static enum hitop_status make_room(struct job *job, struct hitop_diag *diag)
{
    const int room = job->room ? 2 * job->room : 64;
    double *more;

    if (job->n + MAX_COUNT + 1 <= job->room) {
        return HITOP_OK;
    }
    more = realloc(job->samples, (size_t)room * sizeof(*more));
    if (!more) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory for %d samples", room);
    }
    job->samples = more;
    job->room = room;
    return HITOP_OK;
}

/* Look at the samples so far if a look is due, or at any rate. */
static enum hitop_status look(struct job *job, int at_any_rate, struct hitop_diag *diag)
{
    enum hitop_status status;

    if (job->n < hitop_stop_next(&job->rule, job->look) && !at_any_rate) {
        return HITOP_OK;
    }
    status = hitop_stop_check(&job->rule, job->look, job->samples, job->n, &job->result, diag);
    job->look++;
    job->finished = job->result.converged || job->n >= job->rule.max_samples;
    return status;
}

/*
 * Take a few samples. The first after the hand-shake is thrown away, but for round trips so long
 * that a hand-shake is nothing to them.
 */
static enum hitop_status visit(const struct session *s, struct job *job, struct hitop_diag *diag)
{
    const double sample_time = fmax(job->round_trip * job->rule.batch, 1e-9);
    struct hitop_series series = job->series;
    const double fitting = fmin(fmax(visit_limit / sample_time, MIN_COUNT), MAX_COUNT);
    const int left = job->rule.max_samples - job->n;
    const int count = (int)fitting < left ? (int)fitting : left;
    const int thrown_away = sample_time < visit_limit;
    double fresh[MAX_COUNT + 1];
    enum hitop_status status = make_room(job, diag);

    if (status == HITOP_OK) {
        series.batch = job->rule.batch;
        series.count = count + thrown_away;
        status = s->t->exchange(s->t->self, &series, fresh, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    for (int i = 0; i < count; i++) {
        job->samples[job->n++] = fresh[i + thrown_away];
    }
    return look(job, 0, diag);
}

/* Indices of the jobs that are not finished, in random order; returns how many. */
static int draw_order(const struct session *s, const struct job *jobs, int njobs, int *order)
{
    int n = 0;

    for (int i = 0; i < njobs; i++) {
        if (!jobs[i].finished) {
            order[n++] = i;
        }
    }
    if (n > 1) {
        gsl_ran_shuffle(s->rng, order, (size_t)n, sizeof(*order));
    }
    return n;
}

/* Blocks until all jobs are finished or the time is up; every unfinished job is visited once. */
static enum hitop_status run_blocks(const struct session *s, struct job *jobs, int njobs,
                                    struct hitop_diag *diag)
{
    int *order = calloc((size_t)njobs, sizeof(*order));
    enum hitop_status status = HITOP_OK;
    int in_time = 1;

    if (!order) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    for (int block = 0; in_time && status == HITOP_OK; block++) {
        const int n = draw_order(s, jobs, njobs, order);
        if (n == 0) {
            break;
        }
        for (int i = 0; in_time && status == HITOP_OK && i < n; i++) {
            status = visit(s, &jobs[order[i]], diag);
            in_time = block == 0 || s->t->now(s->t->self) < s->deadline;
        }
    }
    free(order);
    return status;
}

/*
 * Lengthen the train until its gap no longer changes, because the first messages of a train only fill
 * buffers; or until a sample would take too long.
 */
static enum hitop_status choose_train(const struct session *s, struct job *job,
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
        status = s->t->exchange(s->t->self, &series, fresh, diag);
        gap = status == HITOP_OK ? hitop_median_of(fresh, MIN_COUNT) : 0;
        if (fabs(gap - before) <= 0.01 * fabs(gap) || job->rule.batch >= LONG_TRAIN ||
            2 * job->rule.batch * job->round_trip > visit_limit) {
            break;
        }
        before = gap;
    }
    return status;
}

/* Warm up all ranks of a job; its round trip is the longest of theirs. */
static enum hitop_status warm_up_job(const struct session *s, struct job *job, double limit,
                                     struct hitop_diag *diag)
{
    const struct hitop_series *x = &job->series;
    double other = 0;
    enum hitop_status status =
        warm_up(s->t, x->from, x->to, x->bytes, limit, &job->round_trip, diag);

    if (status == HITOP_OK && x->what == HITOP_FAN) {
        status = warm_up(s->t, x->from, x->third, x->bytes, limit, &other, diag);
    }
    job->round_trip = fmax(job->round_trip, other);
    return status;
}

/* Warm up, and choose how often to repeat between two readings of the clock. */
static enum hitop_status settle(const struct session *s, struct job *jobs, int njobs, double limit,
                                struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0; status == HITOP_OK && i < njobs; i++) {
        struct job *job = &jobs[i];
        status = warm_up_job(s, job, limit, diag);
        job->rule.batch = 1;
        switch (job->series.what) {
        case HITOP_ECHO:
        case HITOP_REPLY:
        case HITOP_FAN:
            job->rule.batch = hitop_batch_size(s->t->clock_step, job->round_trip);
            break;
        case HITOP_GAP:
            status = status == HITOP_OK ? choose_train(s, job, diag) : status;
            break;
        case HITOP_SEND_CALL:
        case HITOP_RECEIVE_CALL:
            job->series.delay = 3 * job->round_trip;
            break;
        }
    }
    return status;
}

/* No median is known better than 0.1 % or a fraction of the clock step, whatever its samples say. */
static struct hitop_point point_of(const struct job *job)
{
    const struct hitop_median *m = &job->result;
    const double step = job->rule.clock_step / (4.0 * job->rule.batch);

    return (struct hitop_point){.bytes = job->series.bytes,
                                .seconds = fmax(0, m->median),
                                .se = fmax(fmax(m->se, 1e-3 * m->median), fmax(step, 1e-12)),
                                .lo = fmax(0, m->lo),
                                .hi = fmax(0, m->hi),
                                .nsamples = m->nsamples,
                                .converged = m->converged};
}

static enum hitop_status summarise(struct job *jobs, int njobs, struct hitop_point *points,
                                   struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0; status == HITOP_OK && i < njobs; i++) {
        if (!jobs[i].finished) {
            status = look(&jobs[i], 1, diag);
        }
        points[i] = point_of(&jobs[i]);
    }
    return status;
}

/* Begin again with the points of one experiment that do not fit their neighbours; returns how many. */
static int reopen_suspects(struct job *jobs, int njobs, const struct hitop_point *points)
{
    int reopened = 0;

    for (int i = find_suspect(points, njobs, 0); i < njobs;
         i = find_suspect(points, njobs, i + 1)) {
        if (jobs[i].retakes < MAX_RETAKES) {
            jobs[i].retakes++;
            jobs[i].n = jobs[i].finished = 0;
            jobs[i].look = 1;
            reopened++;
        }
    }
    return reopened;
}

/* The sizes of one experiment stand side by side. */
static int is_same_curve(const struct hitop_series *x, const struct hitop_series *y)
{
    return x->what == y->what && x->to == y->to && x->third == y->third;
}

static int reopen(struct job *jobs, int njobs, const struct hitop_point *points)
{
    int reopened = 0;

    for (int first = 0, last; first < njobs; first = last) {
        for (last = first + 1;
             last < njobs && is_same_curve(&jobs[last].series, &jobs[first].series); last++) {
        }
        reopened += reopen_suspects(jobs + first, last - first, points + first);
    }
    return reopened;
}

/*
 * Seconds after which to give up: what does not settle to 5 % in ten times the samples of
 * the first look will not, and others need the time. Half the width takes four times the samples.
 */
static double patience(const struct job *jobs, int njobs)
{
    const double finer = fmax(1, 0.05 / jobs[0].rule.eps);
    double first_look = 0;

    for (int i = 0; i < njobs; i++) {
        first_look += jobs[i].rule.min_samples * jobs[i].rule.batch * jobs[i].round_trip;
    }
    return fmax(1, 10 * first_look) * finer * finer;
}

static enum hitop_status run(struct session *s, struct job *jobs, int njobs, double slice,
                             struct hitop_point *points, struct hitop_diag *diag)
{
    enum hitop_status status = settle(s, jobs, njobs, fmin(0.05, 0.02 * slice), diag);

    s->deadline = fmin(s->deadline, s->t->now(s->t->self) + patience(jobs, njobs));
    do {
        if (status == HITOP_OK) {
            status = run_blocks(s, jobs, njobs, diag);
        }
        if (status == HITOP_OK) {
            status = summarise(jobs, njobs, points, diag);
        }
    } while (status == HITOP_OK && s->t->now(s->t->self) < s->deadline &&
             reopen(jobs, njobs, points) > 0);
    return status;
}

void job_init(struct job *job, const struct hitop_transport *t,
              const struct hitop_measure_options *options, const struct hitop_series *series)
{
    *job = (struct job){.series = *series,
                        .look = 1,
                        .rule = {.eps = options->eps,
                                 .confidence = options->confidence,
                                 .min_samples = options->min_samples,
                                 .max_samples = options->max_samples,
                                 .clock_step = t->clock_step,
                                 .batch = 1}};
}

enum hitop_status jobs_do(const struct hitop_transport *t, struct job *jobs, int njobs,
                          double slice, unsigned long long seed, struct hitop_point *points,
                          struct hitop_diag *diag)
{
    struct session s = {
        .t = t, .deadline = t->now(t->self) + slice, .rng = gsl_rng_alloc(gsl_rng_mt19937)};
    enum hitop_status status;

    if (!s.rng) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    gsl_rng_set(s.rng, (unsigned long)seed);
    status = run(&s, jobs, njobs, slice, points, diag);
    for (int i = 0; i < njobs; i++) {
        free(jobs[i].samples);
        jobs[i].samples = NULL;
    }
    gsl_rng_free(s.rng);
    return status;
}
