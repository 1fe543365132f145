/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_refine.c - a link for each two members of groups that the pairs have shown not to hold. */
#include <config.h>

#include "tools/measure/measure.h"

#include "models/fit/eager.h"

#include <stdlib.h>
#include <string.h>

/* Mark the groups that do not hold, and count them. is_bad is [nnodes]. */
static enum hitop_status mark_bad(const struct measure_request *request,
                                  const struct measure_result *result, char *is_bad, int *nbad,
                                  struct hitop_diag *diag)
{
    double *deviation = NULL;
    enum hitop_status status = measure_verify_deviations(result, &deviation, diag);

    *nbad = 0;
    if (status != HITOP_OK) {
        return status;
    }
    for (int i = 0; i < result->pairs.nlinks; i++) {
        char *mark = &is_bad[result->pairs.links[i].node];
        if (deviation[i] > request->tolerance && !*mark) {
            *mark = 1;
            ++*nbad;
        }
    }
    free(deviation);
    return HITOP_OK;
}

/* A link for each two members of the groups that do not hold. */
static enum hitop_status choose_refined(const struct measure_result *result, const char *is_bad,
                                        struct measure_part *out, struct hitop_diag *diag)
{
    enum hitop_status status = hitop_links_choose_pairs(result->h, &out->links, &out->nlinks, diag);
    int n = 0;

    for (int i = 0; status == HITOP_OK && i < out->nlinks; i++) {
        if (is_bad[out->links[i].node]) {
            out->links[n++] = out->links[i];
        }
    }
    out->nlinks = n;
    return status;
}

/* At the rank that decides: which links to measure in addition; none when all groups hold. */
static enum hitop_status decide(const struct measure_request *request,
                                const struct measure_result *result, char **is_bad,
                                struct measure_part *out, struct hitop_diag *diag)
{
    enum hitop_status status;
    int nbad;

    *is_bad = calloc((size_t)hitop_hierarchy_nnodes(result->h), 1);
    if (!*is_bad) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "verification: out of memory");
    }
    if (!result->links.measurement.is_complete || !result->pairs.measurement.is_complete) {
        return HITOP_OK;
    }
    status = mark_bad(request, result, *is_bad, &nbad, diag);
    return status == HITOP_OK && nbad > 0 ? choose_refined(result, *is_bad, out, diag) : status;
}

/* Put the refined links in the place of those that stood for their groups. Curves keep lending the points of
 * either measurement. */
static enum hitop_status replace(struct measure_result *result, const char *is_bad,
                                 struct hitop_diag *diag)
{
    struct measure_part *links = &result->links, *refined = &result->refined;
    const size_t room = (size_t)links->nlinks + (size_t)refined->nlinks + 1;
    struct hitop_link *all = calloc(room, sizeof(*all));
    struct hitop_curve *curves = calloc(room * HITOP_NEXPERIMENTS, sizeof(*curves));
    struct hitop_eager *eager = calloc(room, sizeof(*eager)); /* unknown of refined links */
    const struct measure_part *parts[] = {links, refined};
    int n = 0;

    if (!all || !curves || !eager) {
        free(all);
        free(curves);
        free(eager);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "verification: out of memory");
    }
    for (int p = 0; p < 2; p++) {
        for (int i = 0; i < parts[p]->nlinks; i++) {
            if (p == 1 || !is_bad[links->links[i].node]) {
                memcpy(curves + (size_t)n * HITOP_NEXPERIMENTS,
                       parts[p]->measurement.curves + (size_t)i * HITOP_NEXPERIMENTS,
                       HITOP_NEXPERIMENTS * sizeof(*curves));
                if (parts[p]->eager) {
                    eager[n] = parts[p]->eager[i];
                }
                all[n++] = parts[p]->links[i];
            }
        }
    }
    free(links->links);
    free(links->measurement.curves);
    if (links->eager) {
        free(links->eager);
        links->eager = eager;
    } else {
        free(eager);
    }
    links->crowds = NULL; /* refined links have none */
    links->links = all;
    links->nlinks = links->measurement.nlinks = n;
    links->measurement.curves = curves;
    return HITOP_OK;
}

enum hitop_status measure_refine(const struct hitop_transport *transport,
                                 struct measure_result *result, struct hitop_diag *diag)
{
    const struct measure_request *request = result->run.request;
    struct measure_part *refined = &result->refined;
    char *is_bad = NULL;
    enum hitop_status status = HITOP_OK;

    refined->options = result->links.options;
    refined->options.part = "refined";
    if (transport->rank <= 0) {
        status = decide(request, result, &is_bad, refined, diag);
    }
    status = measure_agree(transport, status, diag);
    if (status == HITOP_OK) {
        status = measure_part_share(transport, refined, diag);
    }
    if (status == HITOP_OK && refined->nlinks > 0) {
        status = measure_run_part(transport, &result->run, refined, diag);
    }
    if (status == HITOP_OK && refined->measurement.is_complete && transport->rank <= 0) {
        status = replace(result, is_bad, diag);
    }
    free(is_bad);
    return status;
}
