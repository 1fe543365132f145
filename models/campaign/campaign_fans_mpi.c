/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * campaign_fans_mpi.c - the sizes at which linear scatter and gather change, for models that have
 * them.
 */
#include <config.h>

#include "models/campaign/campaign_mpi.h"

#include "models/campaign/campaign_impl.h"
#include "models/fans/fan_mpi.h"

#include <math.h>
#include <stdlib.h>

/*
 * The search is exact to FINEST bytes. Each point of a curve gets at most one part of the budget; a
 * third of the parts is left for the search.
 */
enum { FINEST = 1024, PARTS = 3 * HITOP_CAMPAIGN_MOST_FANS };

static enum hitop_status find(MPI_Comm comm, const struct hitop_fan_request *request, double *out,
                              int *is_whole, struct hitop_diag *diag)
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
        status = hitop_fan_thresholds(clock, request, FINEST, out, is_whole, diag);
    }
    hitop_common_clock_free(clock);
    return status;
}

struct search {
    const struct hitop_transport *t;
    struct hitop_campaign *c;
};

/* At rank 0, before a point. */
static int is_ended(void *data)
{
    const struct search *s = data;

    campaign_progress(s->t, s->c, 0, s->c->links.nlinks, s->c->request->options.budget);
    return is_interrupted(&s->c->request->options);
}

/* The share of the budget, or less by the time limit. */
static double seconds_of(const struct hitop_campaign *c)
{
    const double limit = c->request->options.time_limit, share = hitop_campaign_share(c, "fans");

    return limit > 0 ? fmin(share, limit - c->elapsed) : share;
}

/* Measure what earlier runs have not found. */
static enum hitop_status find_rest(MPI_Comm comm, const struct hitop_transport *t,
                                   struct hitop_payload *payload, struct hitop_campaign *c,
                                   struct hitop_diag *diag)
{
    const struct hitop_campaign_request *r = c->request;
    struct search search = {t, c};
    struct hitop_fan_request request = {.interrupted = is_ended,
                                        .interrupted_data = &search,
                                        .nsizes = hitop_campaign_fan_sizes(r),
                                        .payload = payload};
    struct hitop_finding *known = hitop_campaign_findings(c, &request.nknown);
    size_t sizes[HITOP_CAMPAIGN_MOST_FANS];
    int is_whole = 0;
    enum hitop_status status = hitop_share_array(t, &known, &request.nknown, sizeof(*known), diag);

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
    request.budget = seconds_of(c);
    request.timing.budget = request.budget / PARTS;
    if (status == HITOP_OK) {
        status = find(comm, &request, c->collective, &is_whole, diag);
    }
    if (status == HITOP_OK && !is_whole) { /* by the budget, the time limit or an interruption */
        status = hitop_campaign_agree(t, c, diag);
    }
    if (t->rank > 0) { /* at rank 0 the journal owns them */
        free(known);
    }
    return status;
}

/* Report the phase, whose end the program may ask for at once. */
static enum hitop_status begin_and_find(MPI_Comm comm, const struct hitop_transport *t,
                                        struct hitop_payload *payload, struct hitop_campaign *c,
                                        struct hitop_diag *diag)
{
    enum hitop_status status;

    campaign_phase(t, c, &c->links);
    campaign_progress(t, c, 0, c->links.nlinks, c->request->options.budget);
    status = hitop_campaign_agree(t, c, diag);
    if (status == HITOP_OK && !c->was_interrupted) {
        status = find_rest(comm, t, payload, c, diag);
    }
    campaign_phase(t, c, NULL);
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
        status = begin_and_find(comm, t, payload, c, diag);
    }
    c->lacks_fans = c->lacks_fans || c->was_interrupted;
    c->seconds = t->now(t->self) - c->start;
    return status;
}
