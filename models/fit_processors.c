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

enum hitop_status fit_processors(const struct hitop_model_type *type,
                                 const struct hitop_hierarchy *h,
                                 const struct hitop_measured *triples, struct processors *out,
                                 struct hitop_diag *diag)
{
    const size_t nranks = (size_t)hitop_hierarchy_nranks(h), n = type->nprocessor_params;
    struct hitop_triple_evidence *mine;
    enum hitop_status status = HITOP_OK;

    *out = (struct processors){0};
    if (!triples || triples->nlinks == 0) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "model '%s' needs measurements with three ranks", type->name);
    }
    mine = calloc((size_t)triples->nlinks, sizeof(*mine));
    out->index = calloc(nranks, sizeof(*out->index));
    out->of = calloc((size_t)triples->nlinks, sizeof(*out->of));
    out->numbers = calloc((size_t)triples->nlinks, 4 * n * sizeof(*out->numbers));
    if (!mine || !out->index || !out->of || !out->numbers) {
        free(mine);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");
    }
    number_leaders(h, triples, out);
    for (int i = 0; status == HITOP_OK && i < out->n; i++) {
        double *at = out->numbers + (size_t)i * 4 * n;
        struct hitop_fit fit = {.params = at, .se = at + n, .lo = at + 2 * n, .hi = at + 3 * n};
        struct hitop_processor *p = &out->of[i];
        const size_t found = collect(triples, p->rank, mine);
        status =
            type->fit_processor(mine, found, triples->confidence, hitop_estimators(), &fit, diag);
        p->params = fit.params;
        p->se = fit.se;
        p->lo = fit.lo;
        p->hi = fit.hi;
        describe(mine, found, p);
    }
    free(mine);
    return status;
}
