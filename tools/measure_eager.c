/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_eager.c - up to which size sends complete alone, on every link that was measured. */
#include <config.h>

#include "measure_request.h"

#include "hitop/eager.h"

#include <math.h>
#include <stdlib.h>

/* Sends that a search waits for in vain, at most: two votes for half of its thirty steps, and a verification. */
enum { VAIN_SENDS = 35 };

double measure_eager_seconds(double round_trip)
{
    return VAIN_SENDS * hitop_eager_window(round_trip);
}

/* The same for the slowest of some links that were measured. */
static double expect(const struct measure_part *part, int first, int last)
{
    double round_trip = 0;

    for (int i = first; part->measurement.curves && i < last; i++) {
        const struct hitop_curve *echo =
            &part->measurement.curves[i * HITOP_NEXPERIMENTS + HITOP_ECHO];
        round_trip = fmax(round_trip, echo->npoints > 0 ? 2 * echo->points[0].seconds : 0);
    }
    return measure_eager_seconds(round_trip);
}

static enum hitop_status find_round(const struct hitop_transport *transport,
                                    struct measure_run *run, struct measure_part *part, int first,
                                    int last, struct hitop_diag *diag)
{
    const struct hitop_progress now = {
        .first = first, .step = 1, .nlinks = last - first, .expected = expect(part, first, last)};
    const size_t largest = part->options.sizes[part->options.nsizes - 1];
    struct hitop_transport watched = *transport;
    enum hitop_status status;

    measure_watch_begin(run, part, &watched);
    measure_watch_wave(&now);
    status = hitop_measure_eager(&watched, part->links + first, last - first, largest,
                                 part->eager + first, diag);
    measure_watch_end();
    return status;
}

enum hitop_status measure_eager_find(const struct hitop_transport *transport,
                                     struct measure_run *run, struct measure_part *part,
                                     struct hitop_diag *diag)
{
    enum hitop_status status = measure_run_agree(transport, run, diag);

    part->eager = calloc((size_t)part->nlinks + 1, sizeof(*part->eager));
    if (status == HITOP_OK && !part->eager) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "eager limits: out of memory");
    }
    status = measure_agree(transport, status, diag);
    for (int first = 0, last; status == HITOP_OK && !run->was_interrupted && first < part->nlinks;
         first = last) {
        last = hitop_links_end_of_round(part->links, part->nlinks, first);
        status = find_round(transport, run, part, first, last, diag);
        if (status == HITOP_OK) {
            status = measure_run_agree(transport, run, diag);
        }
    }
    return status;
}

int measure_eager_is_complete(const struct measure_run *run, const struct measure_part *part)
{
    int nmissing = 0;

    for (int i = 0; part->eager && i < part->nlinks; i++) {
        nmissing += !part->eager[i].is_found;
    }
    if (nmissing == 0) {
        return 1;
    }
    tool_error(run->tool, "%d of %d links have no eager limit: %s", nmissing, part->nlinks,
               run->was_interrupted
                   ? "the measurement was ended before"
                   : "sends of one size completed alone at times; try a quieter machine");
    return 0;
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
