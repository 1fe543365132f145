/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * thresholds.c - thresholds of linear scatter and gather, with a line for each regular range.
 *
 * Idea:  one to many has at most one break in its trend, S. Many to one escalates from M1 on; among
 *        the times from there on, whose spread is far larger than their trend, the level falls at
 *        M2.
 */
#include <config.h>

#include "models/fit/estimate.h"
#include "models/fit/scatter_gather.h"

#include <math.h>
#include <stdlib.h>

/*
 * One pass over the sizes below *smallest, in steps of `stride`. If a time is s->factor times the
 * time before, *smallest becomes its size and the pass ends.
 */
static enum hitop_status go_over(const struct hitop_escalation *s, size_t stride, size_t *smallest,
                                 struct hitop_diag *diag)
{
    double before = 0, seconds = 0;

    for (size_t bytes = stride; bytes < *smallest; bytes += stride) {
        const enum hitop_status status = s->time(s->data, bytes, &seconds, diag);
        if (status != HITOP_OK) {
            return status;
        }
        if (bytes > stride && seconds >= s->factor * before) {
            *smallest = bytes;
        }
        before = seconds;
    }
    return HITOP_OK;
}

enum hitop_status hitop_escalation_find(const struct hitop_escalation *search, size_t *smallest,
                                        struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    *smallest = search->max_bytes;
    for (size_t stride = search->first_stride; stride >= search->min_stride && status == HITOP_OK;
         stride /= 2) {
        status = go_over(search, stride, smallest, diag);
    }
    return status;
}

/* Confidence of the lines; their intervals are not used. */
static const double confidence = 0.95;

/* The robust line of points first .. last - 1, where they determine one. */
static enum hitop_status draw(const struct hitop_curve *c, size_t first, size_t last, double *a,
                              double *b, struct hitop_diag *diag)
{
    struct hitop_line line;
    enum hitop_status status;

    if (last < first + 2) {
        return HITOP_OK;
    }
    status = hitop_line_robust(c->points + first, last - first, confidence, &line, diag);
    if (status == HITOP_OK) {
        *a = line.a;
        *b = line.b;
    }
    return status;
}

static enum hitop_status fit_scatter(const struct hitop_curve *c, double *out,
                                     struct hitop_diag *diag)
{
    struct hitop_break found = {.first = c->npoints};
    enum hitop_status status = HITOP_OK;

    if (c->npoints >= 2 * (HITOP_BREAK_LINE + 1)) {
        status = hitop_break_find(c->points, c->npoints, HITOP_BREAK_LINE, &found, diag);
    }
    if (found.found) {
        out[HITOP_S] = (double)c->points[found.first].bytes;
    } else {
        found.first = c->npoints;
    }
    if (status == HITOP_OK) {
        status =
            draw(c, 0, found.first, &out[HITOP_SCATTER_SMALL_A], &out[HITOP_SCATTER_SMALL_B], diag);
    }
    return status == HITOP_OK ? draw(c, found.first, c->npoints, &out[HITOP_SCATTER_LARGE_A],
                                     &out[HITOP_SCATTER_LARGE_B], diag)
                              : status;
}

/*
 * Index of the first point that is regular again after the erratic ones from first on; npoints when
 * none is. All points have the same weight, because the error of an erratic one means little.
 */
static enum hitop_status find_end(const struct hitop_curve *c, size_t first, size_t *end,
                                  struct hitop_diag *diag)
{
    const size_t n = c->npoints - first;
    struct hitop_break found;
    struct hitop_point *alike;
    enum hitop_status status;

    *end = c->npoints;
    if (n < 2 * (HITOP_BREAK_LEVEL + 1)) {
        return HITOP_OK;
    }
    alike = calloc(n, sizeof(*alike));
    if (!alike) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "thresholds: out of memory for %zu points", n);
    }
    for (size_t i = 0; i < n; i++) {
        alike[i] = c->points[first + i];
        alike[i].se = 1;
    }
    status = hitop_break_find(alike, n, HITOP_BREAK_LEVEL, &found, diag);
    if (status == HITOP_OK && found.found && found.a[1] < found.a[0]) {
        *end = first + found.first;
    }
    free(alike);
    return status;
}

static enum hitop_status fit_gather(const struct hitop_curve *c, size_t escalated, double *out,
                                    struct hitop_diag *diag)
{
    /* whole KiB, so that messages of this size stay well below */
    const size_t threshold = escalated < 1024 ? escalated : escalated - escalated % 1024;
    size_t first = c->npoints, end = c->npoints;
    enum hitop_status status = HITOP_OK;

    if (threshold > 0) {
        out[HITOP_M1] = (double)threshold;
        for (first = 0; first < c->npoints && c->points[first].bytes < threshold; first++) {
        }
        status = find_end(c, first, &end, diag);
    }
    if (end < c->npoints) {
        out[HITOP_M2] = (double)c->points[end].bytes;
    }
    if (status == HITOP_OK) {
        status = draw(c, 0, first, &out[HITOP_GATHER_SMALL_A], &out[HITOP_GATHER_SMALL_B], diag);
    }
    return status == HITOP_OK ? draw(c, end, c->npoints, &out[HITOP_GATHER_LARGE_A],
                                     &out[HITOP_GATHER_LARGE_B], diag)
                              : status;
}

enum hitop_status hitop_thresholds_fit(const struct hitop_curve *scatter,
                                       const struct hitop_curve *gather, size_t escalated,
                                       double *out, struct hitop_diag *diag)
{
    enum hitop_status status;

    for (size_t i = 0; i < HITOP_NTHRESHOLDS; i++) {
        out[i] = NAN;
    }
    status = fit_scatter(scatter, out, diag);
    return status == HITOP_OK ? fit_gather(gather, escalated, out, diag) : status;
}
