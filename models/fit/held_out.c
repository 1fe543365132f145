/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * held_out.c - errors of models at measurements that are left out of their fit.
 *
 * Idea:  the measurements of a fit do not test its model. So every fourth size is left out of the
 *        fit and predicted, as well as whole pairs, and one sender with two receivers by the rule
 *            T = max over both of [p2p(m) there + p2p(0) back] + occupancy(m) + occupancy(0)
 */
#include <config.h>

#include "models/fit/errors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Some of the points of a measurement. */
struct part {
    struct hitop_measured measured;
    struct hitop_curve *curves;
    struct hitop_point *points;
};

static void part_clear(struct part *part)
{
    free(part->curves);
    free(part->points);
}

/*
 * Leave out the third size and every fourth one after it, but not the last one, so that no line is
 * extrapolated.
 */
static int is_left_out(const struct hitop_curve *c, size_t k)
{
    return c->npoints > 4 && k % 4 == 2 && k + 1 < c->npoints;
}

/* Fill a part with the points that are left out, or with the others. */
static int part_fill(struct part *part, const struct hitop_measured *in, int left_out)
{
    const size_t ncurves = (size_t)in->nlinks * HITOP_NEXPERIMENTS;
    struct hitop_point *at;

    part->measured = *in;
    part->curves = calloc(ncurves + 1, sizeof(*part->curves));
    part->points = at = calloc(hitop_count_points(in) + 1, sizeof(*part->points));
    if (!part->curves || !part->points) {
        return 0;
    }
    part->measured.curves = part->curves;
    for (size_t i = 0; i < ncurves; i++) {
        const struct hitop_curve *c = &in->curves[i];
        part->curves[i].points = at;
        for (size_t k = 0; k < c->npoints; k++) {
            if (is_left_out(c, k) == left_out) {
                *at++ = c->points[k];
                part->curves[i].npoints++;
            }
        }
    }
    return 1;
}

static double price_fan(const struct hitop_model *m, const struct hitop_link *l, size_t bytes)
{
    const int i = l->rank[0], j = l->rank[1], k = l->third;
    const double first = hitop_model_p2p(m, i, j, bytes) + hitop_model_p2p(m, j, i, 0);
    const double second = hitop_model_p2p(m, i, k, bytes) + hitop_model_p2p(m, k, i, 0);

    return fmax(first, second) + hitop_model_occupancy(m, i, j, bytes) +
           hitop_model_occupancy(m, i, j, 0);
}

static void errors_of_fans(const struct hitop_model *model, const struct hitop_measured *triples,
                           struct error_list *out)
{
    for (int i = 0; i < triples->nlinks; i++) {
        const struct hitop_curve *c = &triples->curves[(size_t)i * HITOP_NEXPERIMENTS + HITOP_FAN];
        for (size_t k = 0; k < c->npoints; k++) {
            hitop_errors_add(out, price_fan(model, &triples->links[i], c->points[k].bytes),
                             c->points[k].seconds);
        }
    }
}

/* The number of parameters and table entries of a model. */
static size_t count_numbers(const struct hitop_model *model)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    size_t n = (size_t)hitop_model_nprocessors(model) * type->nprocessor_params;

    for (int i = 0; i < hitop_model_nclasses(model); i++) {
        n += type->nparams + (size_t)hitop_model_class(model, i)->nrows * type->ncolumns;
    }
    return n;
}

/* Sum up the errors of one kind; move them to the list of all errors. */
static struct hitop_errors conclude(struct error_list *kind, struct error_list *all)
{
    const int n = kind->n;

    memcpy(all->value + all->n, kind->value, (size_t)n * sizeof(*kind->value));
    all->n += n;
    kind->n = 0;
    return hitop_errors_of(kind->value, n);
}

/* The measurements of a fit, and those that are left out of it. */
struct split {
    struct part seen, unseen;
    struct hitop_measured triples, fans; /* empty without triples */
    struct error_list kind, all;
};

static int split_fill(struct split *s, const struct hitop_findings *f)
{
    const int n = f->triples ? f->triples->nlinks : 0, kept = n - n / 6;
    size_t room = hitop_count_points(&f->links) + (f->pairs ? hitop_count_points(f->pairs) : 0);

    *s = (struct split){0};
    if (f->triples) {
        s->triples = hitop_measured_slice(f->triples, 0, kept);
        s->fans = hitop_measured_slice(f->triples, kept, n - kept);
        room += hitop_count_points(f->triples);
    }
    return part_fill(&s->seen, &f->links, 0) && part_fill(&s->unseen, &f->links, 1) &&
           hitop_errors_reserve(&s->kind, room) && hitop_errors_reserve(&s->all, room);
}

static void split_clear(struct split *s)
{
    part_clear(&s->seen);
    part_clear(&s->unseen);
    free(s->kind.value);
    free(s->all.value);
}

/* Fit and compare; the first failure is noted in the trial. */
static void try(struct split *s, const struct hitop_findings *f, struct hitop_trial *trial)
{
    const struct hitop_measured *triples = s->triples.nlinks > 0 ? &s->triples : NULL;
    struct hitop_model *model = NULL;

    trial->status = hitop_measure_fit(trial->type->name, f->hierarchy, &s->seen.measured, triples,
                                      NULL, &model, &trial->diag);
    if (trial->status != HITOP_OK) {
        return;
    }
    hitop_errors_of_echoes(model, &s->unseen.measured, HITOP_NO_NODE, &s->kind);
    trial->sizes = conclude(&s->kind, &s->all);
    errors_of_fans(model, &s->fans, &s->kind);
    trial->patterns = conclude(&s->kind, &s->all);
    hitop_model_free(model);
    trial->status = hitop_measure_fit(trial->type->name, f->hierarchy, &f->links, f->triples, NULL,
                                      &model, &trial->diag);
    if (trial->status != HITOP_OK) {
        return;
    }
    if (f->pairs) {
        hitop_errors_of_echoes(model, f->pairs, HITOP_NO_NODE, &s->kind);
        trial->pairs = conclude(&s->kind, &s->all);
    }
    trial->nnumbers = count_numbers(model);
    trial->all = hitop_errors_of(s->all.value, s->all.n);
    hitop_model_free(model);
}

enum hitop_status hitop_try_type(const struct hitop_model_type *type,
                                 const struct hitop_findings *findings, struct hitop_trial *out,
                                 struct hitop_diag *diag)
{
    struct split split;
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_trial){.type = type};
    if (split_fill(&split, findings)) {
        try(&split, findings, out);
    } else {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "comparison of models: out of memory");
    }
    split_clear(&split);
    return status;
}

/* The error at a time, limited to a factor of e. */
static double error_at(const struct hitop_model *model, const int *rank,
                       const struct hitop_point *p)
{
    const double price = hitop_model_p2p(model, rank[0], rank[1], p->bytes);

    return price > 0 ? fmin(fabs(log(price / p->seconds)), 1) : 1;
}

/*
 * A relative error that is added to the noise of each time, so that precise times do not get too
 * large a weight.
 */
static const double smallest_error = 0.05;

/* Compare the errors of both models; precise times have larger weights. */
static void compare(const struct hitop_model *simpler, const struct hitop_model *richer,
                    const struct hitop_measured *unseen, struct hitop_preference *out)
{
    double weights = 0, variance = 0;

    for (int i = 0; i < unseen->nlinks; i++) {
        const struct hitop_curve *c = &unseen->curves[(size_t)i * HITOP_NEXPERIMENTS + HITOP_ECHO];
        const int *rank = unseen->links[i].rank;
        for (size_t k = 0; k < c->npoints; k++) {
            const struct hitop_point *p = &c->points[k];
            if (p->seconds > 0) {
                const double noise = p->se / p->seconds;
                const double weight = 1 / (noise * noise + smallest_error * smallest_error);
                out->error[0] += weight * error_at(simpler, rank, p);
                out->error[1] += weight * error_at(richer, rank, p);
                variance += pow(weight * noise, 2);
                weights += weight;
                out->n++;
            }
        }
    }
    if (out->n > 0) {
        out->error[0] /= weights;
        out->error[1] /= weights;
        out->gain = out->error[0] - out->error[1];
        out->spread = sqrt(variance) / weights;
        out->is_richer = out->gain > fmax(2 * out->spread, 0.1 * out->error[0]);
    }
}

static enum hitop_status prefer(const struct split *s, const struct hitop_model_type *simpler,
                                const struct hitop_model_type *richer,
                                const struct hitop_findings *f, struct hitop_preference *out,
                                struct hitop_diag *diag)
{
    struct hitop_model *model[2] = {NULL, NULL};
    enum hitop_status status = hitop_measure_fit(simpler->name, f->hierarchy, &s->seen.measured,
                                                 NULL, NULL, &model[0], diag);

    if (status == HITOP_OK && hitop_measure_fit(richer->name, f->hierarchy, &s->seen.measured, NULL,
                                                NULL, &model[1], NULL) == HITOP_OK) {
        compare(model[0], model[1], &s->unseen.measured, out);
    }
    hitop_model_free(model[0]);
    hitop_model_free(model[1]);
    return status;
}

enum hitop_status hitop_prefer_type(const struct hitop_model_type *simpler,
                                    const struct hitop_model_type *richer,
                                    const struct hitop_findings *findings,
                                    struct hitop_preference *out, struct hitop_diag *diag)
{
    struct split split;
    enum hitop_status status;

    *out = (struct hitop_preference){0};
    status = split_fill(&split, findings)
                 ? prefer(&split, simpler, richer, findings, out, diag)
                 : hitop_fail(diag, HITOP_ERR_NOMEM, "comparison of models: out of memory");
    split_clear(&split);
    return status;
}

int hitop_choose_trial(const struct hitop_trial *trials, int n, double floor)
{
    double best = HUGE_VAL;
    int chosen = -1;

    for (int i = 0; i < n; i++) {
        if (trials[i].status == HITOP_OK) {
            best = fmin(best, trials[i].all.q90);
        }
    }
    for (int i = 0; i < n; i++) {
        const struct hitop_trial *t = &trials[i];
        if (t->status == HITOP_OK && t->all.q90 <= fmax(1.1 * best, best + floor) &&
            (chosen < 0 || t->nnumbers < trials[chosen].nnumbers)) {
            chosen = i;
        }
    }
    return chosen;
}
