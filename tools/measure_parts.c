/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_parts.c - links and triples: how they are measured, and what came of it. */
#include <config.h>

#include "measure_request.h"

#include <stdlib.h>

/* Passes in which every host's rank leads a triple. */
enum { PASSES = 6 };

void measure_parts_init(const struct measure_request *request, struct measure_result *result)
{
    struct hitop_measure_options *o = &result->triples.options;

    result->links.options = *o = request->options;
    o->part = "triples";
    o->experiments = HITOP_TRIPLE_SET;
    o->sizes = request->triple_sizes;
    o->nsizes = 2;
    if (request->needs_triples) {
        o->budget /= 2;
        result->links.options.budget -= o->budget;
    }
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

enum hitop_status measure_parts_choose(const struct measure_request *request,
                                       struct measure_result *result, struct hitop_diag *diag)
{
    enum hitop_status status = choose_links(request, result, diag);

    if (status == HITOP_OK && request->needs_triples) {
        status = hitop_triples_choose(result->h, PASSES, request->options.seed,
                                      &result->triples.links, &result->triples.nlinks, diag);
    }
    return status;
}

enum hitop_status measure_parts_measure(const struct hitop_transport *transport,
                                        struct measure_result *result, struct hitop_diag *diag)
{
    enum hitop_status status = measure_run_part(transport, &result->run, &result->links, diag);

    if (status == HITOP_OK && result->triples.nlinks > 0) {
        status = measure_run_part(transport, &result->run, &result->triples, diag);
    }
    if (status == HITOP_OK && result->run.request->exact_thresholds) {
        status = measure_eager_find(transport, &result->run, &result->links, diag);
    }
    return status;
}

struct hitop_measured measure_part_view(const struct measure_part *part)
{
    return (struct hitop_measured){.links = part->links,
                                   .nlinks = part->nlinks,
                                   .confidence = part->options.confidence,
                                   .curves = part->measurement.curves,
                                   .eager = part->eager};
}

void measure_result_release(struct measure_result *result)
{
    hitop_model_free(result->model);
    hitop_measurement_clear(&result->triples.measurement);
    free(result->triples.links);
    hitop_measurement_clear(&result->links.measurement);
    free(result->links.eager);
    free(result->links.links);
    hitop_hierarchy_free(result->h);
}
