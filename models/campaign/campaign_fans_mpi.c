/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign_fans_mpi.c - at which sizes one rank and all others change their algorithms, for models
 * that know of it. */
#include <config.h>

#include "models/campaign/campaign_mpi.h"

#include "models/campaign/campaign_impl.h"
#include "models/fans/fan_mpi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes to which the search is exact; and parts of the budget, one for each point of a curve at
 * most: a third is left for the search. */
enum { FINEST = 1024, PARTS = 3 * HITOP_CAMPAIGN_MOST_FANS };

/* All ranks learn the findings of earlier runs; to be freed. */
static enum hitop_status share_known(const struct hitop_transport *t,
                                     const struct hitop_campaign *c, struct hitop_finding **out,
                                     int *n, struct hitop_diag *diag)
{
    const struct hitop_finding *found = hitop_campaign_findings(c, n);
    enum hitop_status status = t->share(t->self, n, sizeof(*n), diag);

    *out = calloc((size_t)*n + 1, sizeof(**out));
    if (status == HITOP_OK && !*out) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "scatter and gather: out of memory");
    }
    status = hitop_agree_on_status(t, status, diag);
    if (status == HITOP_OK && found) {
        memcpy(*out, found, (size_t)*n * sizeof(**out));
    }
    return status == HITOP_OK && *n > 0 ? t->share(t->self, *out, (size_t)*n * sizeof(**out), diag)
                                        : status;
}

static enum hitop_status find(MPI_Comm comm, const struct hitop_fan_request *request, double *out,
                              struct hitop_diag *diag)
{
#ifdef SMPI_H /* only MPI knows the simulated time */
    const struct hitop_clock *local = NULL;
#else
    const struct hitop_clock monotonic = hitop_clock_monotonic(), *local = &monotonic;
#endif
    struct hitop_clock_options clocks;
    struct hitop_common_clock *clock = NULL;
    enum hitop_status status;

    hitop_clock_defaults(&clocks);
    status = hitop_common_clock_create(comm, local, &clocks, &clock, diag);
    if (status == HITOP_OK) {
        status = hitop_fan_thresholds(clock, request, FINEST, out, diag);
    }
    hitop_common_clock_free(clock);
    return status;
}

/* What earlier runs have not found. */
static enum hitop_status find_rest(MPI_Comm comm, const struct hitop_transport *t,
                                   struct hitop_payload *payload, struct hitop_campaign *c,
                                   struct hitop_diag *diag)
{
    const struct hitop_campaign_request *r = c->request;
    struct hitop_fan_request request = {.nsizes = hitop_campaign_fan_sizes(r), .payload = payload};
    struct hitop_finding *known = NULL;
    size_t sizes[HITOP_CAMPAIGN_MOST_FANS];
    enum hitop_status status = share_known(t, c, &known, &request.nknown, diag);

    for (int i = 0; i < request.nsizes; i++) {
        sizes[i] = HITOP_CAMPAIGN_FAN_STEP * (size_t)(i + 1);
    }
    request.sizes = sizes;
    request.known = known;
    request.keep = r->keeps_samples ? hitop_campaign_add_finding : NULL;
    request.keep_data = c;
    hitop_timing_defaults(&request.timing);
    request.timing.median.confidence = r->options.confidence;
    request.timing.median.eps = r->options.eps;
    request.budget = hitop_campaign_share(c, "fans");
    request.timing.budget = request.budget / PARTS;
    if (status == HITOP_OK && hitop_fan_recall(&request, FINEST, c->collective, NULL) != HITOP_OK) {
        status = find(comm, &request, c->collective, diag);
    }
    free(known);
    return status;
}

enum hitop_status hitop_campaign_fans(MPI_Comm comm, const struct hitop_transport *t,
                                      struct hitop_payload *payload, struct hitop_campaign *c,
                                      struct hitop_diag *diag)
{
    enum hitop_status status = hitop_campaign_agree(t, c, diag);

    c->collective = calloc(HITOP_NTHRESHOLDS, sizeof(*c->collective));
    if (status == HITOP_OK && !c->collective) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "scatter and gather: out of memory");
    }
    status = hitop_agree_on_status(t, status, diag);
    for (int i = 0; c->collective && i < HITOP_NTHRESHOLDS; i++) {
        c->collective[i] = NAN;
    }
    if (status == HITOP_OK && !c->was_interrupted) {
        campaign_phase(t, c, &c->links);
        campaign_progress(t, c, 0, c->links.nlinks, c->request->options.budget);
        status = find_rest(comm, t, payload, c, diag);
        campaign_phase(t, c, NULL);
    }
    c->seconds = t->now(t->self) - c->start;
    return status;
}
