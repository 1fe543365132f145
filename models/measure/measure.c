/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.c - measure all links in passes, within a budget of time.
 *
 * Idea:  passes over all links continue until every job is finished or the time is used up, so that
 *        changes of the machine affect all links alike, and the samples of one job are far apart in
 *        time.
 */
#include <config.h>

#include "models/measure/jobs.h"
#include "models/measure/measure_impl.h"
#include "models/measure/measure_state.h"

#include <math.h>
#include <stdlib.h>

void hitop_measure_defaults(struct hitop_measure_options *options)
{
    *options = (struct hitop_measure_options){.part = "links",
                                              .experiments = HITOP_SET(HITOP_ECHO),
                                              .eps = 0.05,
                                              .confidence = 0.95,
                                              .min_samples = 20,
                                              .max_samples = 20000,
                                              .budget = 20,
                                              .parallel = 1,
                                              .seed = 1};
}

static enum hitop_status check(const struct hitop_transport *t, const struct hitop_link *links,
                               int nlinks, const struct hitop_measure_options *o,
                               struct hitop_diag *diag)
{
    if (o->nsizes < 1 || !((o->experiments & HITOP_SET(HITOP_ECHO)) || is_triple(o)) ||
        !(o->eps > 0) || !(o->confidence > 0 && o->confidence < 1) || o->min_samples < 1 ||
        o->max_samples < o->min_samples || !(o->budget > 0) || !(o->time_limit >= 0)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "measurement: need sizes, the echo experiment, eps > 0, confidence in "
                          "(0, 1), 1 <= fewest samples <= most samples, a budget > 0 and no time "
                          "limit < 0");
    }
    if (o->sizes[o->nsizes - 1] > t->max_bytes) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "messages of %zu bytes are too large; at most %zu are possible",
                          o->sizes[o->nsizes - 1], t->max_bytes);
    }
    for (int i = 0; i < nlinks; i++) {
        if (links[i].rank[0] >= t->nranks || links[i].rank[1] >= t->nranks ||
            (is_triple(o) && links[i].third >= t->nranks)) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "link %d - %d has a rank outside 0..%d",
                              links[i].rank[0], links[i].rank[1], t->nranks - 1);
        }
    }
    return HITOP_OK;
}

/*
 * The warm-up of all jobs, one concurrent batch after the other, may take a quarter of the budget.
 */
static double limit_warm_up(const struct measure_state *c)
{
    return fmin(0.05, 0.25 * time_to_plan(c->o) / ((double)count_jobs(c->o) * (c->nbatches + 1)));
}

/* Memory, and the jobs of the links that this process leads. */
static enum hitop_status open_state(struct measure_state *c, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    c->own = gsl_rng_alloc(gsl_rng_mt19937);
    c->common = gsl_rng_alloc(gsl_rng_mt19937);
    c->fresh = hitop_batches_new();
    c->of_link = calloc((size_t)c->nlinks + 1, sizeof(*c->of_link));
    if (!c->own || !c->common || !c->fresh || !c->of_link) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    gsl_rng_set(c->common, (unsigned long)c->o->seed);
    gsl_rng_set(c->own,
                (unsigned long)(c->o->seed * 1000003 + (unsigned long long)(c->t->rank + 2)));
    for (int i = 0; status == HITOP_OK && i < c->nlinks; i++) {
        if (plays_first(c->t, &c->links[i])) {
            status =
                hitop_link_jobs_open(&c->of_link[i], c->t, &c->links[i], c->nlinks, c->o, diag);
        }
    }
    return status;
}

static void close_state(struct measure_state *c)
{
    for (int i = 0; c->of_link && i < c->nlinks; i++) {
        hitop_link_jobs_close(&c->of_link[i]);
    }
    free(c->of_link);
    hitop_batches_free(c->fresh);
    gsl_rng_free(c->common);
    gsl_rng_free(c->own);
    free(c->batch);
    free(c->phase);
}

/* The part of the budget for the last test of concurrent links, which may take twice that. */
static const double last_look_share = 0.05;

static int runs_links_at_once(const struct measure_state *c)
{
    int most = 0;

    for (int i = 0; i < c->nphases; i++) {
        const struct hitop_interference *interference = c->phase[i].interference;
        most = interference[0].at_once > most ? interference[0].at_once : most;
        most = interference[1].at_once > most ? interference[1].at_once : most;
    }
    return most > 1;
}

/* Plan the concurrent batches, unless an earlier run contains all values. */
static enum hitop_status plan(struct measure_state *c, struct hitop_diag *diag)
{
    const struct concurrent_batch all = {.last = c->nlinks, .step = 1, .sizes = hitop_all_sizes};
    double ignored, unfinished = hitop_measure_look_ahead(c, &all, &ignored);
    const enum hitop_status status = c->t->agree(c->t->self, &unfinished, 1, diag);

    return status == HITOP_OK && unfinished > 0 ? hitop_timetable_plan(c, diag) : status;
}

static enum hitop_status run(struct measure_state *c, struct hitop_diag *diag)
{
    const double limit = c->o->time_limit;
    int *order;
    enum hitop_status status = plan(c, diag);

    if (status != HITOP_OK) {
        return status;
    }
    c->warm_up_limit = limit_warm_up(c);
    c->passes_end = c->o->budget * (runs_links_at_once(c) ? 1 - last_look_share : 1);
    order = calloc((size_t)c->nbatches + 1, sizeof(*order));
    status = hitop_agree_on_status(
        c->t, order ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory"),
        diag);
    for (; status == HITOP_OK && !c->is_over; c->progress.block++) {
        status = hitop_measure_run_pass(c, order, diag);
    }
    free(order);
    c->was_interrupted = c->was_interrupted || c->left_out > 0;
    if (status == HITOP_OK && !c->was_interrupted && !(limit > 0 && c->elapsed > 0.9 * limit)) {
        status = hitop_timetable_check(c, c->start + (1 + last_look_share) * c->o->budget, diag);
    }
    return status;
}

static void note_interference(const struct hitop_interference *seen, struct hitop_interference *out)
{
    out->at_once = seen->at_once > out->at_once ? seen->at_once : out->at_once;
    out->slowdown = fmax(out->slowdown, seen->slowdown);
}

/* Describe the measurement for the caller at rank 0. */
static void describe(struct measure_state *c, struct hitop_measurement *out)
{
    size_t npoints = 0;

    for (int i = 0; out->curves && i < c->nlinks * HITOP_NEXPERIMENTS; i++) {
        npoints += out->curves[i].npoints;
    }
    out->is_complete = c->nmissing == 0;
    out->nleft_out = c->progress.njobs - (int)npoints;
    out->was_interrupted = c->was_interrupted;
    out->blocks = c->progress.block;
    out->seconds = c->t->now(c->t->self) - c->start;
    out->latency = out->bandwidth =
        (struct hitop_interference){.at_once = c->nlinks > 0, .slowdown = 1};
    for (int i = 0; i < c->nphases; i++) {
        note_interference(&c->phase[i].interference[0], &out->latency);
        note_interference(&c->phase[i].interference[1], &out->bandwidth);
    }
}

enum hitop_status hitop_measure(const struct hitop_transport *transport,
                                const struct hitop_link *links, int nlinks,
                                const struct hitop_measure_options *options,
                                struct hitop_measurement *out, struct hitop_diag *diag)
{
    struct measure_state c = {.t = transport,
                              .o = options,
                              .links = links,
                              .nlinks = nlinks,
                              .start = transport->now(transport->self)};
    enum hitop_status status = check(transport, links, nlinks, options, diag);

    *out = (struct hitop_measurement){0};
    if (status != HITOP_OK) {
        return status; /* the same on all ranks */
    }
    status = hitop_agree_on_status(transport, open_state(&c, diag), diag);
    if (status == HITOP_OK) {
        status = hitop_adopt_known(&c, diag);
    }
    if (status == HITOP_OK) {
        status = run(&c, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_measurement_collect(&c, out, diag);
    }
    if (status == HITOP_OK && transport->rank <= 0) {
        describe(&c, out);
    }
    close_state(&c);
    return status;
}

/*
 * Visit all jobs once, then the unfinished ones until the deadline. A visit that has begun is
 * completed.
 */
static enum hitop_status run_link(struct link_jobs *set, const struct hitop_transport *t,
                                  double slice, gsl_rng *rng, struct hitop_diag *diag)
{
    const double deadline = t->now(t->self) + slice;
    const struct visit_limits limits = {
        .warm_up = fmin(0.05, 0.02 * slice), .slice = HUGE_VAL, .room = HUGE_VAL};
    enum hitop_status status;
    double ignored;
    int changed = 0;

    do {
        status = hitop_link_jobs_begin(set, &hitop_all_sizes, rng, diag);
        if (status == HITOP_OK) {
            status = hitop_link_jobs_visit(set, t, &limits, diag);
        }
        if (status == HITOP_OK) {
            status = hitop_link_jobs_review(set, &changed, diag);
        }
    } while (status == HITOP_OK && t->now(t->self) < deadline &&
             hitop_link_jobs_unfinished(set, &hitop_all_sizes, &ignored) > 0);
    return status;
}

enum hitop_status hitop_measure_link(const struct hitop_transport *t, const struct hitop_link *link,
                                     const struct hitop_measure_options *options, double slice,
                                     struct hitop_point *points, struct hitop_diag *diag)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct link_jobs set = {0};
    enum hitop_status status =
        rng ? hitop_link_jobs_open(&set, t, link, 1, options, diag)
            : hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");

    if (status == HITOP_OK) {
        gsl_rng_set(rng, (unsigned long)(options->seed * 1000003 + (unsigned long long)link->node));
        status = run_link(&set, t, slice, rng, diag);
    }
    for (int i = 0; status == HITOP_OK && i < set.n; i++) {
        status = hitop_job_point(&set.job[i], &points[i], diag);
    }
    hitop_link_jobs_close(&set);
    gsl_rng_free(rng);
    return status;
}
