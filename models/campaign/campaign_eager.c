/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign_eager.c - up to which size sends complete alone, on every link that was measured. */
#include <config.h>

#include "models/campaign/campaign_impl.h"

#include <math.h>
#include <stdlib.h>

/* Sends that a search waits for in vain, at most: two votes for half of its thirty steps, and a
 * verification. */
enum { VAIN_SENDS = 35 };

double hitop_campaign_eager_seconds(double round_trip)
{
    return VAIN_SENDS * hitop_eager_window(round_trip);
}

/* Links without an eager limit from an earlier run. */
struct left {
    struct hitop_campaign_part part; /* as all links, but for links, their number and limits */
    int *index;                      /* of each among all */
};

/* The same for the slowest of some links that were measured. */
static double expect(const struct hitop_campaign_part *all, const int *index, int n)
{
    double round_trip = 0;

    for (int i = 0; all->measurement.curves && i < n; i++) {
        const struct hitop_curve *echo =
            &all->measurement.curves[index[i] * HITOP_NEXPERIMENTS + HITOP_ECHO];
        round_trip = fmax(round_trip, echo->npoints > 0 ? 2 * echo->points[0].seconds : 0);
    }
    return hitop_campaign_eager_seconds(round_trip);
}

/* At rank 0: what earlier runs have found. */
static void recall(const struct hitop_campaign *c)
{
    int n;
    const struct hitop_finding *found = hitop_campaign_findings(c, &n);

    for (int i = 0; i < n; i++) {
        if (found[i].kind == HITOP_FOUND_EAGER && found[i].link < c->links.nlinks) {
            c->links.eager[found[i].link] = found[i].eager;
        }
    }
}

/* All ranks: which links are left. */
static enum hitop_status choose_left(const struct hitop_transport *t, struct hitop_campaign *c,
                                     struct left *left, struct hitop_diag *diag)
{
    const struct hitop_campaign_part *all = &c->links;
    const size_t room = (size_t)all->nlinks + 1;
    enum hitop_status status = HITOP_OK;

    left->part = *all;
    left->part.nlinks = 0;
    left->part.links = calloc(room, sizeof(*left->part.links));
    left->part.eager = calloc(room, sizeof(*left->part.eager));
    left->index = calloc(room, sizeof(*left->index));
    if (!all->eager || !left->part.links || !left->part.eager || !left->index) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "eager limits: out of memory");
    }
    status = hitop_agree_on_status(t, status, diag);
    if (status == HITOP_OK && c->request->keeps_samples) {
        recall(c);
        status = t->share(t->self, all->eager, (size_t)all->nlinks * sizeof(*all->eager), diag);
    }
    for (int i = 0; status == HITOP_OK && i < all->nlinks; i++) {
        if (!all->eager[i].is_found) {
            left->index[left->part.nlinks] = i;
            left->part.links[left->part.nlinks++] = all->links[i];
        }
    }
    return status;
}

/* At rank 0: what a round has found goes to all, and to the journal. */
static enum hitop_status keep(struct hitop_campaign *c, const struct left *left, int first,
                              int last, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = first; status == HITOP_OK && i < last; i++) {
        const struct hitop_finding finding = {
            .kind = HITOP_FOUND_EAGER, .link = left->index[i], .eager = left->part.eager[i]};
        c->links.eager[left->index[i]] = finding.eager;
        if (finding.eager.is_found) {
            status = hitop_campaign_add_finding(c, &finding, diag);
        }
    }
    return status;
}

static enum hitop_status find_round(const struct hitop_transport *t, struct hitop_campaign *c,
                                    const struct left *left, int first, int last,
                                    struct hitop_diag *diag)
{
    const struct hitop_measure_options *o = &c->links.options;
    const int n = last - first;
    enum hitop_status status;

    campaign_phase(t, c, &left->part);
    campaign_progress(t, c, first, n, expect(&c->links, left->index + first, n));
    status = hitop_measure_eager(t, left->part.links + first, n, o->sizes[o->nsizes - 1],
                                 left->part.eager + first, diag);
    campaign_phase(t, c, NULL);
    if (status == HITOP_OK && t->rank <= 0) {
        status = keep(c, left, first, last, diag);
    }
    return hitop_agree_on_status(t, status, diag);
}

enum hitop_status hitop_campaign_find_eager(const struct hitop_transport *t,
                                            struct hitop_campaign *c, struct hitop_diag *diag)
{
    struct left left = {.index = NULL};
    enum hitop_status status = hitop_campaign_agree(t, c, diag);
    const double end =
        fmax(c->request->options.budget, c->elapsed + hitop_campaign_share(c, "thresholds"));

    c->links.eager = calloc((size_t)c->links.nlinks + 1, sizeof(*c->links.eager));
    if (status == HITOP_OK) {
        status = choose_left(t, c, &left, diag);
    }
    for (int first = 0, last;
         status == HITOP_OK && !c->was_interrupted && c->elapsed < end && first < left.part.nlinks;
         first = last) {
        last = hitop_links_end_of_round(left.part.links, left.part.nlinks, first);
        status = find_round(t, c, &left, first, last, diag);
        if (status == HITOP_OK) {
            status = hitop_campaign_agree(t, c, diag);
        }
    }
    free(left.index);
    free(left.part.eager);
    free(left.part.links);
    return status;
}
