/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_parts.c - links and triples: how they are measured, and what came of it. */
#include <config.h>

#include "tools/measure/measure.h"

#include <stdlib.h>

/* Passes in which every host's rank leads a triple, where nothing is said. */
enum { USUAL_PASSES = 6 };

void measure_parts_init(const struct measure_request *request, struct measure_result *result)
{
    struct hitop_measure_options *o = &result->triples.options;

    result->links.options = *o = request->options;
    result->links.line = result->triples.line = result->pairs.line = request->line;
    o->part = "triples";
    o->experiments = HITOP_TRIPLE_SET;
    o->sizes = request->triple_sizes;
    o->nsizes = 2;
    o->max_sizes = 0;
    measure_update_init(request, result);
    result->pairs.options = result->links.options;
    result->pairs.options.part = "pairs";
    result->pairs.options.experiments = HITOP_SET(HITOP_ECHO);
    result->pairs.options.max_sizes = 0;
}

/* Pairs that are not among the links. */
static enum hitop_status choose_pairs(const struct measure_request *r,
                                      struct measure_result *result, struct hitop_diag *diag)
{
    const struct hitop_links_sample sample = {.total = r->nverify,
                                              .except = result->links.links,
                                              .nexcept = result->links.nlinks,
                                              .seed = r->options.seed + 1};

    return hitop_links_choose_sample(result->h, &sample, &result->pairs.links,
                                     &result->pairs.nlinks, diag);
}

static enum hitop_status choose_links(const struct measure_request *r,
                                      struct measure_result *result, struct hitop_diag *diag)
{
    const struct hitop_links_sample sample = {.per_group = r->nsample, .seed = r->options.seed};
    struct hitop_link **links = &result->links.links;
    int *n = &result->links.nlinks;

    switch (r->links) {
    case LINKS_RING:
        return hitop_links_choose_ring(result->h, links, n, diag);
    case LINKS_PAIRS:
        return hitop_links_choose_pairs(result->h, links, n, diag);
    case LINKS_SAMPLE:
        return hitop_links_choose_sample(result->h, &sample, links, n, diag);
    case LINKS_FLAT:
        return hitop_links_choose_flat(result->h, links, n, diag);
    case LINKS_ONE:
        break;
    }
    return hitop_links_choose(result->h, links, n, diag);
}

static enum hitop_status choose_triples(const struct measure_request *r,
                                        struct measure_result *result, struct hitop_diag *diag)
{
    struct measure_part *part = &result->triples;

    return r->npasses == 0
               ? hitop_triples_choose_all(result->h, &part->links, &part->nlinks, diag)
               : hitop_triples_choose(result->h, r->npasses > 0 ? r->npasses : USUAL_PASSES,
                                      r->options.seed, &part->links, &part->nlinks, diag);
}

enum hitop_status measure_parts_choose(const struct measure_request *request,
                                       struct measure_result *result, struct hitop_diag *diag)
{
    enum hitop_status status = choose_links(request, result, diag);

    if (status == HITOP_OK && request->needs_triples) {
        status = choose_triples(request, result, diag);
        if (status == HITOP_ERR_UNSUPPORTED) {
            status = HITOP_OK; /* links hold what processors take */
        }
    }
    if (status == HITOP_OK && request->update) {
        status = measure_update_choose(request, result, diag);
    }
    if (status == HITOP_OK && request->nverify > 0) {
        status = choose_pairs(request, result, diag);
    }
    return status;
}

enum hitop_status measure_parts_measure(const struct hitop_transport *transport,
                                        struct measure_result *result, struct hitop_diag *diag)
{
    enum hitop_status status =
        result->run.request->update ? measure_update_check(transport, result, diag) : HITOP_OK;

    if (status == HITOP_OK) {
        status = measure_run_part(transport, &result->run, &result->links, diag);
    }
    if (status == HITOP_OK && result->triples.nlinks > 0) {
        status = measure_run_part(transport, &result->run, &result->triples, diag);
    }
    if (status == HITOP_OK) { /* what is left for them */
        status = measure_run_agree(transport, &result->run, diag);
    }
    if (status == HITOP_OK && result->run.request->needs_crowds) {
        status = measure_crowds(transport, result, diag);
    }
    if (status == HITOP_OK) {
        status = measure_run_agree(transport, &result->run, diag);
    }
    if (status == HITOP_OK && result->run.request->capacities) {
        status = measure_capacities(transport, result, diag);
    }
    if (status == HITOP_OK && result->run.request->exact_thresholds) {
        status = measure_eager_find(transport, &result->run, &result->links, diag);
    }
    if (status == HITOP_OK && result->pairs.nlinks > 0) {
        status = measure_run_part(transport, &result->run, &result->pairs, diag);
        if (status == HITOP_OK && result->run.request->refine) {
            status = measure_refine(transport, result, diag);
        }
    }
    return status;
}

void measure_result_release(struct measure_result *result)
{
    hitop_verdict_clear(&result->verdict);
    hitop_model_free(result->base);
    measure_verification_clear(&result->verification);
    hitop_model_free(result->model);
    for (int i = 0; measure_part_at(result, i); i++) {
        hitop_measurement_clear(&measure_part_at(result, i)->measurement);
        free(measure_part_at(result, i)->links);
    }
    free(result->links.eager);
    hitop_crowds_clear(&result->crowds);
    measure_capacities_clear(&result->capacities);
    hitop_measurement_clear(&result->refined.measurement);
    free(result->refined.links);
    hitop_hierarchy_free(result->h);
    hitop_measure_influence_clear(&result->influence);
    free(result->collective);
}
