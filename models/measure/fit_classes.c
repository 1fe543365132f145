/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_classes.c - what was measured on links, and the parameters of their classes, one link for
 * each. */
#include <config.h>

#include "models/measure/fit_classes.h"

#include "models/fit/eager.h"
#include "models/measure/measure_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void hitop_count_samples(const struct hitop_curve *curve, int ncurves, int *nsamples,
                         int *converged)
{
    for (int c = 0; c < ncurves; c++) {
        for (size_t i = 0; i < curve[c].npoints; i++) {
            *nsamples += curve[c].points[i].nsamples;
            *converged = *converged && curve[c].points[i].converged;
        }
    }
}

struct hitop_measured hitop_measured_slice(const struct hitop_measured *measured, int first, int n)
{
    struct hitop_measured out = *measured;

    out.links += first;
    out.nlinks = n;
    out.curves += (size_t)first * HITOP_NEXPERIMENTS;
    out.eager = out.eager ? out.eager + first : NULL;
    out.pair_sets = out.pair_sets ? out.pair_sets + first : NULL;
    return out;
}

struct hitop_evidence hitop_measure_evidence(const struct hitop_measured *measured, int index)
{
    struct hitop_evidence e = {.confidence = measured->confidence};

    memcpy(e.curve, measured->curves + (size_t)index * HITOP_NEXPERIMENTS, sizeof(e.curve));
    if (measured->pair_sets) {
        e.pair_sets = measured->pair_sets[index].set;
        e.nsets = measured->pair_sets[index].n;
    }
    return e;
}

/* Times that a class keeps: short and long messages, and what is between. */
enum { KEPT_TIMES = 4 };

/* How well the measured one-way times are met, and how they were measured. */
static void describe(const struct hitop_model_type *type, const struct hitop_evidence *e,
                     struct hitop_class *out)
{
    const struct hitop_curve *echo = &e->curve[HITOP_ECHO];
    struct hitop_terms terms;

    hitop_model_class_terms(out, &terms);
    terms.from = e->from;
    terms.to = e->to;
    for (size_t i = 0; i < echo->npoints; i++) {
        const double predicted = type->p2p(&terms, echo->points[i].bytes);
        if (echo->points[i].seconds > 0) {
            out->residual = fmax(out->residual, fabs(predicted / echo->points[i].seconds - 1));
        }
    }
    out->nsizes = (int)echo->npoints;
    out->converged = 1;
    hitop_count_samples(e->curve, HITOP_NEXPERIMENTS, &out->nsamples, &out->converged);
}

/* Points of any link at most; what a table can need. */
static size_t count_rows(const struct hitop_measured *measured)
{
    size_t most = 0;

    for (int i = 0; i < measured->nlinks; i++) {
        const struct hitop_curve *curve = measured->curves + (size_t)i * HITOP_NEXPERIMENTS;
        size_t n = 0;
        for (int c = 0; c < HITOP_NEXPERIMENTS; c++) {
            n += curve[c].npoints;
        }
        most = n > most ? n : most;
    }
    return most;
}

/* A few of the points, from the first to the last. */
static void keep_times(const struct hitop_curve *c, struct hitop_time *times,
                       struct hitop_class *out)
{
    const size_t n = c->npoints < KEPT_TIMES ? c->npoints : KEPT_TIMES;

    for (size_t i = 0; i < n; i++) {
        const struct hitop_point *p = &c->points[n == 1 ? 0 : i * (c->npoints - 1) / (n - 1)];
        if (p->lo >= 0 && p->lo <= p->seconds && p->seconds <= p->hi && isfinite(p->hi)) {
            times[out->ntimes++] = (struct hitop_time){p->bytes, p->seconds, p->lo, p->hi};
        }
    }
    out->times = times;
}

static struct hitop_class class_of(const struct hitop_link *link, const struct hitop_fit *fit)
{
    return (struct hitop_class){.node = link->node,
                                .between = {link->between[0], link->between[1]},
                                .pair = {link->rank[0], link->rank[1]},
                                .params = fit->params,
                                .se = fit->se,
                                .lo = fit->lo,
                                .hi = fit->hi,
                                .table = fit->nrows > 0 ? fit->table : NULL,
                                .nrows = (int)fit->nrows};
}

static void adopt_eager(const struct hitop_eager *found, struct hitop_class *c)
{
    c->has_eager = found->is_found;
    c->eager = found->is_max ? HITOP_ALL_SIZES : found->bytes;
}

/* What processors at the ends of a link between hosts take, where that is known. */
static void add_processors(const struct hitop_hierarchy *h, const struct hitop_link *link,
                           const struct hitop_processor *processors, const int *processor_of,
                           struct hitop_evidence *e)
{
    if (processors && !hitop_hierarchy_share_host(h, link->rank[0], link->rank[1])) {
        e->from = processors[processor_of ? processor_of[link->rank[0]] : 0].params;
        e->to = processors[processor_of ? processor_of[link->rank[1]] : 0].params;
    }
}

void hitop_fitted_classes_clear(struct fitted_classes *classes)
{
    free(classes->numbers);
    free(classes->times);
    free(classes->of);
    *classes = (struct fitted_classes){0};
}

enum hitop_status
hitop_fit_classes(const struct hitop_model_type *type, const struct hitop_hierarchy *h,
                  const struct hitop_measured *links, const struct hitop_processor *processors,
                  const int *processor_of, struct fitted_classes *out, struct hitop_diag *diag)
{
    const size_t n = (size_t)links->nlinks + 1, max_rows = count_rows(links);
    const size_t width = 4 * type->nparams + max_rows * type->ncolumns;
    const struct hitop_estimators tools = hitop_estimators_with(links->line);
    enum hitop_status status = HITOP_OK;

    out->of = calloc(n, sizeof(*out->of));
    out->numbers = calloc(n, width * sizeof(*out->numbers));
    out->times = calloc(n * KEPT_TIMES, sizeof(*out->times));
    if (!out->of || !out->numbers || !out->times) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");
    }
    for (int i = 0; status == HITOP_OK && i < links->nlinks; i++) {
        struct hitop_evidence e = hitop_measure_evidence(links, i);
        struct hitop_fit fit = fit_at(out->numbers + (size_t)i * width, type->nparams, max_rows);
        add_processors(h, &links->links[i], processors, processor_of, &e);
        status = type->fit(&e, &tools, &fit, diag);
        if (status == HITOP_OK) {
            out->of[i] = class_of(&links->links[i], &fit);
            describe(type, &e, &out->of[i]);
            keep_times(&e.curve[HITOP_ECHO], out->times + (size_t)i * KEPT_TIMES, &out->of[i]);
            if (links->eager) {
                adopt_eager(&links->eager[i], &out->of[i]);
            }
        }
    }
    return status;
}
