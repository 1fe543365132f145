/* SPDX-License-Identifier: BSD-3-Clause */
/* curve_task.c - measured times in the order and with the weights that fits need. */
#include <config.h>

#include "models/curves/curve_fit.h"

#include "models/fit/estimate.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { FEWEST = 4 }; /* points of a line */

/*
 * half_interval: half a 95 % interval in standard errors; usual_error: relative error where the
 * noise between measurements is unknown; least_error: smallest relative error, which keeps weights
 * finite.
 */
static const double half_interval = 1.96, usual_error = 0.01, least_error = 1e-9;

/* Limits of valid times, whose squares are finite. */
static const double least_time = 1e-15, most_time = 1e12;

static int compare_times(const void *a, const void *b)
{
    const struct timed_point *x = a, *y = b;

    if (x->ranks != y->ranks) {
        return x->ranks < y->ranks ? -1 : 1;
    }
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

static enum hitop_status check_time(const struct hitop_rank_time *t, struct hitop_diag *diag)
{
    if (t->ranks < 1) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "fit: a time of %d ranks", t->ranks);
    }
    if (!(t->seconds >= least_time && t->seconds < most_time && t->lo >= 0 && t->lo <= t->seconds &&
          t->hi >= t->seconds && t->hi < most_time)) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "fit: %zu bytes among %d ranks take %g s, interval [%g, %g]; must be %g "
                          "to %g s, within the interval",
                          t->bytes, t->ranks, t->seconds, t->lo, t->hi, least_time, most_time);
    }
    return HITOP_OK;
}

/*
 * The standard error of a time: that of its interval and the noise between measurements, added in
 * squares.
 */
static struct timed_point weigh(const struct hitop_rank_time *t, double floor)
{
    const double interval = (t->hi - t->lo) / (2 * half_interval);
    const double noise = t->seconds * (floor > 0 ? fmax(floor, least_error) : usual_error);

    return (struct timed_point){t->bytes, t->ranks, t->seconds, hypot(interval, noise)};
}

/* The number of curves that have this size. */
static size_t count_size(const struct timed_point *p, size_t n, size_t bytes)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++) {
        count += p[i].bytes == bytes;
    }
    return count;
}

/*
 * Move points of sizes that all numbers of ranks have to the front, and return how many they are;
 * SIZE_MAX without memory.
 */
static size_t keep_common(struct timed_point *p, size_t n, size_t nranks)
{
    char *keep = calloc(n + 1, 1);
    size_t kept = 0;

    for (size_t i = 0; keep && i < n; i++) {
        keep[i] = nranks == 1 || count_size(p, n, p[i].bytes) == nranks;
    }
    for (size_t i = 0; keep && i < n; i++) {
        if (keep[i]) {
            p[kept++] = p[i];
        }
    }
    free(keep);
    return keep ? kept : SIZE_MAX;
}

static enum hitop_status sort_times(struct fit_task *task, const struct hitop_rank_time *times,
                                    size_t n, double floor, struct hitop_curve_fit *out,
                                    struct hitop_diag *diag)
{
    struct timed_point *p = task->points;

    for (size_t i = 0; i < n; i++) {
        const enum hitop_status status = check_time(&times[i], diag);
        if (status != HITOP_OK) {
            return status;
        }
        p[i] = weigh(&times[i], floor);
    }
    qsort(p, n, sizeof(*p), compare_times);
    out->nranks = 1;
    for (size_t i = 1; i < n; i++) {
        if (compare_times(&p[i - 1], &p[i]) == 0) {
            return hitop_fail(diag, HITOP_ERR_INVALID, "fit: %zu bytes among %d ranks twice",
                              p[i].bytes, p[i].ranks);
        }
        out->nranks += p[i].ranks != p[i - 1].ranks;
    }
    return HITOP_OK;
}

enum hitop_status hitop_task_fill(struct fit_task *task, const struct hitop_rank_time *times,
                                  size_t n, double floor, double confidence,
                                  struct hitop_curve_fit *out, struct hitop_diag *diag)
{
    enum hitop_status status;
    size_t kept;

    *task = (struct fit_task){.confidence = confidence};
    *out = (struct hitop_curve_fit){.chosen = -1, .verdict = HITOP_FIT_UNDECIDED};
    if (n == 0 || n > (size_t)16 * HITOP_FIT_MAX_SIZES) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "fit: %zu times, must be 1 to %d", n,
                          16 * HITOP_FIT_MAX_SIZES);
    }
    if (!(floor >= 0 && floor < 10 && confidence > 0 && confidence < 1)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "fit: noise %g, confidence %g", floor,
                          confidence);
    }
    out->floor = floor;
    task->points = calloc(n, sizeof(*task->points));
    task->curve_points = calloc(n, sizeof(*task->curve_points));
    task->curves = calloc(n, sizeof(*task->curves));
    task->solver = hitop_solver_create(n);
    if (!task->points || !task->curve_points || !task->curves || !task->solver ||
        !hitop_trial_reserve(&task->memory, n)) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory for %zu times", n);
    }
    status = sort_times(task, times, n, floor, out, diag);
    if (status != HITOP_OK) {
        return status;
    }
    out->min_ranks = task->points[0].ranks;
    out->max_ranks = task->points[n - 1].ranks;
    kept = keep_common(task->points, n, (size_t)out->nranks);
    if (kept == SIZE_MAX) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory for %zu times", n);
    }
    if (kept == 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID,
                          "fit: no size was measured with all of %d numbers of ranks", out->nranks);
    }
    task->grid = (struct grid){task->points, kept / (size_t)out->nranks, (size_t)out->nranks};
    if (task->grid.nsizes > HITOP_FIT_MAX_SIZES) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "fit: %zu sizes, must be at most %d",
                          task->grid.nsizes, HITOP_FIT_MAX_SIZES);
    }
    out->left_out = (int)(n - kept);
    out->min_bytes = task->points[0].bytes;
    out->max_bytes = task->points[task->grid.nsizes - 1].bytes;
    return HITOP_OK;
}

void hitop_task_clear(struct fit_task *task)
{
    hitop_trial_clear(&task->memory);
    hitop_solver_free(task->solver);
    free(task->curves);
    free(task->curve_points);
    free(task->points);
}

int hitop_find_pieces(struct fit_task *task, const struct timed_point *points, size_t npoints,
                      size_t *begins, int *n)
{
    const int is_part = npoints < task->grid.nsizes * task->grid.nranks;
    size_t first[HITOP_MAX_SEGMENTS], nsegments = 1, ncurves = 0;

    for (size_t i = 0; i < npoints; i++) {
        task->curve_points[i] = (struct hitop_point){
            .bytes = points[i].bytes, .seconds = points[i].seconds, .se = points[i].se};
        if (i == 0 || points[i].ranks != points[i - 1].ranks) {
            task->curves[ncurves++] = (struct hitop_curve){&task->curve_points[i], 0};
        }
        task->curves[ncurves - 1].npoints++;
    }
    if (hitop_segments_together(task->curves, ncurves, is_part ? FEWEST - 1 : FEWEST, first,
                                &nsegments, NULL) != HITOP_OK) {
        return 0;
    }
    for (size_t s = 0; s < nsegments; s++) {
        begins[s] = points[first[s]].bytes;
    }
    *n = (int)nsegments;
    return 1;
}
