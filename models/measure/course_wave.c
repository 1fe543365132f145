/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * course_wave.c - links that are visited at once.
 *
 * Idea:  each process plays its part in its links; then all agree on what has become of the wave,
 *        so that they go on, or end, alike. The visit is made in steps, so that it can end with the
 *        budget, and so that samples are handed on where they are kept.
 */
#include <config.h>

#include "models/measure/course.h"

#include "models/measure/measure_impl.h"

#include <math.h>

/* The part of the budget that one step may take. */
static const double step_share = 0.02;

/* Round trips that are longer than this part of the time for a wave make its warm-up short. */
static const double hasty_share = 0.1;

/* Seconds of a step; its last job may take longer. */
static double step_time(const struct course *c)
{
    return fmin(hitop_course_keep_interval(c), step_share * time_to_plan(c->o));
}

/* The first rank's part in one link. */
static enum hitop_status lead(const struct course *c, int link, const struct wave *w, int step,
                              struct hitop_diag *diag)
{
    struct link_jobs *set = &c->of_link[link];
    const double room = c->progress.block == 0 || set->is_short ? c->room : HUGE_VAL;
    const struct visit_limits limits = {.warm_up = c->warm_up_limit,
                                        .is_hasty = hasty_share * room < c->longest,
                                        .slice = step_time(c),
                                        .room = room};
    const enum hitop_status status =
        step == 0 ? hitop_link_jobs_begin(set, &w->sizes, c->own, diag) : HITOP_OK;

    return status == HITOP_OK ? hitop_link_jobs_visit(set, c->t, &limits, diag) : status;
}

/* This process's part in one link. */
static enum hitop_status play(const struct course *c, int link, const struct wave *w, int step,
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
    status = lead(c, link, w, step, diag);
    released = t->release(t->self, l->rank[0], l->rank[1], status == HITOP_OK ? diag : NULL);
    if (is_triple(c->o) && released == HITOP_OK) {
        released = t->release(t->self, l->rank[0], l->third, status == HITOP_OK ? diag : NULL);
    }
    return status == HITOP_OK ? released : status;
}

int hitop_course_look_ahead(const struct course *c, const struct wave *w, double *expected)
{
    int unfinished = 0;

    *expected = 0;
    for (int i = w->first; i < w->last; i += w->step) {
        double visit_time;
        unfinished += hitop_link_jobs_unfinished(&c->of_link[i], &w->sizes, &visit_time);
        *expected = fmax(*expected, visit_time);
    }
    return unfinished > 0;
}

/* What all processes know after each step; the largest values count. */
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

/* *left becomes 1 while the visit has something to do. */
static enum hitop_status agree_on_wave(struct course *c, struct wave *w, enum hitop_status own,
                                       int *left, struct hitop_diag *diag)
{
    double value[NAGREED] = {[A_ELAPSED] = c->t->now(c->t->self) - c->start,
                             [A_INTERRUPTED] =
                                 c->o->interrupted && c->o->interrupted(c->o->interrupted_data),
                             [A_KEEPING] = c->keeping};
    enum hitop_status status;

    for (int i = w->first; i < w->last; i += w->step) {
        value[A_LEFT] = fmax(value[A_LEFT], link_jobs_goes_on(&c->of_link[i]));
        value[A_LONGEST] = fmax(value[A_LONGEST], hitop_link_jobs_longest(&c->of_link[i]));
    }
    value[A_CHANGED] = c->has_changed;
    c->has_changed = 0;
    value[A_UNFINISHED] = hitop_course_look_ahead(c, w, &value[A_EXPECTED]);
    status = hitop_agree_on_values(c->t, own, value, NAGREED, diag);
    if (status != HITOP_OK) {
        return status;
    }
    c->elapsed = value[A_ELAPSED];
    c->keeping = value[A_KEEPING];
    c->longest = fmax(c->longest, value[A_LONGEST]);
    *left = value[A_LEFT] > 0;
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
        if (hitop_job_hand_on(&set->job[k], &batch)) {
            batch.link = link;
            batch.block = c->progress.block;
            status = hitop_batches_add(c->fresh, &batch, diag);
        }
    }
    return status;
}

/* Go on with the visit, and see what that has brought. */
static enum hitop_status go_on(struct course *c, const struct wave *w, int step,
                               struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = w->first; status == HITOP_OK && i < w->last; i += w->step) {
        status = play(c, i, w, step, diag);
    }
    for (int i = w->first; status == HITOP_OK && i < w->last; i += w->step) {
        status = pack(c, i, diag);
        if (status == HITOP_OK && c->of_link[i].order && !link_jobs_goes_on(&c->of_link[i])) {
            status = hitop_link_jobs_review(&c->of_link[i], &c->has_changed, diag);
        }
    }
    return status;
}

static int must_end(const struct course *c)
{
    return c->was_interrupted || course_budget_is_used(c) ||
           (c->o->time_limit > 0 && c->elapsed >= c->o->time_limit);
}

enum hitop_status hitop_course_run_wave(struct course *c, struct wave *w, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int left = 1;

    if (c->t->concurrent) {
        c->t->concurrent(c->t->self, wave_width(w));
    }
    for (int step = 0; status == HITOP_OK && left && !must_end(c); step++) {
        status = agree_on_wave(c, w, go_on(c, w, step, diag), &left, diag);
        if (status == HITOP_OK && c->elapsed - c->kept >= hitop_course_keep_interval(c)) {
            status = hitop_course_hand_on(c, diag);
        }
    }
    return status;
}
