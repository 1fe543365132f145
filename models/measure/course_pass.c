/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * course_pass.c - one visit to every unfinished job of every link.
 *
 * Idea:  the waves come in random order, the same in all processes. After the pass rank 0 learns
 *        how far all are.
 */
#include <config.h>

#include "models/measure/course.h"
#include "models/measure/measure_impl.h"

#include <gsl/gsl_randist.h>

#include <math.h>

/* Visits take longer than expected, and what they leave later passes use. */
static const double room_share = 0.75;

/* Whether a wave will end before the time limit, as far as anybody knows. */
static int is_time_for(const struct course *c, const struct wave *w)
{
    const double limit = c->o->time_limit;

    return !(limit > 0) || (c->elapsed < limit && c->elapsed + w->expected <= limit);
}

/* Whether to go on; decided alike by all processes. */
static int goes_on(struct course *c)
{
    c->is_over = c->is_over || c->was_interrupted || course_budget_is_used(c);
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
    int finished, njobs, nmissing;
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
            tally.nmissing += job->n == 0 && !job->is_optional;
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
    struct course *c = user;
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

/* Rank 0 learns how far all are, and their new samples. */
static enum hitop_status end_pass(struct course *c, struct hitop_diag *diag)
{
    const struct tally tally = count(c);
    enum hitop_status status;

    c->progress.finished = c->progress.njobs = c->nmissing = 0;
    c->progress.worst = 0;
    status = c->t->gather(c->t->self, &tally, sizeof(tally), take_tally, c, diag);
    return status == HITOP_OK ? hitop_course_hand_on(c, diag) : status;
}

enum hitop_status hitop_course_run_pass(struct course *c, int *order, struct hitop_diag *diag)
{
    const int n = draw_order(c, order);
    const double end = fmin(c->passes_end, time_to_plan(c->o));
    enum hitop_status status = HITOP_OK;

    c->left_out = 0;
    for (int at = 0; status == HITOP_OK && at < n && goes_on(c); at++) {
        if (!is_time_for(c, &c->table.wave[order[at]])) {
            c->left_out++; /* a shorter one may have the time */
            continue;
        }
        tell(c, order, at, n);
        c->room = fmax(0, room_share * (end - c->elapsed)) / (n - at);
        status = hitop_course_run_wave(c, &c->table.wave[order[at]], diag);
    }
    if (status == HITOP_OK) {
        status = end_pass(c, diag);
    }
    tell(c, order, n, n);
    c->is_over = c->is_over || c->left_out == n;
    return status;
}
