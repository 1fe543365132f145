/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_fit.c - fit the parameters of each class of links to measured points, for a new model or
 * to replace classes of an earlier one.
 */
#include <config.h>

#include "models/fit/eager.h"
#include "models/fit/estimate.h"
#include "models/fit/pool.h"
#include "models/fit/quantile.h"
#include "models/measure/fit_impl.h"
#include "models/measure/update.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fitted_classes {
    struct hitop_class *of; /* [links] */
    double *numbers;        /* that the classes borrow */
    struct hitop_time *times;
};

/* Measured times that a class keeps, spread from the shortest message to the longest. */
enum { KEPT_TIMES = 4 };

/* Add to a class how well it fits the measured one-way times, and how these were measured. */
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
    hitop_find_synchronous(e, out);
}

/* The most points of a link, which is the most rows of a table. */
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

/* Keep a few of the points, from the first to the last. */
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

/* Set the pairs of a class that several links represent; they borrow from the pool. */
static void name_pairs(const struct pool *pool, const struct pooled *of, struct hitop_class *c)
{
    if (of->n > 1) {
        c->pairs = (const int(*)[2])(pool->pairs + of->first);
        c->npairs = of->n;
        c->nunlike = of->nunlike;
        c->spread = of->spread;
    }
}

static void adopt_eager(const struct hitop_eager *found, struct hitop_class *c)
{
    c->has_eager = found->is_found;
    c->eager = found->is_max ? HITOP_ALL_SIZES : found->bytes;
}

/* Add the parameters of the processors at the ends of a link between hosts, if they are known. */
static void add_processors(const struct hitop_hierarchy *h, const struct hitop_link *link,
                           const struct hitop_processor *processors, const int *processor_of,
                           struct hitop_evidence *e)
{
    if (processors && !hitop_hierarchy_share_host(h, link->rank[0], link->rank[1])) {
        e->from = processors[processor_of ? processor_of[link->rank[0]] : 0].params;
        e->to = processors[processor_of ? processor_of[link->rank[1]] : 0].params;
    }
}

/* The links of a class, which several represent, with their own fits. */
struct own_fits {
    struct hitop_fit fit; /* of one link */
    double *value;        /* [nparams][links] */
    int n;                /* links with a fit */
};

static enum hitop_status fit_members(const struct hitop_model_type *type,
                                     const struct hitop_measured *all, const struct pool *pool,
                                     const struct pooled *of, struct own_fits *own,
                                     struct hitop_diag *diag)
{
    const struct hitop_estimators tools = hitop_estimators_with(all->line);

    for (int i = 0; i < of->n; i++) {
        const struct hitop_evidence e = hitop_measure_evidence(all, pool->member[of->first + i]);
        const enum hitop_status status = type->fit(&e, &tools, &own->fit, NULL);
        if (status == HITOP_ERR_NOMEM) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");
        }
        if (status == HITOP_OK) { /* else its points do not determine the parameters */
            for (size_t p = 0; p < type->nparams; p++) {
                own->value[p * (size_t)of->n + (size_t)own->n] = own->fit.params[p];
            }
            own->n++;
        }
    }
    return HITOP_OK;
}

/*
 * Widen the intervals of a class so that they contain the parameters of its links, each fitted
 * alone, and the standard errors with them.
 */
static enum hitop_status widen(const struct hitop_model_type *type,
                               const struct hitop_measured *all, const struct pool *pool,
                               const struct pooled *of, const struct hitop_fit *fit,
                               struct hitop_diag *diag)
{
    const size_t n = type->nparams, max_rows = count_rows(all);
    const double width = hitop_estimators()->normal_width(all->confidence);
    double *numbers = calloc(4 * n + max_rows * type->ncolumns + 1, sizeof(*numbers));
    struct own_fits own = {.value = calloc(n * (size_t)of->n + 1, sizeof(*own.value))};
    enum hitop_status status =
        numbers && own.value ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");

    if (status == HITOP_OK) {
        own.fit = fit_at(numbers, n, max_rows);
        status = fit_members(type, all, pool, of, &own, diag);
    }
    for (size_t p = 0; status == HITOP_OK && own.n > 0 && p < n; p++) {
        double *value = own.value + p * (size_t)of->n, lo, hi;
        qsort(value, (size_t)own.n, sizeof(*value), quantile_by_value);
        hitop_pool_ends(value, own.n, all->confidence, &lo, &hi);
        fit->lo[p] = fmin(fit->lo[p], lo);
        fit->hi[p] = fmax(fit->hi[p], hi);
        if (!isnan(fit->se[p])) {
            fit->se[p] = fmax(fit->se[p], 0.5 * (hi - lo) / width);
        }
    }
    free(own.value);
    free(numbers);
    return status;
}

static void clear_classes(struct fitted_classes *classes)
{
    free(classes->numbers);
    free(classes->times);
    free(classes->of);
    *classes = (struct fitted_classes){0};
}

/*
 * Fit the class of each link of the pool, which merges all links. processors and processor_of may
 * be NULL: the type has no processors; all ranks belong to the first one. To be cleared, also on
 * failure.
 */
static enum hitop_status fit_classes(const struct hitop_model_type *type,
                                     const struct hitop_hierarchy *h,
                                     const struct hitop_measured *all, const struct pool *pool,
                                     const struct hitop_processor *processors,
                                     const int *processor_of, struct fitted_classes *out,
                                     struct hitop_diag *diag)
{
    const struct hitop_measured *links = &pool->measured;
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
        if (status == HITOP_OK && pool->of[i].n > 1 && type->nparams > 0) {
            status = widen(type, all, pool, &pool->of[i], &fit, diag);
        }
        if (status == HITOP_OK) {
            out->of[i] = class_of(&links->links[i], &fit);
            name_pairs(pool, &pool->of[i], &out->of[i]);
            describe(type, &e, &out->of[i]);
            keep_times(&e.curve[HITOP_ECHO], out->times + (size_t)i * KEPT_TIMES, &out->of[i]);
            if (links->eager) {
                adopt_eager(&links->eager[i], &out->of[i]);
            }
        }
    }
    return status;
}

/*
 * Whether empty sends between hosts wait for their receivers, as most links show: a single link may
 * look so by noise. Then a fan takes as long as two messages one after the other and does not show
 * the times of processors.
 */
static int empty_sends_wait(const struct hitop_hierarchy *h, const struct hitop_measured *links)
{
    int n = 0, nwaiting = 0;

    for (int i = 0; i < links->nlinks; i++) {
        const struct hitop_evidence e = hitop_measure_evidence(links, i);
        struct hitop_class c = {0};

        if (!hitop_hierarchy_share_host(h, links->links[i].rank[0], links->links[i].rank[1])) {
            hitop_find_synchronous(&e, &c);
            nwaiting += c.is_synchronous && c.synchronous == 0;
            n++;
        }
    }
    return 2 * nwaiting > n;
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
    struct fitted_classes classes = {0};
    struct pool pool = {0};
    enum hitop_status status = hitop_model_type_find(type, &found, diag);

    *out = NULL;
    if (status != HITOP_OK) {
        return status;
    }
    if (!found->fit) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED, "model '%s' cannot be fitted", type);
    }
    status = hitop_pool_links(links, found->nprocessor_params > 0, &pool, diag);
    if (status == HITOP_OK && found->nprocessor_params > 0 &&
        !empty_sends_wait(h, &pool.measured)) {
        status = hitop_fit_processors(found, h, triples, &processors, diag);
        if (status == HITOP_OK) {
            status = hitop_bound_processors(found, &pool.measured, &processors, diag);
        }
    }
    if (status == HITOP_OK) {
        status =
            fit_classes(found, h, links, &pool, processors.of, processors.index, &classes, diag);
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
    hitop_processors_clear(&processors);
    clear_classes(&classes);
    hitop_pool_clear(&pool);
    return status;
}

/* The date of a class that stays: its own one, or that of the model; NULL: today. */
static const char *date_of(const char *own, const struct hitop_provenance *then,
                           const struct hitop_provenance *now)
{
    const char *today = now && now->date ? now->date : "";
    const char *date = own ? own : then->date ? then->date : "";

    return strcmp(date, today) == 0 ? NULL : date;
}

/* The classes of the new model: those that stay, then the new ones. */
static struct hitop_class *merge(const struct hitop_model *model,
                                 const struct hitop_measured *links,
                                 const struct fitted_classes *fitted, int nfitted,
                                 const struct hitop_provenance *provenance, int *n)
{
    const int nold = hitop_model_nclasses(model);
    char *is_gone = calloc((size_t)nold + 1, 1);
    struct hitop_class *all = calloc((size_t)nold + (size_t)nfitted + 1, sizeof(*all));

    *n = 0;
    if (!is_gone || !all) {
        free(is_gone);
        free(all);
        return NULL;
    }
    for (int i = 0; i < links->nlinks; i++) {
        is_gone[class_index(model, &links->links[i])] = 1;
    }
    for (int i = 0; i < nold; i++) {
        if (!is_gone[i]) {
            all[*n] = *hitop_model_class(model, i);
            all[*n].date = date_of(all[*n].date, hitop_model_provenance(model), provenance);
            (*n)++;
        }
    }
    for (int i = 0; i < nfitted; i++) {
        all[(*n)++] = fitted->of[i];
    }
    free(is_gone);
    return all;
}

static struct hitop_processor *date_processors(const struct hitop_model *model,
                                               const struct hitop_provenance *provenance)
{
    const int n = hitop_model_nprocessors(model);
    struct hitop_processor *all = calloc((size_t)n + 1, sizeof(*all));

    for (int i = 0; all && i < n; i++) {
        all[i] = *hitop_model_processor(model, i);
        all[i].date = date_of(all[i].date, hitop_model_provenance(model), provenance);
    }
    return all;
}

enum hitop_status hitop_update_fit(const struct hitop_model *model, const struct hitop_hierarchy *h,
                                   const struct hitop_measured *links,
                                   const struct hitop_provenance *provenance,
                                   struct hitop_model **out, struct hitop_diag *diag)
{
    const struct hitop_model_type *type = hitop_model_type_of(model);
    struct hitop_class *classes = NULL;
    struct hitop_processor *processors = NULL;
    struct fitted_classes fitted = {0};
    struct hitop_model_parts parts;
    struct pool pool = {0};
    enum hitop_status status = hitop_pool_links(links, type->nprocessor_params > 0, &pool, diag);

    *out = NULL;
    hitop_model_parts_of(model, &parts);
    if (status == HITOP_OK) {
        status = fit_classes(type, h, links, &pool, parts.nprocessors ? parts.processors : NULL,
                             parts.processor_of, &fitted, diag);
    }
    if (status == HITOP_OK) {
        classes = merge(model, links, &fitted, pool.measured.nlinks, provenance, &parts.nclasses);
        processors = date_processors(model, provenance);
        status = classes && processors ? HITOP_OK
                                       : hitop_fail(diag, HITOP_ERR_NOMEM, "update: out of memory");
    }
    if (status == HITOP_OK) {
        parts.hierarchy = h;
        parts.classes = classes;
        parts.processors = parts.nprocessors ? processors : NULL;
        parts.collective = links->collective ? links->collective : parts.collective;
        parts.provenance = provenance;
        parts.quality = NULL;
        status = hitop_model_build(&parts, out, diag);
    }
    free(processors);
    free(classes);
    clear_classes(&fitted);
    hitop_pool_clear(&pool);
    return status;
}
