/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_processors.c - parameters of processors from the triples that their ranks led. */
#include <config.h>

#include "fit_processors.h"

#include "measure_impl.h"

#include <stdlib.h>
#include <string.h>

void processors_clear(struct processors *p)
{
    free(p->numbers);
    free(p->index);
    free(p->of);
    *p = (struct processors){0};
}

/* The ranks that led, each the first one on its host or one of few, become classes of processors. */
static void number_leaders(const struct hitop_hierarchy *h, const struct hitop_measured *triples,
                           struct processors *p)
{
    const int nranks = hitop_hierarchy_nranks(h);

    for (int rank = 0; rank < nranks; rank++) {
        p->index[rank] = -1;
    }
    for (int i = 0; i < triples->nlinks; i++) {
        const int leader = triples->links[i].rank[0];
        if (p->index[leader] < 0) {
            p->of[p->n].rank = leader;
            p->index[leader] = p->n++;
        }
    }
    for (int rank = 0; rank < nranks; rank++) {
        if (p->index[rank] < 0) {
            const int first = hitop_hierarchy_rank_on_host(h, hitop_hierarchy_host(h, rank));
            p->index[rank] = p->index[first] < 0 ? 0 : p->index[first];
        }
    }
}

/* The triples that one rank led; returns how many. */
static size_t collect(const struct hitop_measured *triples, int leader,
                      struct hitop_triple_evidence *out)
{
    size_t found = 0;

    for (int i = 0; i < triples->nlinks; i++) {
        const struct hitop_curve *curve = triples->curves + (size_t)i * HITOP_NEXPERIMENTS;
        if (triples->links[i].rank[0] == leader) {
            out[found++] = (struct hitop_triple_evidence){
                .fan = curve[HITOP_FAN], .reply = {curve[HITOP_REPLY], curve[HITOP_REPLY_THIRD]}};
        }
    }
    return found;
}

static void describe(const struct hitop_triple_evidence *triples, size_t ntriples,
                     struct hitop_processor *out)
{
    out->converged = 1;
    for (size_t i = 0; i < ntriples; i++) {
        count_samples(&triples[i].fan, 1, &out->nsamples, &out->converged);
        count_samples(triples[i].reply, 2, &out->nsamples, &out->converged);
    }
}

/* So many processors and groups are fitted at once, as the time grows with the cube; and so many times, as all of
 * them by all numbers are in memory. Of more triples medians tell enough. */
enum { MOST_TOGETHER = 64, MOST_TIMES = 1 << 16 };

/* The times of one experiment of a triple, between processors, over links of groups. */
static size_t add_rows(const struct hitop_hierarchy *h, const struct hitop_link *link,
                       const struct hitop_curve *curve, enum hitop_experiment what, int second,
                       const struct processors *p, struct hitop_lmo_row *out)
{
    const int nranks = hitop_hierarchy_nranks(h), from = link->rank[0];

    for (size_t i = 0; i < curve->npoints; i++) {
        out[i] =
            (struct hitop_lmo_row){.what = what,
                                   .from = p->index[from],
                                   .to = {p->index[second], p->index[link->third]},
                                   .link = {hitop_hierarchy_lca(h, from, second) - nranks,
                                            hitop_hierarchy_lca(h, from, link->third) - nranks},
                                   .bytes = curve->points[i].bytes,
                                   .seconds = curve->points[i].seconds,
                                   .se = curve->points[i].se};
    }
    return curve->npoints;
}

/* All times of all triples at once, where the type knows how and they are not too many. */
static enum hitop_status refine(const struct hitop_model_type *type,
                                const struct hitop_hierarchy *h,
                                const struct hitop_measured *triples, struct processors *p,
                                struct hitop_fit *fits, struct hitop_diag *diag)
{
    const int ngroups = hitop_hierarchy_nnodes(h) - hitop_hierarchy_nranks(h);
    const size_t nlinks = (size_t)ngroups, n = (size_t)p->n;
    struct hitop_lmo_row *rows;
    enum hitop_status status = HITOP_OK;
    size_t nrows = 0;

    for (int i = 0; i < triples->nlinks * HITOP_NEXPERIMENTS; i++) {
        nrows += triples->curves[i].npoints;
    }
    if (!type->refine_processors || n + nlinks > MOST_TOGETHER || nrows > MOST_TIMES ||
        nrows < 2 * (n + nlinks)) {
        return HITOP_OK;
    }
    rows = calloc(nrows, sizeof(*rows));
    if (!rows) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");
    }
    nrows = 0;
    for (int i = 0; i < triples->nlinks; i++) {
        const struct hitop_link *l = &triples->links[i];
        const struct hitop_curve *curve = triples->curves + (size_t)i * HITOP_NEXPERIMENTS;
        nrows += add_rows(h, l, &curve[HITOP_FAN], HITOP_FAN, l->rank[1], p, rows + nrows);
        nrows += add_rows(h, l, &curve[HITOP_REPLY], HITOP_REPLY, l->rank[1], p, rows + nrows);
        nrows += add_rows(h, l, &curve[HITOP_REPLY_THIRD], HITOP_REPLY, l->third, p, rows + nrows);
    }
    status = type->refine_processors(rows, nrows, nlinks, triples->confidence, hitop_estimators(),
                                     fits, n, diag);
    free(rows);
    return status;
}

/* Where the numbers of the index-th processor are. */
static struct hitop_fit place_numbers(double *numbers, int index, size_t n)
{
    double *at = numbers + (size_t)index * 4 * n;

    return (struct hitop_fit){.params = at, .se = at + n, .lo = at + 2 * n, .hi = at + 3 * n};
}

enum hitop_status fit_processors(const struct hitop_model_type *type,
                                 const struct hitop_hierarchy *h,
                                 const struct hitop_measured *triples, struct processors *out,
                                 struct hitop_diag *diag)
{
    const size_t nranks = (size_t)hitop_hierarchy_nranks(h), n = type->nprocessor_params;
    struct hitop_triple_evidence *mine;
    struct hitop_fit *fits;
    enum hitop_status status = HITOP_OK;

    *out = (struct processors){0};
    if (!triples || triples->nlinks == 0) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "model '%s' needs measurements with three ranks", type->name);
    }
    mine = calloc((size_t)triples->nlinks, sizeof(*mine));
    fits = calloc((size_t)triples->nlinks, sizeof(*fits));
    out->index = calloc(nranks, sizeof(*out->index));
    out->of = calloc((size_t)triples->nlinks, sizeof(*out->of));
    out->numbers = calloc((size_t)triples->nlinks, 4 * n * sizeof(*out->numbers));
    if (!mine || !fits || !out->index || !out->of || !out->numbers) {
        free(fits);
        free(mine);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");
    }
    number_leaders(h, triples, out);
    for (int i = 0; i < out->n; i++) {
        fits[i] = place_numbers(out->numbers, i, n);
    }
    for (int i = 0; status == HITOP_OK && i < out->n; i++) {
        struct hitop_fit *fit = &fits[i];
        struct hitop_processor *p = &out->of[i];
        const size_t found = collect(triples, p->rank, mine);
        status =
            type->fit_processor(mine, found, triples->confidence, hitop_estimators(), fit, diag);
        p->params = fit->params;
        p->se = fit->se;
        p->lo = fit->lo;
        p->hi = fit->hi;
        describe(mine, found, p);
    }
    if (status == HITOP_OK) {
        status = refine(type, h, triples, out, fits, diag);
    }
    free(fits);
    free(mine);
    return status;
}
