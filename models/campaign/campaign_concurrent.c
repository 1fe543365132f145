/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign_concurrent.c - concurrent messages: between the hosts of each link, if a model needs
 * them, and over the shared links of groups, for their capacities.
 */
#include <config.h>

#include "models/campaign/campaign_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Bytes of messages that fill a shared link; long, so that their start times matter little. */
static const size_t least_size = (size_t)1 << 20;

/* All ranks get the plan of rank 0. */
static enum hitop_status share_plan(const struct hitop_transport *t, struct hitop_pair_plan *plan,
                                    struct hitop_diag *diag)
{
    struct hitop_pair_plan all = *plan;
    int nbegin = plan->nsets + 1;
    enum hitop_status status = t->share(t->self, &all, sizeof(all), diag);

    if (t->rank > 0) {
        all.pairs = NULL; /* addresses of another process */
        all.begin = NULL;
    }
    *plan = all;
    if (status == HITOP_OK) {
        status = hitop_share_array(t, &plan->pairs, &plan->npairs, sizeof(*plan->pairs), diag);
    }
    return status == HITOP_OK && plan->nsets > 0
               ? hitop_share_array(t, &plan->begin, &nbegin, sizeof(*plan->begin), diag)
               : status;
}

/*
 * Measure the plan of rank 0 until `end` seconds after the start of the campaign; 0: within the
 * budget of options. nlinks is the number of links or kinds of the plan.
 */
static enum hitop_status run_plan(const struct hitop_transport *t, struct hitop_campaign *c,
                                  struct hitop_measure_options *options, double end,
                                  struct hitop_pair_plan *plan, int nlinks,
                                  struct hitop_pair_sets *out, struct hitop_diag *diag)
{
    const double limit = options->time_limit;
    enum hitop_status status = hitop_campaign_agree(t, c, diag);

    if (status != HITOP_OK || c->was_interrupted) {
        return status;
    }
    hitop_campaign_join(c, options);
    options->budget = end > 0 ? fmax(0, end - c->elapsed) : options->budget;
    if (limit > 0) {
        options->budget = fmin(options->budget, fmax(limit - c->elapsed, 0));
    }
    campaign_phase(t, c, &c->links);
    status = share_plan(t, plan, diag);
    if (status == HITOP_OK) {
        status = hitop_pair_sets_measure(t, plan, nlinks, options, out, diag);
    }
    campaign_phase(t, c, NULL);
    return status;
}

enum hitop_status hitop_campaign_measure_pair_sets(const struct hitop_transport *t,
                                                   struct hitop_campaign *c,
                                                   struct hitop_diag *diag)
{
    struct hitop_measure_options options = c->links.options;
    struct hitop_pair_plan plan = {0};
    enum hitop_status status = HITOP_OK;

    options.part = "crowds"; /* old name of pair sets, which journals keep */
    options.budget = hitop_campaign_share(c, "concurrent");
    if (t->rank <= 0) {
        status = hitop_pair_sets_choose(c->h, c->links.links, c->links.nlinks, &plan, diag);
    }
    status = hitop_agree_on_status(t, status, diag);
    if (status == HITOP_OK) {
        status = run_plan(t, c, &options, 0, &plan, c->links.nlinks, &c->pair_sets, diag);
    }
    c->links.pair_sets = c->pair_sets.list;
    hitop_pair_plan_clear(&plan);
    return status;
}

size_t hitop_campaign_capacity_size(const struct hitop_campaign_request *request)
{
    const size_t largest = request->options.sizes[request->options.nsizes - 1];

    return largest > least_size ? largest : least_size;
}

/* Do one probe of all kinds that need one; *left receives their number, on all ranks. */
static enum hitop_status probe(const struct hitop_transport *t, struct hitop_campaign *c,
                               const struct hitop_measure_options *all, double end, int step,
                               int *left, struct hitop_diag *diag)
{
    struct hitop_capacity_plan *plan = &c->capacity_plan;
    struct hitop_pair_sets before = c->capacity_pair_sets;
    struct hitop_measure_options options = *all;
    enum hitop_status status = HITOP_OK;
    char part[32];

    c->capacity_pair_sets = (struct hitop_pair_sets){0};
    if (t->rank <= 0) {
        status = hitop_capacities_probe(c->h, plan, before.list ? &before : NULL, left, diag);
    } else {
        hitop_pair_plan_clear(&plan->pair_sets);
    }
    hitop_pair_sets_clear(&before);
    status = hitop_agree_on_status(t, status, diag);
    if (status == HITOP_OK) {
        status = t->share(t->self, left, sizeof(*left), diag);
    }
    (void)snprintf(part, sizeof(part), "probe %d", step);
    options.part = part;
    return status == HITOP_OK && *left > 0 ? run_plan(t, c, &options, end, &plan->pair_sets,
                                                      plan->nkinds, &c->capacity_pair_sets, diag)
                                           : status;
}

/* Probe until the slow links are known; the plan then contains these links only. */
static enum hitop_status probe_all(const struct hitop_transport *t, struct hitop_campaign *c,
                                   struct hitop_measure_options *options, double end,
                                   struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    int left = 1;

    if (t->rank <= 0) {
        status = hitop_capacities_choose(c->h, &c->capacity_plan, diag);
    }
    status = hitop_agree_on_status(t, status, diag);
    for (int step = 1; status == HITOP_OK && left > 0 && !c->was_interrupted; step++) {
        status = probe(t, c, options, end, step, &left, diag);
    }
    hitop_pair_sets_clear(&c->capacity_pair_sets);
    if (status == HITOP_OK && t->rank <= 0) {
        status = hitop_capacities_pair_sets(c->h, &c->capacity_plan, diag);
    } else {
        hitop_pair_plan_clear(&c->capacity_plan.pair_sets);
    }
    return hitop_agree_on_status(t, status, diag);
}

/* At rank 0: compute the capacities, and add them to the hierarchy. */
static enum hitop_status judge(struct hitop_campaign *c, struct hitop_diag *diag)
{
    const struct hitop_capacity_plan *plan = &c->capacity_plan;
    struct hitop_hierarchy *h = NULL;
    enum hitop_status status;

    c->capacity = calloc((size_t)plan->nkinds + 1, sizeof(*c->capacity));
    if (!c->capacity) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "capacities: out of memory");
    }
    status = hitop_capacities_judge(c->h, plan, &c->capacity_pair_sets,
                                    c->request->options.confidence, c->capacity, diag);
    if (status == HITOP_OK) {
        status = hitop_capacities_apply(c->h, plan, c->capacity, &h, diag);
    }
    if (status == HITOP_OK) {
        hitop_hierarchy_free(c->h);
        c->h = h;
    }
    return status;
}

enum hitop_status hitop_campaign_measure_capacities(const struct hitop_transport *t,
                                                    struct hitop_campaign *c,
                                                    struct hitop_diag *diag)
{
    struct hitop_measure_options options = c->links.options;
    struct hitop_capacity_plan *plan = &c->capacity_plan;
    const double end = c->elapsed + hitop_campaign_share(c, "capacities");
    const size_t longest = hitop_campaign_capacity_size(c->request);
    const size_t sizes[] = {longest / 4, longest}; /* both long enough that bytes dominate */
    enum hitop_status status;

    options.sizes = &sizes[1];
    options.nsizes = 1;
    status = probe_all(t, c, &options, end, diag);
    options.part = "capacities";
    options.sizes = sizes;
    options.nsizes = 2;
    if (status == HITOP_OK && !c->was_interrupted) {
        status = run_plan(t, c, &options, end, &plan->pair_sets, plan->nkinds,
                          &c->capacity_pair_sets, diag);
    }
    if (status == HITOP_OK && t->rank <= 0 && !c->was_interrupted) {
        status = judge(c, diag);
    }
    return hitop_agree_on_status(t, status, diag);
}
