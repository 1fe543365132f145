/* SPDX-License-Identifier: BSD-3-Clause */
/* fit_processors.c - parameters of processors from the triples that their ranks led. */
#include <config.h>

#include "models/measure/fit_impl.h"

#include "models/fit/estimate.h"
#include "models/links/links.h"

#include <math.h>
#include <stdlib.h>

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

void hitop_processors_clear(struct processors *p)
{
    free(p->numbers);
    free(p->index);
    free(p->of);
    *p = (struct processors){0};
}

/* Each rank that led a triple becomes a class of processors. */
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

static struct hitop_triple_evidence evidence_of(const struct hitop_measured *triples, int index)
{
    const struct hitop_curve *curve = triples->curves + (size_t)index * HITOP_NEXPERIMENTS;

    return (struct hitop_triple_evidence){.fan = curve[HITOP_FAN],
                                          .reply = {curve[HITOP_REPLY], curve[HITOP_REPLY_THIRD]}};
}

/* Collect the triples that one rank led; returns their number. */
static size_t collect(const struct hitop_measured *triples, int leader,
                      struct hitop_triple_evidence *out)
{
    size_t found = 0;

    for (int i = 0; i < triples->nlinks; i++) {
        if (triples->links[i].rank[0] == leader) {
            out[found++] = evidence_of(triples, i);
        }
    }
    return found;
}

static void describe(const struct hitop_triple_evidence *triples, size_t ntriples,
                     struct hitop_processor *out)
{
    out->converged = 1;
    for (size_t i = 0; i < ntriples; i++) {
        hitop_count_samples(&triples[i].fan, 1, &out->nsamples, &out->converged);
        hitop_count_samples(triples[i].reply, 2, &out->nsamples, &out->converged);
    }
}

/*
 * Limits of the common fit: the number of processors and groups, with the cube of which its time
 * grows, and the number of times. Above them the medians of the separate fits are precise enough.
 */
enum { MOST_TOGETHER = 128, MOST_TIMES = 1 << 18 };

/* Groups with measured links, numbered in the order of first use. */
struct groups {
    int *index; /* [nnodes], -1: not yet */
    int n;
};

static int group_of(struct groups *g, const struct hitop_hierarchy *h, int from, int to)
{
    int *index = &g->index[hitop_hierarchy_lca(h, from, to)];

    if (*index < 0) {
        *index = g->n++;
    }
    return *index;
}

static struct hitop_lmo_time time_of(const struct hitop_point *point)
{
    return (struct hitop_lmo_time){.seconds = point->seconds, .se = point->se};
}

/* The time of a fan if its answers had arrived at their median times. */
static struct hitop_lmo_time fan_of(const struct hitop_triple_evidence *e, size_t size)
{
    const struct hitop_point *fan = &e->fan.points[size];
    const struct hitop_point *a = &e->reply[0].points[size], *b = &e->reply[1].points[size];
    const struct hitop_point *last = a->seconds > b->seconds ? a : b;
    double error;
    const double shift = hitop_later_of(a, b, &error) - last->seconds;

    error = sqrt(fmax(0, error * error - last->se * last->se));
    return (struct hitop_lmo_time){.seconds = fan->seconds - shift, .se = hypot(fan->se, error)};
}

/* Add all sizes of one triple; returns their number. */
static size_t add_times(const struct hitop_hierarchy *h, const struct hitop_link *l,
                        const struct hitop_triple_evidence *e, const struct processors *p,
                        struct groups *groups, struct hitop_lmo_times *out)
{
    const int from = l->rank[0], to[] = {l->rank[1], l->third};

    for (size_t i = 0; i < e->fan.npoints; i++) {
        out[i] = (struct hitop_lmo_times){
            .from = p->index[from], .bytes = e->fan.points[i].bytes, .fan = fan_of(e, i)};
        for (int k = 0; k < 2; k++) {
            out[i].to[k] = p->index[to[k]];
            out[i].link[k] = group_of(groups, h, from, to[k]);
            out[i].reply[k] = time_of(&e->reply[k].points[i]);
        }
    }
    return e->fan.npoints;
}

static int refine_times(const struct hitop_hierarchy *h, const struct hitop_measured *triples,
                        const struct processors *p, struct groups *groups,
                        struct hitop_lmo_times *out, size_t *ntimes)
{
    for (int node = 0; node < hitop_hierarchy_nnodes(h); node++) {
        groups->index[node] = -1;
    }
    *ntimes = 0;
    for (int i = 0; i < triples->nlinks; i++) {
        const struct hitop_triple_evidence e = evidence_of(triples, i);
        if (e.fan.npoints != e.reply[0].npoints || e.fan.npoints != e.reply[1].npoints) {
            return 0;
        }
        *ntimes += add_times(h, &triples->links[i], &e, p, groups, out + *ntimes);
    }
    return 1;
}

/* Fit all processors together, if the type can do that and there are not too many times. */
static enum hitop_status refine(const struct hitop_model_type *type,
                                const struct hitop_hierarchy *h,
                                const struct hitop_measured *triples, struct processors *p,
                                struct hitop_fit *fits, struct hitop_diag *diag)
{
    struct groups groups = {0};
    struct hitop_lmo_times *times;
    enum hitop_status status = HITOP_OK;
    size_t ntimes = 0;

    for (int i = 0; i < triples->nlinks; i++) {
        ntimes += evidence_of(triples, i).fan.npoints;
    }
    if (!type->refine_processors || p->n > MOST_TOGETHER || ntimes > MOST_TIMES) {
        return HITOP_OK;
    }
    times = calloc(ntimes + 1, sizeof(*times));
    groups.index = calloc((size_t)hitop_hierarchy_nnodes(h), sizeof(*groups.index));
    if (!times || !groups.index) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");
    } else if (refine_times(h, triples, p, &groups, times, &ntimes) &&
               p->n + groups.n <= MOST_TOGETHER) {
        status = type->refine_processors(times, ntimes, (size_t)groups.n, triples->confidence,
                                         hitop_estimators(), fits, (size_t)p->n, diag);
    }
    free(groups.index);
    free(times);
    return status;
}

/* The fit of the index-th processor, without a table. */
static struct hitop_fit place(const struct processors *p, int index, size_t n)
{
    struct hitop_fit fit = fit_at(p->numbers + (size_t)index * 4 * n, n, 0);

    fit.table = NULL;
    return fit;
}

enum hitop_status hitop_fit_processors(const struct hitop_model_type *type,
                                       const struct hitop_hierarchy *h,
                                       const struct hitop_measured *triples, struct processors *out,
                                       struct hitop_diag *diag)
{
    const size_t nranks = (size_t)hitop_hierarchy_nranks(h), n = type->nprocessor_params;
    struct hitop_triple_evidence *mine;
    struct hitop_fit *fits;
    enum hitop_status status = HITOP_OK;

    *out = (struct processors){.h = h};
    if (!triples || triples->nlinks == 0) {
        return hitop_triples_check_hosts(h, NULL) != HITOP_OK
                   ? HITOP_OK
                   : hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
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
        fits[i] = place(out, i, n);
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

/* Whether the processors of two ranks are known and take part in their messages. */
static int counts(const struct processors *p, const int *rank)
{
    return p->n > 0 && !hitop_hierarchy_share_host(p->h, rank[0], rank[1]);
}

enum hitop_status hitop_bound_processors(const struct hitop_model_type *type,
                                         const struct hitop_measured *links, struct processors *p,
                                         struct hitop_diag *diag)
{
    const struct hitop_estimators tools = hitop_estimators_with(links->line);
    enum hitop_status status = HITOP_OK;

    for (int i = 0; status == HITOP_OK && type->bound_processors && i < links->nlinks; i++) {
        const struct hitop_evidence e = hitop_measure_evidence(links, i);
        const int *rank = links->links[i].rank;
        if (counts(p, rank)) {
            const struct hitop_fit from = place(p, p->index[rank[0]], type->nprocessor_params);
            const struct hitop_fit to = place(p, p->index[rank[1]], type->nprocessor_params);
            status = type->bound_processors(&e, &tools, &from, &to, diag);
        }
    }
    return status;
}
