/* SPDX-License-Identifier: BSD-3-Clause */
/* eager_measure.c - find the largest eager send of many links, round by round. */
#include <config.h>

#include "models/fit/eager.h"

#include "models/measure/measure_impl.h"

/* Seconds of the warm-up, which times the round trip. The round trip limits the wait for a send. */
#define WARM_UP_SECONDS 0.3

struct tested_link {
    const struct hitop_transport *t;
    const struct hitop_link *link;
};

static enum hitop_status completes(void *data, size_t bytes, double seconds, int *yes,
                                   struct hitop_diag *diag)
{
    const struct tested_link *l = data;

    return l->t->completes(l->t->self, l->link->rank[0], l->link->rank[1], bytes, seconds, yes,
                           diag);
}

static enum hitop_status search(const struct hitop_transport *t, const struct hitop_link *link,
                                size_t max, struct hitop_eager *out, struct hitop_diag *diag)
{
    struct tested_link tested = {.t = t, .link = link};
    const struct hitop_eager_test test = {.completes = completes, .data = &tested};
    double round_trip = 0;
    enum hitop_status status =
        hitop_warm_up(t, link->rank[0], link->rank[1], 0, WARM_UP_SECONDS, &round_trip, diag);

    return status == HITOP_OK ? hitop_eager_search(&test, max, round_trip, out, diag) : status;
}

/*
 * Find the limits of the links of one round. These share no rank, so that no link waits for another
 * one, and no rank waits after a failure.
 */
static enum hitop_status run_round(const struct hitop_transport *t, const struct hitop_link *links,
                                   int n, size_t max, struct hitop_eager *out,
                                   struct hitop_diag *diag)
{
    const int has_all = t->rank == HITOP_EVERY_RANK;
    struct hitop_eager mine = {0};
    enum hitop_status status = HITOP_OK;

    for (int i = 0; status == HITOP_OK && i < n; i++) {
        if (out[i].is_found) {
            continue;
        }
        if (plays_first(t, &links[i])) {
            status = search(t, &links[i], max, has_all ? &out[i] : &mine, diag);
        }
        status = hitop_link_end(t, &links[i], 0, status, diag);
    }
    status = hitop_agree_on_status(t, status, diag);
    for (int i = 0; status == HITOP_OK && !has_all && i < n; i++) {
        if (out[i].is_found) {
            continue;
        }
        if (t->rank == 0 && links[i].rank[0] == 0) {
            out[i] = mine;
        } else {
            status = t->collect(t->self, links[i].rank[0], t->rank == 0 ? &out[i] : &mine,
                                sizeof(mine), diag);
        }
    }
    return status;
}

enum hitop_status hitop_measure_eager(const struct hitop_transport *t,
                                      const struct hitop_link *links, int nlinks, size_t max,
                                      struct hitop_eager *out, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    if (!t->completes) {
        return hitop_fail(diag, HITOP_ERR_UNSUPPORTED,
                          "the %s transport cannot detect whether a send completes alone", t->name);
    }
    if (max < 1 || max > t->max_bytes) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "a threshold is looked for between 1 and %zu bytes, not up to %zu",
                          t->max_bytes, max);
    }
    for (int first = 0, last; status == HITOP_OK && first < nlinks; first = last) {
        last = hitop_links_end_of_round(links, nlinks, first);
        status = run_round(t, links + first, last - first, max, out + first, diag);
    }
    return status;
}
