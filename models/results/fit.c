/* SPDX-License-Identifier: BSD-3-Clause */
/* fit.c - group the curves of a benchmark into series, and fit formulas to curves and series. */
#include <config.h>

#include "models/results/results.h"

#include "models/fit/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double confidence = 0.95;

/* The largest noise that hitop_fit_sizes() accepts is below 10. */
static const double most_noise = 9.99;

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

/* Index of the first curve of this operation, so that operations keep their order. */
static int order_of(const struct results *report, const char *operation)
{
    int i = 0;

    while (strcmp(report->curves[i].operation, operation) != 0) {
        i++;
    }
    return i;
}

/* Compare the settings that all curves of a series share. */
static int compare_settings(const struct results_curve *x, const struct results_curve *y)
{
    const char *const a[] = {x->implementation, x->root, x->arrival, x->cache, x->timing, x->type};
    const char *const b[] = {y->implementation, y->root, y->arrival, y->cache, y->timing, y->type};
    int order = compare_texts(x->operation, y->operation);

    for (size_t i = 0; order == 0 && i < sizeof(a) / sizeof(a[0]); i++) {
        order = compare_texts(a[i], b[i]);
    }
    if (order == 0 && isfinite(x->interval) && isfinite(y->interval)) {
        order = (x->interval > y->interval) - (x->interval < y->interval);
    }
    if (order == 0) {
        order = (x->root_rank > y->root_rank) - (x->root_rank < y->root_rank);
    }
    return order ? order : x->again - y->again;
}

/* A curve with the index of its operation. */
struct place {
    struct results_curve curve;
    int operation, index;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = (x->operation > y->operation) - (x->operation < y->operation);

    if (order == 0) {
        order = compare_settings(&x->curve, &y->curve);
    }
    if (order == 0) {
        order = (x->curve.ranks > y->curve.ranks) - (x->curve.ranks < y->curve.ranks);
    }
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int sort_curves(struct results *report)
{
    struct place *places = calloc((size_t)report->ncurves + 1, sizeof(*places));

    if (!places) {
        return 0;
    }
    for (int i = 0; i < report->ncurves; i++) {
        places[i] =
            (struct place){report->curves[i], order_of(report, report->curves[i].operation), i};
    }
    qsort(places, (size_t)report->ncurves, sizeof(*places), compare_places);
    for (int i = 0; i < report->ncurves; i++) {
        report->curves[i] = places[i].curve;
    }
    free(places);
    return 1;
}

/* Without an interval, after too few repetitions, use the quartiles, which are farther apart. */
static void choose_interval(const struct results_times *t, double *lo, double *hi)
{
    const int has = isfinite(t->lo) && isfinite(t->hi);
    const int has_half = isfinite(t->q25) && isfinite(t->q75);

    *lo = has ? t->lo : has_half ? t->q25 : t->median;
    *hi = has ? t->hi : has_half ? t->q75 : t->median;
}

/*
 * Collect times above 0 with intervals; returns their number. Empty messages are used only if the
 * curve has no other size, because many libraries do nothing for them.
 */
static size_t collect(const struct results_curve *c, struct hitop_rank_time *out)
{
    size_t n = 0;

    for (int i = 0; i < c->npoints; i++) {
        const struct results_times *t = &c->points[i].time;
        if (t->median > 0 && (c->points[i].bytes > 0 || c->npoints == 1)) {
            double lo, hi;
            choose_interval(t, &lo, &hi);
            out[n++] = (struct hitop_rank_time){c->ranks, c->points[i].bytes, t->median, lo, hi};
        }
    }
    return n;
}

/* Fit a curve. If it has no fit, why_not has the reason; only a lack of memory is a failure. */
static enum hitop_status fit_curve(struct results_curve *c, double floor,
                                   struct hitop_rank_time *times, struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    const size_t n = collect(c, times);
    enum hitop_status status;

    if (n == 0) {
        (void)snprintf(c->why_not, sizeof(c->why_not), "No time is above 0, so there is no T(m).");
        return HITOP_OK;
    }
    status = hitop_fit_sizes(times, n, floor, confidence, &c->fit, &why);
    c->has_fit = status == HITOP_OK && c->fit.chosen >= 0;
    if (!c->has_fit) {
        (void)snprintf(c->why_not, sizeof(c->why_not), "%.200s",
                       status == HITOP_OK ? c->fit.sentence : why.message);
    }
    return status == HITOP_ERR_NOMEM ? hitop_fail(diag, status, "%s", why.message) : HITOP_OK;
}

static enum hitop_status fit_series(const struct results *report, struct results_series *s,
                                    double floor, struct hitop_rank_time *times,
                                    struct hitop_diag *diag)
{
    struct hitop_diag why = HITOP_DIAG_INIT;
    enum hitop_status status;
    size_t n = 0;

    for (int i = 0; i < s->n; i++) {
        n += collect(&report->curves[s->first + i], times + n);
    }
    status = hitop_fit_ranks(s->basis, times, n, floor, confidence, &s->fit, &why);
    s->has_fit = status == HITOP_OK && s->fit.chosen >= 0;
    return status == HITOP_ERR_NOMEM ? hitop_fail(diag, status, "%s", why.message) : HITOP_OK;
}

static void find_series(struct results *report)
{
    for (int i = 0; i < report->ncurves; i++) {
        if (i == 0 || compare_settings(&report->curves[i - 1], &report->curves[i]) != 0) {
            struct results_series *s = &report->series[report->nseries++];
            *s = (struct results_series){
                .first = i, .basis = hitop_fit_basis_find(report->curves[i].operation)};
        }
        report->series[report->nseries - 1].n++;
    }
}

/* The noise of a curve; if it is unknown, that of all curves; 0: both are unknown. */
static double floor_of(const struct results *report, double noise)
{
    const double known = isfinite(noise) ? noise : report->noise_floor;

    return isfinite(known) ? fmin(known, most_noise) : 0;
}

/* The median noise of the curves of a series. */
static double series_noise(const struct results *report, const struct results_series *s,
                           double *room)
{
    int n = 0;

    for (int i = 0; i < s->n; i++) {
        const double noise = report->curves[s->first + i].noise;
        if (isfinite(noise)) {
            room[n++] = noise;
        }
    }
    return n > 0 ? hitop_median_of(room, n) : NAN;
}

enum hitop_status hitop_results_fit(struct results *report, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    struct hitop_rank_time *times;
    double *room = calloc((size_t)report->ncurves + 1, sizeof(*room));
    size_t npoints = 0;

    for (int i = 0; i < report->ncurves; i++) {
        npoints += (size_t)report->curves[i].npoints;
    }
    times = calloc(npoints + 1, sizeof(*times));
    report->series = calloc((size_t)report->ncurves + 1, sizeof(*report->series));
    if (!room || !times || !report->series || !sort_curves(report)) {
        free(room);
        free(times);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "report: out of memory");
    }
    find_series(report);
    for (int i = 0; status == HITOP_OK && i < report->ncurves; i++) {
        struct results_curve *c = &report->curves[i];
        status = fit_curve(c, floor_of(report, c->noise), times, diag);
    }
    for (int i = 0; status == HITOP_OK && i < report->nseries; i++) {
        struct results_series *s = &report->series[i];
        if (s->basis && s->n > 1) {
            const double noise = series_noise(report, s, room);
            status = fit_series(report, s, floor_of(report, noise), times, diag);
        }
    }
    free(room);
    free(times);
    return status;
}
