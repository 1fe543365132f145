/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign_eager.c - find the largest eager send of every measured link. */
#include <config.h>

#include "models/campaign/campaign_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Most sends of a search that do not complete: two votes for half of its thirty steps, and a
 * verification.
 */
enum { VAIN_SENDS = 35 };

double hitop_campaign_eager_seconds(double round_trip)
{
    return VAIN_SENDS * hitop_eager_window(round_trip);
}

/*
 * Most seconds of the searches on some links of one round: those of the slowest link without a
 * known limit.
 */
static double expect(const struct hitop_campaign_part *links, int first, int last)
{
    double round_trip = 0;

    for (int i = first; links->measurement.curves && i < last; i++) {
        const struct hitop_curve *echo =
            &links->measurement.curves[i * HITOP_NEXPERIMENTS + HITOP_ECHO];
        if (!links->eager[i].is_found && echo->npoints > 0) {
            round_trip = fmax(round_trip, 2 * echo->points[0].seconds);
        }
    }
    return hitop_campaign_eager_seconds(round_trip);
}

/* All ranks get the limits that earlier runs have found. */
static enum hitop_status recall(const struct hitop_transport *t, struct hitop_campaign *c,
                                struct hitop_diag *diag)
{
    struct hitop_campaign_part *links = &c->links;
    int n;
    const struct hitop_finding *found = hitop_campaign_findings(c, &n);

    for (int i = 0; i < n; i++) {
        if (found[i].kind == HITOP_FOUND_EAGER && found[i].link < links->nlinks) {
            links->eager[found[i].link] = found[i].eager;
        }
    }
    return t->share(t->self, links->eager, (size_t)links->nlinks * sizeof(*links->eager), diag);
}

/* At rank 0: keep what a round has found, also in the journal. */
static enum hitop_status keep(struct hitop_campaign *c, const struct hitop_eager *found, int first,
                              int last, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = first; status == HITOP_OK && i < last; i++) {
        const struct hitop_finding finding = {
            .kind = HITOP_FOUND_EAGER, .link = i, .eager = found[i]};
        if (found[i].is_found && !c->links.eager[i].is_found) {
            status = hitop_campaign_add_finding(c, &finding, diag);
        }
        c->links.eager[i] = found[i];
    }
    return status;
}

static enum hitop_status find_round(const struct hitop_transport *t, struct hitop_campaign *c,
                                    struct hitop_eager *found, int first, int last,
                                    struct hitop_diag *diag)
{
    const struct hitop_measure_options *o = &c->links.options;
    const int n = last - first;
    enum hitop_status status;

    campaign_phase(t, c, &c->links);
    campaign_progress(t, c, first, n, expect(&c->links, first, last));
    status = hitop_measure_eager(t, c->links.links + first, n, o->sizes[o->nsizes - 1],
                                 found + first, diag);
    campaign_phase(t, c, NULL);
    if (status == HITOP_OK && t->rank <= 0) {
        status = keep(c, found, first, last, diag);
    }
    status = hitop_agree_on_status(t, status, diag);
    return status == HITOP_OK ? hitop_campaign_agree(t, c, diag) : status;
}

enum hitop_status hitop_campaign_find_eager(const struct hitop_transport *t,
                                            struct hitop_campaign *c, struct hitop_diag *diag)
{
    struct hitop_campaign_part *links = &c->links;
    const size_t room = (size_t)links->nlinks + 1;
    struct hitop_eager *found = calloc(room, sizeof(*found));
    enum hitop_status status = hitop_campaign_agree(t, c, diag);
    const double end =
        fmax(c->request->options.budget, c->elapsed + hitop_campaign_share(c, "thresholds"));

    links->eager = calloc(room, sizeof(*links->eager));
    if (status == HITOP_OK && (!found || !links->eager)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "eager limits: out of memory");
    }
    status = hitop_agree_on_status(t, status, diag);
    if (status == HITOP_OK && c->request->keeps_samples) {
        status = recall(t, c, diag);
    }
    if (status == HITOP_OK) {
        memcpy(found, links->eager, room * sizeof(*found));
    }
    for (int first = 0, last; status == HITOP_OK && first < links->nlinks; first = last) {
        int nleft = 0;
        last = hitop_links_end_of_round(links->links, links->nlinks, first);
        for (int i = first; i < last; i++) {
            nleft += !found[i].is_found;
        }
        if (nleft > 0 && !c->was_interrupted && c->elapsed < end) {
            status = find_round(t, c, found, first, last, diag);
        }
    }
    free(found);
    return status;
}
