/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign_part.c - measure one part of a campaign, within its share of the time.
 *
 * Idea:  a phase gets a share of the time that is left when it begins, by its weight relative to
 *        those of itself and of the wanted phases that follow. Time that a phase does not use goes
 *        to later phases. All ranks agree on the elapsed time, so that they compute the same share.
 */
#include <config.h>

#include "models/campaign/campaign_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least share of the budget, so that a late phase measures something. */
static const double least_share = 0.02;

struct hitop_campaign_part *hitop_campaign_part_at(struct hitop_campaign *c, int index)
{
    struct hitop_campaign_part *parts[] = {&c->links, &c->triples, &c->pairs, &c->checks};

    return index < (int)(sizeof(parts) / sizeof(parts[0])) ? parts[index] : NULL;
}

/* The weight of a phase relative to those of itself and of all later wanted phases. */
static double part_of(const struct hitop_campaign_request *r, const char *name)
{
    /* in the order in which they are measured */
    const struct {
        const char *name;
        double weight;
        int is_wanted;
    } phases[] = {{"checks", 1, r->is_update},
                  {"links", 6, 1},
                  {"triples", 6, r->needs_triples},
                  {"concurrent", 3, r->needs_pair_sets},
                  {"capacities", 3, r->capacities != HITOP_CAPACITIES_NONE},
                  {"thresholds", 1, r->exact_thresholds},
                  {"pairs", 2, r->nverify > 0},
                  {"refined", 2, r->refine},
                  {"fans", 6, r->scatter_gather}};
    double own = 0, all = 0;

    for (size_t i = 0; i < sizeof(phases) / sizeof(phases[0]); i++) {
        if (strcmp(phases[i].name, name) == 0) {
            own = phases[i].weight;
            all += own;
        } else if (own > 0 && phases[i].is_wanted) {
            all += phases[i].weight;
        }
    }
    return own > 0 ? own / all : 1;
}

double hitop_campaign_share(const struct hitop_campaign *c, const char *phase)
{
    const double budget = c->request->options.budget, left = budget - c->elapsed;

    return fmax(left * part_of(c->request, phase), least_share * budget);
}

enum hitop_status hitop_campaign_agree(const struct hitop_transport *t, struct hitop_campaign *c,
                                       struct hitop_diag *diag)
{
    const struct hitop_measure_options *o = &c->request->options;
    double values[2];
    enum hitop_status status;

    if (!c->has_begun) {
        c->has_begun = 1;
        c->start = t->now(t->self);
    }
    values[0] = c->was_interrupted || is_interrupted(o);
    values[1] = t->now(t->self) - c->start;
    status = t->agree(t->self, values, 2, diag);
    c->elapsed = values[1];
    c->was_interrupted = values[0] > 0 || (o->time_limit > 0 && c->elapsed >= o->time_limit);
    return status;
}

/* At rank 0: count the medians of a part. */
static void count_unsettled(struct hitop_campaign *c, const struct hitop_measurement *m)
{
    if (m->was_interrupted) { /* not because of the budget */
        c->nunsettled += m->nleft_out;
        c->njobs += m->nleft_out;
    } else {
        c->nleft_out += m->nleft_out;
    }
    for (int i = 0; m->curves && i < m->nlinks * HITOP_NEXPERIMENTS; i++) {
        for (size_t k = 0; k < m->curves[i].npoints; k++) {
            c->nunsettled += !m->curves[i].points[k].converged;
            c->njobs++;
        }
    }
}

enum hitop_status hitop_campaign_run_part(const struct hitop_transport *t, struct hitop_campaign *c,
                                          struct hitop_campaign_part *part, struct hitop_diag *diag)
{
    struct hitop_measure_options options = part->options;
    enum hitop_status status = hitop_campaign_agree(t, c, diag);

    if (status != HITOP_OK) {
        return status;
    }
    if (c->was_interrupted) {
        part->measurement = (struct hitop_measurement){.was_interrupted = 1,
                                                       .is_complete = part->nlinks == 0,
                                                       .latency.slowdown = 1,
                                                       .bandwidth.slowdown = 1};
        return HITOP_OK;
    }
    options.budget = hitop_campaign_share(c, options.part);
    options.time_limit -= options.time_limit > 0 ? c->elapsed : 0;
    hitop_campaign_join(c, &options);
    campaign_phase(t, c, part);
    status = hitop_measure(t, part->links, part->nlinks, &options, &part->measurement, diag);
    campaign_phase(t, c, NULL);
    c->was_interrupted = part->measurement.was_interrupted;
    count_unsettled(c, &part->measurement);
    return status;
}

struct hitop_measured hitop_campaign_measured(const struct hitop_campaign *c,
                                              const struct hitop_campaign_part *part)
{
    return (struct hitop_measured){.links = part->links,
                                   .nlinks = part->nlinks,
                                   .confidence = part->options.confidence,
                                   .eps = part->options.eps,
                                   .is_average = c->request->is_average,
                                   .curves = part->measurement.curves,
                                   .line = c->request->line,
                                   .eager = part->eager,
                                   .pair_sets = part->pair_sets};
}
