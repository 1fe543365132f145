/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_eager.c - up to which size sends complete alone, on every link that was measured. */
#include <config.h>

#include "tools/measure/measure.h"

#include "models/fit/eager.h"

#include <math.h>
#include <stdlib.h>

/* Sends that a search waits for in vain, at most: two votes for half of its thirty steps, and a verification. */
enum { VAIN_SENDS = 35 };

double measure_eager_seconds(double round_trip)
{
    return VAIN_SENDS * hitop_eager_window(round_trip);
}

/* Links whose limits no earlier run has found. */
struct left {
    struct measure_part part; /* as that of all links, but for links, their number and limits */
    int *index;               /* of each in the part of all */
};

/* The same for the slowest of some links that were measured. */
static double expect(const struct measure_part *all, const int *index, int n)
{
    double round_trip = 0;

    for (int i = 0; all->measurement.curves && i < n; i++) {
        const struct hitop_curve *echo =
            &all->measurement.curves[index[i] * HITOP_NEXPERIMENTS + HITOP_ECHO];
        round_trip = fmax(round_trip, echo->npoints > 0 ? 2 * echo->points[0].seconds : 0);
    }
    return measure_eager_seconds(round_trip);
}

/* At rank 0: what earlier runs have found. */
static void recall(const struct measure_run *run, const struct measure_part *all)
{
    int n;
    const struct hitop_finding *found = measure_journal_findings(run, &n);

    for (int i = 0; i < n; i++) {
        if (found[i].kind == HITOP_FOUND_EAGER && found[i].link < all->nlinks) {
            all->eager[found[i].link] = found[i].eager;
        }
    }
}

/* All ranks: which links are left. */
static enum hitop_status choose_left(const struct hitop_transport *transport,
                                     const struct measure_run *run, const struct measure_part *all,
                                     struct left *left, struct hitop_diag *diag)
{
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
    status = measure_agree(transport, status, diag);
    if (status == HITOP_OK && run->request->run.journal) {
        recall(run, all);
        status = transport->share(transport->self, all->eager,
                                  (size_t)all->nlinks * sizeof(*all->eager), diag);
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
static enum hitop_status keep(struct measure_run *run, const struct measure_part *all,
                              const struct left *left, int first, int last, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = first; status == HITOP_OK && i < last; i++) {
        const struct hitop_finding finding = {
            .kind = HITOP_FOUND_EAGER, .link = left->index[i], .eager = left->part.eager[i]};
        all->eager[left->index[i]] = finding.eager;
        if (finding.eager.is_found) {
            status = measure_journal_find(run, &finding, diag);
        }
    }
    return status;
}

static enum hitop_status find_round(const struct hitop_transport *transport,
                                    struct measure_run *run, const struct measure_part *all,
                                    const struct left *left, int first, int last,
                                    struct hitop_diag *diag)
{
    const struct hitop_measure_options *o = &all->options;
    const struct hitop_progress now = {.first = first,
                                       .step = 1,
                                       .nlinks = last - first,
                                       .expected = expect(all, left->index + first, last - first)};
    struct hitop_transport watched = *transport;
    enum hitop_status status;

    measure_watch_begin(run, &left->part, &watched);
    measure_watch_wave(&now);
    status = hitop_measure_eager(&watched, left->part.links + first, last - first,
                                 o->sizes[o->nsizes - 1], left->part.eager + first, diag);
    measure_watch_end();
    if (status == HITOP_OK && transport->rank <= 0) {
        status = keep(run, all, left, first, last, diag);
    }
    return measure_agree(transport, status, diag);
}

enum hitop_status measure_eager_find(const struct hitop_transport *transport,
                                     struct measure_run *run, struct measure_part *part,
                                     struct hitop_diag *diag)
{
    struct left left = {.index = NULL};
    enum hitop_status status = measure_run_agree(transport, run, diag);
    const double end =
        fmax(run->request->options.budget, run->elapsed + measure_run_share(run, "thresholds"));

    part->eager = calloc((size_t)part->nlinks + 1, sizeof(*part->eager));
    if (status == HITOP_OK) {
        status = choose_left(transport, run, part, &left, diag);
    }
    for (int first = 0, last; status == HITOP_OK && !run->was_interrupted && run->elapsed < end &&
                              first < left.part.nlinks;
         first = last) {
        last = hitop_links_end_of_round(left.part.links, left.part.nlinks, first);
        status = find_round(transport, run, part, &left, first, last, diag);
        if (status == HITOP_OK) {
            status = measure_run_agree(transport, run, diag);
        }
    }
    free(left.index);
    free(left.part.eager);
    free(left.part.links);
    return status;
}

void measure_eager_doubt(struct measure_run *run, const struct measure_part *part)
{
    int nmissing = 0;

    for (int i = 0; part->eager && i < part->nlinks; i++) {
        nmissing += !part->eager[i].is_found;
    }
    if (nmissing > 0) {
        measure_run_doubt(
            run, "%d of %d links have no eager limit: %s", nmissing, part->nlinks,
            run->was_interrupted
                ? "the measurement was ended before"
                : "--budget was used up before, or sends of one size completed alone at "
                  "times; try a quieter machine");
    }
}

void measure_eager_text(const struct hitop_eager *eager, char *out, size_t length)
{
    if (!eager->is_found) {
        (void)snprintf(out, length, "unclear");
    } else if (eager->is_max) {
        (void)snprintf(out, length, "all");
    } else {
        (void)snprintf(out, length, "%zu", eager->bytes);
    }
}
