/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_passes.c - one visit to every unfinished job of every link.
 *
 * Idea:  links that do not disturb each other are visited at once, in concurrent batches. These
 *        come in random order, the same in all processes. Each process measures its links; then all
 *        agree on the outcome of the concurrent batch, so that they continue, or end, alike. The
 *        visit has steps, so that it can end with the budget, and so that samples can be sent to
 *        the process that keeps them. After the pass rank 0 learns the state of all links.
 */
#include <config.h>

#include "models/measure/measure_state.h"

#include <gsl/gsl_randist.h>

#include <math.h>

/* The part of the time that the transfer of new samples to rank 0 may take. */
static const double keep_share = 0.05;

/*
 * Whether the time is used up. The first pass ignores the budget, so that every link has samples;
 * the time after the passes is for a last test of links that ran at once.
 */
static int is_budget_used(const struct measure_state *c)
{
    return c->progress.block > 0 && c->elapsed >= c->passes_end;
}

/* Seconds between two transfers of samples to rank 0; without a journal there are none. */
static double keep_interval(const struct measure_state *c)
{
    return c->o->keep ? c->keeping / keep_share : HUGE_VAL;
}

/* At rank 0: the report of one process. */
static enum hitop_status take_batches(void *user, const void *data, size_t length,
                                      struct hitop_diag *diag)
{
    const struct measure_state *c = user;
    struct hitop_batch batch;
    enum hitop_status status = HITOP_OK;
    size_t offset = 0;

    while (status == HITOP_OK && hitop_batches_next(data, length, &offset, &batch)) {
        batch.part = c->o->part;
        status = c->o->keep(c->o->keep_data, &batch, diag);
    }
    return status;
}

/*
 * Rank 0 receives the new samples, if it keeps them. All processes call it and wait until it ends,
 * so that it may take only a small part of the time. A killed job loses the samples since the last
 * transfer.
 */
static enum hitop_status hand_on(struct measure_state *c, struct hitop_diag *diag)
{
    const double begin = c->t->now(c->t->self);
    enum hitop_status status;

    if (!c->o->keep) {
        return HITOP_OK;
    }
    status = c->t->gather(c->t->self, c->fresh->bytes.data, c->fresh->bytes.length, take_batches, c,
                          diag);
    c->fresh->bytes.length = 0;
    status = hitop_agree_on_status(c->t, status, diag);
    c->kept = c->elapsed;
    c->keeping = c->t->now(c->t->self) - begin;
    return status;
}

/* The part of the budget that one step may take. */
static const double step_share = 0.02;

/*
 * The warm-up of a concurrent batch is short if round trips take more than this part of its time.
 */
static const double hasty_share = 0.1;

/* Seconds of a step; its last job may take longer. */
static double step_time(const struct measure_state *c)
{
    return fmin(keep_interval(c), step_share * time_to_plan(c->o));
}

/* Do one step of the visit to a link that this process leads. */
static enum hitop_status visit(struct measure_state *c, const struct concurrent_batch *b, int link,
                               int step, struct hitop_diag *diag)
{
    struct link_jobs *set = &c->of_link[link];
    const double room = c->progress.block == 0 || set->is_short ? c->room : HUGE_VAL;
    const struct visit_limits limits = {.warm_up = c->warm_up_limit,
                                        .is_hasty = hasty_share * room < c->longest,
                                        .slice = step_time(c),
                                        .room = room};
    const enum hitop_status status =
        step == 0 ? hitop_link_jobs_begin(set, &b->sizes, c->own, diag) : HITOP_OK;

    return status == HITOP_OK ? hitop_link_jobs_visit(set, c->t, &limits, diag) : status;
}

int hitop_measure_look_ahead(const struct measure_state *c, const struct concurrent_batch *b,
                             double *expected)
{
    int unfinished = 0;

    *expected = 0;
    for (int i = b->first; i < b->last; i += b->step) {
        double visit_time;
        unfinished += hitop_link_jobs_unfinished(&c->of_link[i], &b->sizes, &visit_time);
        *expected = fmax(*expected, visit_time);
    }
    return unfinished > 0;
}

/* The values that all processes agree on after each step; the largest ones count. */
enum {
    A_FAILED, /* for hitop_agree_on_values() */
    A_ELAPSED,
    A_INTERRUPTED,
    A_UNFINISHED,
    A_EXPECTED,
    A_CHANGED,
    A_LEFT,
    A_KEEPING,
    A_LONGEST,
    NAGREED
};

/* *left becomes 1 while the visit has unfinished jobs. */
static enum hitop_status agree_on_batch(struct measure_state *c, struct concurrent_batch *b,
                                        enum hitop_status own, int *left, struct hitop_diag *diag)
{
    double value[NAGREED] = {[A_ELAPSED] = c->t->now(c->t->self) - c->start,
                             [A_INTERRUPTED] = is_interrupted(c->o),
                             [A_KEEPING] = c->keeping};
    enum hitop_status status;

    for (int i = b->first; i < b->last; i += b->step) {
        value[A_LEFT] = fmax(value[A_LEFT], link_jobs_goes_on(&c->of_link[i]));
        value[A_LONGEST] = fmax(value[A_LONGEST], hitop_link_jobs_longest(&c->of_link[i]));
    }
    value[A_CHANGED] = c->has_changed;
    c->has_changed = 0;
    value[A_UNFINISHED] = hitop_measure_look_ahead(c, b, &value[A_EXPECTED]);
    status = hitop_agree_on_values(c->t, own, value, NAGREED, diag);
    if (status != HITOP_OK) {
        return status;
    }
    c->elapsed = value[A_ELAPSED];
    c->keeping = value[A_KEEPING];
    c->longest = fmax(c->longest, value[A_LONGEST]);
    *left = value[A_LEFT] > 0;
    c->was_interrupted = c->was_interrupted || value[A_INTERRUPTED] > 0;
    b->unfinished = value[A_UNFINISHED] > 0;
    b->expected = value[A_EXPECTED];
    for (int i = 0; value[A_CHANGED] > 0 && i < c->nbatches; i++) {
        /* other concurrent batches may have to visit reopened jobs */
        c->batch[i].unfinished = 1;
    }
    return HITOP_OK;
}

/* Store the new samples of a link until the next transfer to rank 0. */
static enum hitop_status pack(const struct measure_state *c, int link, struct hitop_diag *diag)
{
    const struct link_jobs *set = &c->of_link[link];
    enum hitop_status status = HITOP_OK;

    for (int k = 0; c->o->keep && status == HITOP_OK && k < set->n; k++) {
        struct hitop_batch batch;
        if (hitop_job_hand_on(&set->job[k], &batch)) {
            batch.link = link;
            batch.block = c->progress.block;
            status = hitop_batches_add(c->fresh, &batch, diag);
        }
    }
    return status;
}

/* Do one step of the visit to all links of a batch, and review links whose visit is over. */
static enum hitop_status go_on(struct measure_state *c, const struct concurrent_batch *b, int step,
                               struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = b->first; status == HITOP_OK && i < b->last; i += b->step) {
        if (plays_first(c->t, &c->links[i])) {
            status = visit(c, b, i, step, diag);
        }
        status = hitop_link_end(c->t, &c->links[i], is_triple(c->o), status, diag);
    }
    for (int i = b->first; status == HITOP_OK && i < b->last; i += b->step) {
        status = pack(c, i, diag);
        if (status == HITOP_OK && c->of_link[i].order && !link_jobs_goes_on(&c->of_link[i])) {
            status = hitop_link_jobs_review(&c->of_link[i], &c->has_changed, diag);
        }
    }
    return status;
}

static int must_end(const struct measure_state *c)
{
    return c->was_interrupted || is_budget_used(c) ||
           (c->o->time_limit > 0 && c->elapsed >= c->o->time_limit);
}

/*
 * Visit all links of a concurrent batch once, or as long as there is time. All processes call it
 * and get the same outcome.
 */
static enum hitop_status run_batch(struct measure_state *c, struct concurrent_batch *b,
                                   struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int left = 1;

    if (c->t->concurrent) {
        c->t->concurrent(c->t->self, batch_width(b));
    }
    for (int step = 0; status == HITOP_OK && left && !must_end(c); step++) {
        status = agree_on_batch(c, b, go_on(c, b, step, diag), &left, diag);
        if (status == HITOP_OK && c->elapsed - c->kept >= keep_interval(c)) {
            status = hand_on(c, diag);
        }
    }
    return status;
}

/*
 * The part of the available time for which visits are planned, because they take longer than
 * expected.
 */
static const double room_share = 0.75;

/* Whether a concurrent batch is expected to end before the time limit. */
static int is_time_for(const struct measure_state *c, const struct concurrent_batch *b)
{
    const double limit = c->o->time_limit;

    return !(limit > 0) || (c->elapsed < limit && c->elapsed + b->expected <= limit);
}

/* Whether to go on; decided alike by all processes. */
static int goes_on(struct measure_state *c)
{
    c->is_over = c->is_over || c->was_interrupted || is_budget_used(c);
    return !c->is_over;
}

/* Report the progress to the caller at rank 0. */
static void report(struct measure_state *c, const int *order, int at, int n)
{
    struct hitop_progress *p = &c->progress;

    if (!c->o->progress || c->t->rank > 0) {
        return;
    }
    p->batch = at;
    p->nbatches = n;
    p->elapsed = c->elapsed;
    p->left = 0;
    for (int i = at; i < n; i++) {
        p->left += c->batch[order[i]].expected;
    }
    p->first = at < n ? c->batch[order[at]].first : 0;
    p->step = at < n ? c->batch[order[at]].step : 1;
    p->nlinks = at < n ? batch_width(&c->batch[order[at]]) : 0;
    p->expected = at < n ? c->batch[order[at]].expected : 0;
    c->o->progress(c->o->progress_data, p);
}

/* The concurrent batches of a pass with unfinished jobs, in random order; returns their number. */
static int draw_order(const struct measure_state *c, int *order)
{
    int n = 0;

    for (int i = 0; i < c->nbatches; i++) {
        if (c->batch[i].unfinished) {
            order[n++] = i;
        }
    }
    if (n > 1) {
        gsl_ran_shuffle(c->common, order, (size_t)n, sizeof(*order));
    }
    return n;
}

/* What a process reports at the end of a pass. */
struct tally {
    int finished, njobs, nmissing;
    double worst;
};

static struct tally count(const struct measure_state *c)
{
    struct tally tally = {0};

    for (int i = 0; i < c->nlinks; i++) {
        for (int k = 0; k < c->of_link[i].n; k++) {
            const struct job *job = &c->of_link[i].job[k];
            const struct hitop_median *m = &job->result;
            tally.njobs++;
            tally.nmissing += job->n == 0 && !job->is_optional;
            tally.finished += job->finished;
            if (m->median > 0) {
                tally.worst = fmax(tally.worst, (m->hi - m->lo) / (2 * m->median));
            }
        }
    }
    return tally;
}

/* At rank 0: the report of one process. */
static enum hitop_status take_tally(void *user, const void *data, size_t length,
                                    struct hitop_diag *diag)
{
    struct measure_state *c = user;
    struct hitop_progress *p = &c->progress;
    const struct tally *tally = data;

    (void)length;
    (void)diag;
    p->finished += tally->finished;
    p->njobs += tally->njobs;
    c->nmissing += tally->nmissing;
    p->worst = fmax(p->worst, tally->worst);
    return HITOP_OK;
}

/* Rank 0 receives the progress of all processes and their new samples. */
static enum hitop_status end_pass(struct measure_state *c, struct hitop_diag *diag)
{
    const struct tally tally = count(c);
    enum hitop_status status;

    c->progress.finished = c->progress.njobs = c->nmissing = 0;
    c->progress.worst = 0;
    status = c->t->gather(c->t->self, &tally, sizeof(tally), take_tally, c, diag);
    return status == HITOP_OK ? hand_on(c, diag) : status;
}

enum hitop_status hitop_measure_run_pass(struct measure_state *c, int *order,
                                         struct hitop_diag *diag)
{
    const int n = draw_order(c, order);
    const double end = fmin(c->passes_end, time_to_plan(c->o));
    enum hitop_status status = HITOP_OK;

    c->left_out = 0;
    for (int at = 0; status == HITOP_OK && at < n && goes_on(c); at++) {
        if (!is_time_for(c, &c->batch[order[at]])) {
            c->left_out++; /* a shorter one may fit */
            continue;
        }
        report(c, order, at, n);
        c->room = fmax(0, room_share * (end - c->elapsed)) / (n - at);
        status = run_batch(c, &c->batch[order[at]], diag);
    }
    if (status == HITOP_OK) {
        status = end_pass(c, diag);
    }
    report(c, order, n, n);
    c->is_over = c->is_over || c->left_out == n;
    return status;
}
