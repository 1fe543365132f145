/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_fit.c - from the points of each link to the parameters of its class. */
#include <config.h>

#include "fit_processors.h"
#include "measure_impl.h"
#include "pool.h"

#include "hitop/eager.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void count_samples(const struct hitop_curve *curve, int ncurves, int *nsamples, int *converged)
{
    for (int c = 0; c < ncurves; c++) {
        for (size_t i = 0; i < curve[c].npoints; i++) {
            *nsamples += curve[c].points[i].nsamples;
            *converged = *converged && curve[c].points[i].converged;
        }
    }
}

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
    count_samples(e->curve, HITOP_NEXPERIMENTS, &out->nsamples, &out->converged);
}

struct hitop_measured hitop_measured_slice(const struct hitop_measured *measured, int first, int n)
{
    struct hitop_measured out = *measured;

    out.links += first;
    out.nlinks = n;
    out.curves += (size_t)first * HITOP_NEXPERIMENTS;
    out.eager = out.eager ? out.eager + first : NULL;
    out.crowds = out.crowds ? out.crowds + first : NULL;
    return out;
}

struct hitop_evidence hitop_measure_evidence(const struct hitop_measured *measured, int index)
{
    struct hitop_evidence e = {.confidence = measured->confidence};

    memcpy(e.curve, measured->curves + (size_t)index * HITOP_NEXPERIMENTS, sizeof(e.curve));
    if (measured->crowds) {
        e.crowds = measured->crowds[index].crowd;
        e.ncrowds = measured->crowds[index].n;
    }
    return e;
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

/* Numbers of one class: parameters, standard errors, intervals, then the table. */
static struct hitop_fit place_numbers(const struct hitop_model_type *type, double *at,
                                      size_t max_rows)
{
    const size_t n = type->nparams;

    return (struct hitop_fit){.params = at,
                              .se = at + n,
                              .lo = at + 2 * n,
                              .hi = at + 3 * n,
                              .table = at + 4 * n,
                              .max_rows = max_rows};
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

/* The classes of links and what they point to. */
struct classes {
    struct hitop_class *of;
    double *numbers;
};

/* The parameters of all classes; processors may be none. */
static enum hitop_status fit_classes(const struct hitop_model_type *type,
                                     const struct hitop_measured *links,
                                     const struct processors *processors, struct classes *out,
                                     struct hitop_diag *diag)
{
    const size_t n = (size_t)links->nlinks + 1, max_rows = count_rows(links);
    const size_t width = 4 * type->nparams + max_rows * type->ncolumns;
    const struct hitop_estimators tools = hitop_estimators_with(links->line);
    enum hitop_status status = HITOP_OK;

    out->of = calloc(n, sizeof(*out->of));
    out->numbers = calloc(n, width * sizeof(*out->numbers));
    if (!out->of || !out->numbers) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");
    }
    for (int i = 0; status == HITOP_OK && i < links->nlinks; i++) {
        struct hitop_evidence e = hitop_measure_evidence(links, i);
        struct hitop_fit fit = place_numbers(type, out->numbers + (size_t)i * width, max_rows);
        if (processors->n > 0) {
            e.from = processors->of[processors->index[links->links[i].rank[0]]].params;
            e.to = processors->of[processors->index[links->links[i].rank[1]]].params;
        }
        status = type->fit(&e, &tools, &fit, diag);
        if (status == HITOP_OK) {
            out->of[i] = class_of(&links->links[i], &fit);
            describe(type, &e, &out->of[i]);
            if (links->eager) {
                adopt_eager(&links->eager[i], &out->of[i]);
            }
        }
    }
    return status;
}

enum hitop_status hitop_measure_fit(const char *type, const struct hitop_hierarchy *h,
                                    const struct hitop_measured *links,
                                    const struct hitop_measured *triples,
                                    const struct hitop_provenance *provenance,
                                    struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_model_type *found = NULL;
    struct hitop_model_parts parts = {.type = type, .hierarchy = h, .provenance = provenance};
    struct processors processors = {0};
    struct classes classes = {0};
    struct pool pool = {0};
    enum hitop_status status = hitop_model_type_find(type, &found, diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    if (!found->fit) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "model '%s' cannot be fitted", type);
    }
    status = pool_links(links, found->nprocessor_params > 0, &pool, diag);
    if (status == HITOP_OK && found->nprocessor_params > 0) {
        status = fit_processors(found, h, triples, &processors, diag);
        if (status == HITOP_OK) {
            status = bound_processors(found, &pool.measured, &processors, diag);
        }
    }
    if (status == HITOP_OK) {
        status = fit_classes(found, &pool.measured, &processors, &classes, diag);
    }
    if (status == HITOP_OK) {
        parts.classes = classes.of;
        parts.nclasses = pool.measured.nlinks;
        parts.processors = processors.of;
        parts.nprocessors = processors.n;
        parts.processor_of = processors.index;
        parts.collective = links->collective;
        status = hitop_model_build(&parts, out, diag);
    }
    processors_clear(&processors);
    free(classes.numbers);
    free(classes.of);
    pool_clear(&pool);
    return status;
}
