/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * warm_up.c - reach the steady state before the first sample, and take as many samples as fit into
 * a time.
 */
#include <config.h>

#include "models/measure/measure_impl.h"

#include <math.h>
#include <string.h>

enum { WINDOW = 16, MAX_ROUND = 32, MAX_BATCH = 1000000 };

/* The last two windows of samples, oldest first. */
struct history {
    double seconds[2 * WINDOW];
    int n;
};

static void remember(struct history *h, double seconds)
{
    if (h->n == 2 * WINDOW) {
        memmove(h->seconds, h->seconds + 1, (2 * WINDOW - 1) * sizeof(double));
        h->n--;
    }
    h->seconds[h->n++] = seconds;
}

static double window_median(const struct history *h, int first, int n)
{
    double copy[2 * WINDOW];

    memcpy(copy, h->seconds + first, (size_t)n * sizeof(double));
    return hitop_median_of(copy, n);
}

static int is_steady(const struct history *h)
{
    const double before = window_median(h, 0, WINDOW);
    const double after = window_median(h, WINDOW, WINDOW);

    return h->n == 2 * WINDOW && fabs(after - before) <= 0.05 * after;
}

/* If the clock is coarser than the round trip, put more round trips between two readings. */
static enum hitop_status refine(const struct hitop_transport *t, int from, int to, size_t bytes,
                                double *seconds, struct hitop_diag *diag)
{
    struct hitop_series series = {
        .what = HITOP_ECHO, .from = from, .to = to, .bytes = bytes, .count = 1};
    enum hitop_status status = HITOP_OK;

    for (series.batch = 10; status == HITOP_OK && t->max_batch == 0 && series.batch <= MAX_BATCH &&
                            2 * *seconds * series.batch / 10 < 20 * t->clock_step;
         series.batch *= 10) {
        status = t->exchange(t->self, &series, seconds, diag);
    }
    return status;
}

enum hitop_status hitop_warm_up(const struct hitop_transport *t, int from, int to, size_t bytes,
                                double limit, double *round_trip, struct hitop_diag *diag)
{
    const double start = t->now(t->self);
    struct history history = {.n = 0};
    struct hitop_series series = {
        .what = HITOP_ECHO, .from = from, .to = to, .bytes = bytes, .batch = 1};
    double sample[MAX_ROUND];
    double seconds;
    enum hitop_status status = HITOP_OK;

    for (int round = 1, total = 0; total < 1000;
         total += round, round = round < MAX_ROUND ? 2 * round : round) {
        series.count = round;
        status = t->exchange(t->self, &series, sample, diag);
        if (status != HITOP_OK) {
            return status;
        }
        for (int i = 0; i < round; i++) {
            remember(&history, sample[i]);
        }
        if (t->now(t->self) - start >= limit || (history.n == 2 * WINDOW && is_steady(&history))) {
            break;
        }
    }
    seconds = history.n < WINDOW ? window_median(&history, 0, history.n)
                                 : window_median(&history, history.n - WINDOW, WINDOW);
    status = refine(t, from, to, bytes, &seconds, diag);
    *round_trip = 2 * seconds;
    return status;
}

enum hitop_status hitop_sample_for(const struct hitop_transport *t, const struct hitop_link *link,
                                   enum hitop_experiment what, size_t bytes, double limit,
                                   int least, int most, double *sample, int *n,
                                   struct hitop_diag *diag)
{
    struct hitop_series series = {
        .what = what, .from = link->rank[0], .to = link->rank[1], .bytes = bytes};
    double trip;
    enum hitop_status status =
        hitop_warm_up(t, link->rank[0], link->rank[1], bytes, 0.05 * limit, &trip, diag);

    if (status != HITOP_OK) {
        return status;
    }
    trip = fmax(trip, 1e-9);
    series.batch = batch_of(t, trip);
    series.count = (int)fmin(fmax(limit / (trip * series.batch + t->pause), least), most);
    *n = series.count;
    return t->exchange(t->self, &series, sample, diag);
}
