/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign_run.c - the phases of a campaign, one after the other. */
#include <config.h>

#include "models/campaign/campaign_impl.h"

#include <stdlib.h>
#include <string.h>

/* Default number of passes in which a rank of each host leads a triple. */
enum { USUAL_PASSES = 6 };

/*
 * Most MPI libraries send messages up to this size eagerly, so that processors act independently.
 */
static const size_t most_middling = 32768;

enum hitop_status hitop_campaign_resolve(struct hitop_campaign_request *r, struct hitop_diag *diag)
{
    const struct hitop_model_type *type = NULL;
    struct hitop_diag found = HITOP_DIAG_INIT;
    int middling = r->options.nsizes - 1;

    r->options.experiments = HITOP_SET(HITOP_ECHO);
    r->all_models = strcmp(r->type, "all") == 0;
    r->is_auto = strcmp(r->type, "auto") == 0; /* its two formulas need echoes only */
    if (!r->all_models && !r->is_auto &&
        hitop_model_type_find(r->type, &type, &found) != HITOP_OK) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s, all or auto", found.message);
    }
    r->type = type ? type->name : r->type; /* the present name */
    for (int i = 0; hitop_model_types()[i]; i++) {
        const struct hitop_model_type *x = hitop_model_types()[i];
        if (x == type || (r->all_models && x->fit)) {
            r->options.experiments |= x->needs;
            r->needs_triples = r->needs_triples || x->nprocessor_params > 0;
            r->needs_pair_sets = r->needs_pair_sets || x->needs_pair_sets;
        }
    }
    while (middling > 1 && r->options.sizes[middling] > most_middling) {
        middling--;
    }
    r->triple_sizes[1] = r->options.sizes[middling];
    return HITOP_OK;
}

void hitop_campaign_init(struct hitop_campaign *c, const struct hitop_campaign_request *request)
{
    struct hitop_measure_options *o = &c->triples.options;

    *c = (struct hitop_campaign){.request = request, .chosen = -1};
    c->links.options = *o = request->options;
    o->part = "triples";
    o->experiments = HITOP_TRIPLE_SET;
    o->sizes = request->triple_sizes;
    o->nsizes = 2;
    o->max_sizes = 0;
    hitop_campaign_init_checks(c);
    o = &c->pairs.options;
    *o = request->options;
    o->part = "pairs";
    o->experiments = HITOP_SET(HITOP_ECHO);
    o->max_sizes = 0;
    c->refined.options = request->options;
    c->refined.options.part = "refined";
}

static void clear_part(struct hitop_campaign_part *part)
{
    hitop_measurement_clear(&part->measurement);
    free(part->links);
    free(part->eager);
}

void hitop_campaign_clear(struct hitop_campaign *c)
{
    /* a caller that needs the status closes it before */
    (void)hitop_campaign_journal_close(c, NULL);
    for (int i = 0; hitop_campaign_part_at(c, i); i++) {
        clear_part(hitop_campaign_part_at(c, i));
    }
    clear_part(&c->refined);
    hitop_pair_sets_clear(&c->pair_sets);
    hitop_pair_sets_clear(&c->capacity_pair_sets);
    hitop_capacity_plan_clear(&c->capacity_plan);
    free(c->capacity);
    free(c->collective);
    hitop_verdict_clear(&c->verdict);
    free(c->trials);
    free(c->deviation);
    free(c->verified);
    hitop_model_free(c->base);
    hitop_model_free(c->model);
    hitop_hierarchy_free(c->h);
}

/* Whether a sample of pairs of the only group is all of them, which random draws may not find. */
static int wants_all(const struct hitop_campaign *c)
{
    const long long n = hitop_hierarchy_nranks(c->h);

    return hitop_hierarchy_nnodes(c->h) == n + 1 && c->request->nsample >= n * (n - 1) / 2;
}

/* All pairs of a flat tree; is_one: as one class. */
static enum hitop_status choose_flat(struct hitop_campaign *c, int is_one, struct hitop_diag *diag)
{
    struct hitop_campaign_part *part = &c->links;
    const enum hitop_status status =
        hitop_links_choose_flat(c->h, &part->links, &part->nlinks, diag);

    for (int i = 0; is_one && i < part->nlinks; i++) {
        part->links[i].between[0] = part->links[i].between[1] = 0;
    }
    return status;
}

static enum hitop_status choose_links(struct hitop_campaign *c, struct hitop_diag *diag)
{
    const struct hitop_campaign_request *r = c->request;
    const struct hitop_links_sample sample = {.per_group = r->nsample, .seed = r->options.seed};
    struct hitop_link **links = &c->links.links;
    int *n = &c->links.nlinks;

    switch (r->links) {
    case HITOP_LINKS_RING:
        return hitop_links_choose_ring(c->h, links, n, diag);
    case HITOP_LINKS_PAIRS:
        return hitop_links_choose_pairs(c->h, links, n, diag);
    case HITOP_LINKS_SAMPLE:
        return wants_all(c) ? choose_flat(c, 1, diag)
                            : hitop_links_choose_sample(c->h, &sample, links, n, diag);
    case HITOP_LINKS_FLAT:
        return choose_flat(c, r->is_average, diag);
    case HITOP_LINKS_ONE:
        break;
    }
    return hitop_links_choose(c->h, links, n, diag);
}

/* Without three hosts there are no triples: links include the times of processors. */
static enum hitop_status choose_triples(struct hitop_campaign *c, struct hitop_diag *diag)
{
    const struct hitop_campaign_request *r = c->request;
    struct hitop_campaign_part *part = &c->triples;
    const enum hitop_status status =
        r->npasses == 0 ? hitop_triples_choose_all(c->h, &part->links, &part->nlinks, diag)
                        : hitop_triples_choose(c->h, r->npasses > 0 ? r->npasses : USUAL_PASSES,
                                               r->options.seed, &part->links, &part->nlinks, diag);

    return status == HITOP_ERR_UNSUPPORTED ? HITOP_OK : status;
}

/* Pairs that are not among the links. */
static enum hitop_status choose_pairs(struct hitop_campaign *c, struct hitop_diag *diag)
{
    const struct hitop_links_sample sample = {.total = c->request->nverify,
                                              .except = c->links.links,
                                              .nexcept = c->links.nlinks,
                                              .seed = c->request->options.seed + 1};

    return hitop_links_choose_sample(c->h, &sample, &c->pairs.links, &c->pairs.nlinks, diag);
}

enum hitop_status hitop_campaign_choose(struct hitop_campaign *c, struct hitop_diag *diag)
{
    enum hitop_status status = choose_links(c, diag);

    if (status == HITOP_OK && c->request->needs_triples) {
        status = choose_triples(c, diag);
    }
    if (status == HITOP_OK && c->base) {
        status = hitop_campaign_choose_checks(c, diag);
    }
    return status == HITOP_OK && c->request->nverify > 0 ? choose_pairs(c, diag) : status;
}

/* All phases after the checks. */
static enum hitop_status run_phases(const struct hitop_transport *t, struct hitop_campaign *c,
                                    struct hitop_diag *diag)
{
    const struct hitop_campaign_request *r = c->request;
    enum hitop_status status = hitop_campaign_run_part(t, c, &c->links, diag);

    if (status == HITOP_OK && c->triples.nlinks > 0) {
        status = hitop_campaign_run_part(t, c, &c->triples, diag);
    }
    if (status == HITOP_OK) { /* agree on the time that is left for the next phases */
        status = hitop_campaign_agree(t, c, diag);
    }
    if (status == HITOP_OK && r->needs_pair_sets) {
        status = hitop_campaign_measure_pair_sets(t, c, diag);
    }
    if (status == HITOP_OK) {
        status = hitop_campaign_agree(t, c, diag);
    }
    if (status == HITOP_OK && r->capacities) {
        status = hitop_campaign_measure_capacities(t, c, diag);
    }
    if (status == HITOP_OK && r->exact_thresholds) {
        status = hitop_campaign_find_eager(t, c, diag);
    }
    if (status == HITOP_OK && c->pairs.nlinks > 0) {
        status = hitop_campaign_run_part(t, c, &c->pairs, diag);
        if (status == HITOP_OK && r->refine) {
            status = hitop_campaign_refine(t, c, diag);
        }
    }
    return status;
}

enum hitop_status hitop_campaign_measure(const struct hitop_transport *t, struct hitop_campaign *c,
                                         struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0; status == HITOP_OK && hitop_campaign_part_at(c, i); i++) {
        status = campaign_share_part(t, hitop_campaign_part_at(c, i), diag);
    }
    if (status == HITOP_OK && c->request->is_update) {
        status = hitop_campaign_check(t, c, diag);
    }
    if (status == HITOP_OK) {
        status = run_phases(t, c, diag);
    }
    c->seconds = c->has_begun ? t->now(t->self) - c->start : 0;
    return status;
}

int hitop_campaign_is_complete(struct hitop_campaign *c)
{
    if (c->pairs.nlinks > 0 && !c->pairs.measurement.is_complete) {
        c->is_unverified = 1;
        c->pairs.nlinks = 0;
    }
    return c->links.measurement.is_complete &&
           (c->triples.nlinks == 0 || c->triples.measurement.is_complete);
}

int hitop_campaign_is_early(const struct hitop_campaign *c)
{
    return c->is_unverified || c->lacks_fans || (c->was_interrupted && c->nunsettled > 0);
}
