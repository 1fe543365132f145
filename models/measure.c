/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.c - all links, pass by pass, within a budget of time.
 *
 * Idea:  a pass visits every unfinished job of every link once, wave by wave in random order. After each
 *        wave all processes agree on what has become of it, so that they end alike; after each pass,
 *        or once a second, rank 0 learns the new samples.
 */
#include <config.h>

#include "adopt.h"
#include "batches.h"
#include "measurement.h"
#include "timetable.h"

#include <gsl/gsl_randist.h>

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

enum hitop_status agree_on_status(const struct hitop_transport *t, enum hitop_status own,
                                  struct hitop_diag *diag)
{
    double failed = own != HITOP_OK;
    const enum hitop_status status = t->agree(t->self, &failed, 1, own == HITOP_OK ? diag : NULL);

    if (own != HITOP_OK) {
        return own;
    }
    if (status == HITOP_OK && failed > 0) {
        return hitop_fail(diag, HITOP_ERR_MPI, "measurement: another rank reports a failure");
    }
    return status;
}

/* Seconds between two times when rank 0 learns the new samples. */
static const double keep_interval = 1;

/* The measurement as a whole, in one process. */
struct course {
    const struct hitop_transport *t;
    const struct hitop_measure_options *o;
    const struct hitop_link *links;
    int nlinks;
    struct timetable table;
    struct link_jobs *of_link; /* [nlinks]; empty where another process leads */
    struct hitop_batches *fresh;
    gsl_rng *own, *common; /* random orders: of this process, and the same in all */
    struct hitop_progress progress;
    double warm_up_limit;        /* seconds for each job */
    double start, elapsed, kept; /* elapsed, and when samples were handed on, are agreed upon */
    int is_over, was_interrupted, has_changed;
    int left_out; /* waves of the last pass that were too long for the time limit */
};

static int is_triple(const struct hitop_measure_options *o)
{
    return o->experiments == HITOP_TRIPLE_SET;
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

/* A quarter of the budget may go into the warm-up of all jobs, wave after wave. */
static double limit_warm_up(const struct course *c)
{
    int njobs = 0;

    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        njobs += hitop_measure_nsizes(c->o, (enum hitop_experiment)e);
    }
    return fmin(0.05, 0.25 * c->o->budget / ((double)njobs * (c->table.n + 1)));
}

/* Memory, and the jobs of the links that this process leads. */
static enum hitop_status open_course(struct course *c, struct hitop_diag *diag)
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
            status = link_jobs_open(&c->of_link[i], c->t, &c->links[i], c->o, diag);
        }
    }
    return status;
}

static void close_course(struct course *c)
{
    for (int i = 0; c->of_link && i < c->nlinks; i++) {
        link_jobs_close(&c->of_link[i]);
    }
    free(c->of_link);
    hitop_batches_free(c->fresh);
    gsl_rng_free(c->common);
    gsl_rng_free(c->own);
    timetable_close(&c->table);
}

/* This process's part in one link. */
static enum hitop_status play(const struct course *c, int link, const struct wave *w,
                              struct hitop_diag *diag)
{
    const struct hitop_transport *t = c->t;
    const struct hitop_link *l = &c->links[link];
    enum hitop_status status, released;

    if (plays_second(t, l) || (is_triple(c->o) && plays_third(t, l))) {
        return t->answer(t->self, l->rank[0], t->rank, diag);
    }
    if (!plays_first(t, l)) {
        return HITOP_OK;
    }
    status = link_jobs_visit(&c->of_link[link], t, &w->sizes, c->warm_up_limit, c->own, diag);
    released = t->release(t->self, l->rank[0], l->rank[1], status == HITOP_OK ? diag : NULL);
    if (is_triple(c->o) && released == HITOP_OK) {
        released = t->release(t->self, l->rank[0], l->third, status == HITOP_OK ? diag : NULL);
    }
    return status == HITOP_OK ? released : status;
}

/* Whether a wave has unfinished jobs that this process leads, and how long their visit takes. */
static int look_ahead(const struct course *c, const struct wave *w, double *expected)
{
    int unfinished = 0;

    *expected = 0;
    for (int i = w->first; i < w->last; i += w->step) {
        double visit_time;
        unfinished += link_jobs_unfinished(&c->of_link[i], &w->sizes, &visit_time);
        *expected = fmax(*expected, visit_time);
    }
    return unfinished > 0;
}

/* What all processes know after each wave; the largest values count. */
enum { A_FAILED, A_ELAPSED, A_INTERRUPTED, A_UNFINISHED, A_EXPECTED, A_CHANGED, NAGREED };

static enum hitop_status agree_on_wave(struct course *c, struct wave *w, enum hitop_status own,
                                       struct hitop_diag *diag)
{
    double value[NAGREED] = {[A_FAILED] = own != HITOP_OK,
                             [A_ELAPSED] = c->t->now(c->t->self) - c->start,
                             [A_INTERRUPTED] =
                                 c->o->interrupted && c->o->interrupted(c->o->interrupted_data)};
    enum hitop_status status;

    value[A_CHANGED] = c->has_changed;
    c->has_changed = 0;
    value[A_UNFINISHED] = look_ahead(c, w, &value[A_EXPECTED]);
    status = c->t->agree(c->t->self, value, NAGREED, own == HITOP_OK ? diag : NULL);
    if (own != HITOP_OK || status != HITOP_OK) {
        return own != HITOP_OK ? own : status;
    }
    if (value[A_FAILED] > 0) {
        return hitop_fail(diag, HITOP_ERR_MPI, "measurement: another rank reports a failure");
    }
    c->elapsed = value[A_ELAPSED];
    c->was_interrupted = c->was_interrupted || value[A_INTERRUPTED] > 0;
    w->unfinished = value[A_UNFINISHED] > 0;
    w->expected = value[A_EXPECTED];
    for (int i = 0; value[A_CHANGED] > 0 && i < c->table.n; i++) {
        c->table.wave[i].unfinished = 1; /* jobs came back that other waves may have to visit */
    }
    return HITOP_OK;
}

/* Keep the new samples of a link for rank 0. */
static enum hitop_status pack(const struct course *c, int link, struct hitop_diag *diag)
{
    const struct link_jobs *set = &c->of_link[link];
    enum hitop_status status = HITOP_OK;

    for (int k = 0; c->o->keep && status == HITOP_OK && k < set->n; k++) {
        struct hitop_batch batch;
        if (job_hand_on(&set->job[k], &batch)) {
            batch.link = link;
            batch.block = c->progress.block;
            status = hitop_batches_add(c->fresh, &batch, diag);
        }
    }
    return status;
}

static enum hitop_status run_wave(struct course *c, struct wave *w, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (c->t->concurrent) {
        c->t->concurrent(c->t->self, wave_width(w));
    }
    for (int i = w->first; status == HITOP_OK && i < w->last; i += w->step) {
        status = play(c, i, w, diag);
    }
    for (int i = w->first; status == HITOP_OK && i < w->last; i += w->step) {
        status = pack(c, i, diag);
        if (status == HITOP_OK) {
            status = link_jobs_review(&c->of_link[i], &c->has_changed, diag);
        }
    }
    return agree_on_wave(c, w, status, diag);
}

/* Whether a wave will end before the time limit, as far as anybody knows. */
static int is_time_for(const struct course *c, const struct wave *w)
{
    const double limit = c->o->time_limit;

    return !(limit > 0) || (c->elapsed < limit && c->elapsed + w->expected <= limit);
}

/* Whether to go on; decided alike by all processes. The first pass is not for the budget to cut short, so
 * that every size has samples. */
static int goes_on(struct course *c)
{
    c->is_over =
        c->is_over || c->was_interrupted || (c->progress.block > 0 && c->elapsed >= c->o->budget);
    return !c->is_over;
}

/* Tell rank 0's caller what comes next. */
static void tell(struct course *c, const int *order, int at, int n)
{
    struct hitop_progress *p = &c->progress;

    if (!c->o->progress || c->t->rank > 0) {
        return;
    }
    p->wave = at;
    p->nwaves = n;
    p->elapsed = c->elapsed;
    p->left = 0;
    for (int i = at; i < n; i++) {
        p->left += c->table.wave[order[i]].expected;
    }
    p->first = at < n ? c->table.wave[order[at]].first : 0;
    p->step = at < n ? c->table.wave[order[at]].step : 1;
    p->nlinks = at < n ? wave_width(&c->table.wave[order[at]]) : 0;
    p->expected = at < n ? c->table.wave[order[at]].expected : 0;
    c->o->progress(c->o->progress_data, p);
}

/* The waves of a pass that have something to do, in random order; returns how many. */
static int draw_order(const struct course *c, int *order)
{
    int n = 0;

    for (int i = 0; i < c->table.n; i++) {
        if (c->table.wave[i].unfinished) {
            order[n++] = i;
        }
    }
    if (n > 1) {
        gsl_ran_shuffle(c->common, order, (size_t)n, sizeof(*order));
    }
    return n;
}

/* What a process tells of itself at the end of a pass. */
struct tally {
    int finished, njobs;
    double worst;
};

static struct tally count(const struct course *c)
{
    struct tally tally = {0};

    for (int i = 0; i < c->nlinks; i++) {
        for (int k = 0; k < c->of_link[i].n; k++) {
            const struct job *job = &c->of_link[i].job[k];
            const struct hitop_median *m = &job->result;
            tally.njobs++;
            tally.finished += job->finished;
            if (m->median > 0) {
                tally.worst = fmax(tally.worst, (m->hi - m->lo) / (2 * m->median));
            }
        }
    }
    return tally;
}

/* Rank 0 hears of one process. */
static enum hitop_status take_tally(void *user, const void *data, size_t length,
                                    struct hitop_diag *diag)
{
    struct hitop_progress *p = user;
    const struct tally *tally = data;

    (void)length;
    (void)diag;
    p->finished += tally->finished;
    p->njobs += tally->njobs;
    p->worst = fmax(p->worst, tally->worst);
    return HITOP_OK;
}

static enum hitop_status take_batches(void *user, const void *data, size_t length,
                                      struct hitop_diag *diag)
{
    const struct course *c = user;
    struct hitop_batch batch;
    enum hitop_status status = HITOP_OK;
    size_t offset = 0;

    while (status == HITOP_OK && batches_next(data, length, &offset, &batch)) {
        batch.part = c->o->part;
        status = c->o->keep(c->o->keep_data, &batch, diag);
    }
    return status;
}

/* Rank 0 learns the new samples. */
static enum hitop_status hand_on(struct course *c, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (c->o->keep) {
        status = c->t->gather(c->t->self, c->fresh->data, c->fresh->length, take_batches, c, diag);
        c->fresh->length = 0;
        c->kept = c->elapsed;
        status = agree_on_status(c->t, status, diag);
    }
    return status;
}

/* Rank 0 learns how far all are, and their new samples. */
static enum hitop_status end_pass(struct course *c, struct hitop_diag *diag)
{
    const struct tally tally = count(c);
    enum hitop_status status;

    c->progress.finished = c->progress.njobs = 0;
    c->progress.worst = 0;
    status = c->t->gather(c->t->self, &tally, sizeof(tally), take_tally, &c->progress, diag);
    return status == HITOP_OK ? hand_on(c, diag) : status;
}

static enum hitop_status run_pass(struct course *c, int *order, struct hitop_diag *diag)
{
    const int n = draw_order(c, order);
    enum hitop_status status = HITOP_OK;

    c->left_out = 0;
    for (int at = 0; status == HITOP_OK && at < n && goes_on(c); at++) {
        if (!is_time_for(c, &c->table.wave[order[at]])) {
            c->left_out++; /* a shorter one may have the time */
            continue;
        }
        tell(c, order, at, n);
        status = run_wave(c, &c->table.wave[order[at]], diag);
        if (status == HITOP_OK && c->elapsed - c->kept >= keep_interval) {
            status = hand_on(c, diag);
        }
    }
    if (status == HITOP_OK) {
        status = end_pass(c, diag);
    }
    tell(c, order, n, n);
    c->is_over = c->is_over || c->left_out == n;
    return status;
}

/* Plan the waves, unless an earlier run has brought all there is to know. */
static enum hitop_status plan(struct course *c, struct hitop_diag *diag)
{
    const struct wave all = {.last = c->nlinks, .step = 1, .sizes = all_sizes};
    double ignored, unfinished = look_ahead(c, &all, &ignored);
    const enum hitop_status status = c->t->agree(c->t->self, &unfinished, 1, diag);

    return status == HITOP_OK && unfinished > 0
               ? timetable_plan(&c->table, c->t, c->links, c->nlinks, c->o, diag)
               : status;
}

static enum hitop_status run(struct course *c, struct hitop_diag *diag)
{
    const double limit = c->o->time_limit;
    int *order;
    enum hitop_status status = plan(c, diag);

    if (status != HITOP_OK) {
        return status;
    }
    c->warm_up_limit = limit_warm_up(c);
    order = calloc((size_t)c->table.n + 1, sizeof(*order));
    status = agree_on_status(
        c->t, order ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory"),
        diag);
    for (; status == HITOP_OK && !c->is_over; c->progress.block++) {
        status = run_pass(c, order, diag);
    }
    free(order);
    c->was_interrupted = c->was_interrupted || c->left_out > 0;
    if (status == HITOP_OK && !c->was_interrupted && !(limit > 0 && c->elapsed > 0.9 * limit)) {
        status = timetable_check(&c->table, c->t, c->links, c->o, diag);
    }
    return status;
}

static void note_company(const struct hitop_company *seen, struct hitop_company *out)
{
    out->at_once = seen->at_once > out->at_once ? seen->at_once : out->at_once;
    out->slowdown = fmax(out->slowdown, seen->slowdown);
}

/* What the caller at rank 0 wants to know beside the points. */
static void describe(struct course *c, struct hitop_measurement *out)
{
    size_t npoints = 0;

    for (int i = 0; out->curves && i < c->nlinks * HITOP_NEXPERIMENTS; i++) {
        npoints += out->curves[i].npoints;
    }
    out->is_complete = npoints == (size_t)c->progress.njobs;
    out->was_interrupted = c->was_interrupted;
    out->blocks = c->progress.block;
    out->seconds = c->t->now(c->t->self) - c->start;
    out->latency = out->bandwidth = (struct hitop_company){.at_once = c->nlinks > 0, .slowdown = 1};
    for (int i = 0; i < c->table.nphases; i++) {
        note_company(&c->table.phase[i].company[0], &out->latency);
        note_company(&c->table.phase[i].company[1], &out->bandwidth);
    }
}

enum hitop_status hitop_measure(const struct hitop_transport *transport,
                                const struct hitop_link *links, int nlinks,
                                const struct hitop_measure_options *options,
                                struct hitop_measurement *out, struct hitop_diag *diag)
{
    struct course c = {.t = transport,
                       .o = options,
                       .links = links,
                       .nlinks = nlinks,
                       .start = transport->now(transport->self)};
    enum hitop_status status = check(transport, links, nlinks, options, diag);

    *out = (struct hitop_measurement){0};
    if (status != HITOP_OK) {
        return status; /* alike on all ranks */
    }
    status = agree_on_status(transport, open_course(&c, diag), diag);
    if (status == HITOP_OK) {
        status = adopt_known(transport, options->known, c.of_link, nlinks, diag);
    }
    if (status == HITOP_OK) {
        status = run(&c, diag);
    }
    if (status == HITOP_OK) {
        status = measurement_collect(out, transport, c.of_link, nlinks, diag);
    }
    if (status == HITOP_OK && transport->rank <= 0) {
        describe(&c, out);
    }
    close_course(&c);
    return status;
}
