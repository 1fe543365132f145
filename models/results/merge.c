/* SPDX-License-Identifier: BSD-3-Clause */
/* merge.c - merge the results of several launches of one set-up. */
#include <config.h>

#include "models/results/merge_impl.h"

#include "models/fit/quantile.h"

#include "models/fit/estimate.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Check that r has all curves of the results `all`. */
static enum hitop_status check_curves(const struct results *r, const char *name,
                                      const struct results *all, const char *all_name,
                                      struct hitop_diag *diag)
{
    for (int i = 0; i < all->ncurves; i++) {
        const struct results_curve *c = &all->curves[i];
        if (!hitop_results_find_curve(r, c)) {
            return hitop_fail(diag, HITOP_ERR_FORMAT,
                              "%s: no %.60s by %.60s among %d ranks with the settings of %s: not "
                              "launches of one set-up",
                              name, c->operation, c->implementation, c->ranks, all_name);
        }
    }
    return HITOP_OK;
}

/*
 * Whether two results are of the same launch, which would hide how launches differ. Launches of a
 * simulation have no date, and may be equal because they have no noise.
 */
static int is_same_launch(const struct results *a, const struct results *b)
{
    const char *date = hitop_results_fact(a, "date");

    if (!date || !*date || !hitop_results_is_same_text(date, hitop_results_fact(b, "date"))) {
        return 0;
    }
    for (int i = 0; i < a->ncurves; i++) {
        const struct results_curve *x = &a->curves[i], *y = hitop_results_find_curve(b, x);
        for (int k = 0; k < x->npoints; k++) {
            const struct results_point *p = hitop_results_find_point(y, x->points[k].bytes);
            if (!p || p->time.median < x->points[k].time.median ||
                p->time.median > x->points[k].time.median) {
                return 0;
            }
        }
    }
    return 1;
}

/*
 * Check that all launches measured the same operations with the same ranks and settings, because
 * the interval of a mixture has no meaning. Check also that no two of them are the same launch.
 */
static enum hitop_status merge_check_set_ups(struct results *const *launch,
                                             const struct results_input *in, int n,
                                             struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 1; i < n && status == HITOP_OK; i++) {
        status = hitop_results_compare_facts(launch[i], in[i].name, launch[0], in[0].name, diag);
        if (status == HITOP_OK) {
            status = check_curves(launch[i], in[i].name, launch[0], in[0].name, diag);
        }
        if (status == HITOP_OK) {
            status = check_curves(launch[0], in[0].name, launch[i], in[i].name, diag);
        }
        for (int k = 0; k < i && status == HITOP_OK; k++) {
            if (is_same_launch(launch[k], launch[i])) {
                status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: the same launch as %s", in[i].name,
                                    in[k].name);
            }
        }
    }
    return status;
}

/* A larger median of results_point.excess gives a warning. */
static const double much = 2;

/* The timing method of the launches; if they differ, one that is less exact than window. */
static const char *timing_of(const struct results_curve *const *c, int n)
{
    for (int i = 0; i < n; i++) {
        if (!hitop_results_is_same_text(c[i]->timing, "window")) {
            return c[i]->timing;
        }
    }
    return c[0]->timing;
}

/* Merge a curve at the sizes that all launches have; *lost counts the others. */
static enum hitop_status merge_curve(struct results *const *launch, int n, double level,
                                     const struct results_curve *first, struct results_curve *out,
                                     int *lost, struct hitop_diag *diag)
{
    const struct results_curve *c[RESULTS_MAX_LAUNCHES];
    const struct results_point *p[RESULTS_MAX_LAUNCHES];
    int most = 0;

    *out = *first;
    out->npoints = 0;
    out->points = calloc((size_t)first->npoints + 1, sizeof(*out->points));
    if (!out->points) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "launches: out of memory");
    }
    for (int i = 0; i < n; i++) {
        c[i] = hitop_results_find_curve(launch[i], first);
        most = c[i]->npoints > most ? c[i]->npoints : most;
        out->hop_least = fmin(out->hop_least, c[i]->hop_least);
        out->hop_most = fmax(out->hop_most, c[i]->hop_most);
    }
    out->timing = timing_of(c, n);
    for (int k = 0; k < first->npoints; k++) {
        int have = 0;
        while (have < n &&
               (p[have] = hitop_results_find_point(c[have], first->points[k].bytes)) != NULL) {
            have++;
        }
        if (have == n) {
            hitop_results_pool(p, n, level, &out->points[out->npoints++]);
        }
    }
    *lost += most - out->npoints;
    return out->npoints > 0 || most == 0
               ? HITOP_OK
               : hitop_fail(diag, HITOP_ERR_FORMAT,
                            "launches: no size of %.60s among %d ranks is in all of them",
                            first->operation, first->ranks);
}

/* The number of points of all curves. */
static int count_points(const struct results *r)
{
    int n = 0;

    for (int i = 0; i < r->ncurves; i++) {
        n += r->curves[i].npoints;
    }
    return n;
}

/* Warn that launches differ; the warning names the size at which they differ most. */
static enum hitop_status warn_of_excess(struct results *r, double excess, int n,
                                        struct hitop_diag *diag)
{
    const struct results_curve *at = NULL;
    const struct results_point *worst = NULL;

    for (int i = 0; i < r->ncurves; i++) {
        for (int k = 0; k < r->curves[i].npoints; k++) {
            if (!worst || r->curves[i].points[k].apart > worst->apart) {
                at = &r->curves[i];
                worst = &at->points[k];
            }
        }
    }
    return hitop_results_warn(
        r, diag,
        "launches differ %.1f times as much as the intervals of single ones say "
        "(median of %d times); farthest apart are those of %.60s of %zu bytes among "
        "%d ranks, by a factor of %.2f",
        excess, n, at->operation, worst->bytes, at->ranks, worst->apart);
}

/* The median of one member over all points of n curves; NaN: no point has it. */
static double middle_of(const struct results_curve *curves, int n, size_t member, double *room)
{
    int m = 0;

    for (int i = 0; i < n; i++) {
        for (int k = 0; k < curves[i].npoints; k++) {
            memcpy(&room[m], (const char *)&curves[i].points[k] + member, sizeof(*room));
            m += isfinite(room[m]) ? 1 : 0;
        }
    }
    return m > 0 ? hitop_median_of(room, m) : NAN;
}

/* Set the noise of each curve and of all curves, and warn if launches differ too much. */
static enum hitop_status judge_launches(struct results *r, struct hitop_diag *diag)
{
    const size_t noise = offsetof(struct results_point, noise);
    const int n = count_points(r);
    double *room = calloc((size_t)n + 1, sizeof(*room)), excess;

    if (!room) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "launches: out of memory");
    }
    for (int i = 0; i < r->ncurves; i++) {
        r->curves[i].noise = middle_of(&r->curves[i], 1, noise, room);
    }
    r->noise_floor = middle_of(r->curves, r->ncurves, noise, room);
    excess = middle_of(r->curves, r->ncurves, offsetof(struct results_point, excess), room);
    free(room);
    return excess > much ? warn_of_excess(r, excess, n, diag) : HITOP_OK;
}

static enum hitop_status merge_curves(struct results *r, struct hitop_diag *diag)
{
    const struct results *first = r->launches[0];
    enum hitop_status status = HITOP_OK;
    int lost = 0, timings = 0;

    r->curves = calloc((size_t)first->ncurves + 1, sizeof(*r->curves));
    if (!r->curves) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "launches: out of memory");
    }
    for (int i = 0; i < first->ncurves && status == HITOP_OK; i++) {
        const struct results_curve *c = &first->curves[i];
        r->ncurves++;
        status =
            merge_curve(r->launches, r->nlaunches, first->level, c, &r->curves[i], &lost, diag);
        for (int k = 1; k < r->nlaunches; k++) {
            if (!hitop_results_is_same_text(hitop_results_find_curve(r->launches[k], c)->timing,
                                            c->timing)) {
                timings++;
                break;
            }
        }
    }
    if (status == HITOP_OK && timings > 0) {
        status = hitop_results_warn(
            r, diag,
            "launches timed %d of %d curves by different methods, of which the guide "
            "names the less exact one",
            timings, r->ncurves);
    }
    if (status == HITOP_OK && lost > 0) {
        status =
            hitop_results_warn(r, diag, "%d sizes are left out: not all launches have them", lost);
    }
    return status;
}

/*
 * Merge the comparisons of n launches. The verdict of the majority is kept if the interval over all
 * launches does not include 1.
 */
static void merge_comparison(const struct results_comparison *const *c, int n, double level,
                             struct results_comparison *out)
{
    const int rank = hitop_results_pool_rank(n, level);
    double ratio[RESULTS_MAX_LAUNCHES];

    *out = *c[0];
    for (int i = 0; i < n; i++) {
        ratio[i] = c[i]->ratio;
        out->lo = fmin(out->lo, c[i]->lo);
        out->hi = fmax(out->hi, c[i]->hi);
    }
    out->ratio = hitop_median_of(ratio, n);
    if (rank > 0) {
        qsort(ratio, (size_t)n, sizeof(*ratio), quantile_by_value);
        out->lo = ratio[rank - 1];
        out->hi = ratio[n - rank];
    }
    out->verdict = "no difference shown";
    for (int i = 0; i < n && (out->lo > 1 || out->hi < 1); i++) {
        int alike = 0;
        for (int k = 0; k < n; k++) {
            alike += strcmp(c[i]->verdict, c[k]->verdict) == 0;
        }
        out->verdict = 2 * alike > n ? c[i]->verdict : out->verdict;
    }
}

static const struct results_comparison *find_comparison(const struct results *r,
                                                        const struct results_comparison *like)
{
    for (int i = 0; i < r->ncomparisons; i++) {
        const struct results_comparison *c = &r->comparisons[i];
        if (hitop_results_is_same_text(c->operation, like->operation) &&
            hitop_results_is_same_text(c->a, like->a) &&
            hitop_results_is_same_text(c->b, like->b) && c->ranks == like->ranks &&
            c->bytes == like->bytes) {
            return c;
        }
    }
    return NULL;
}

/* Merge the comparisons that all launches contain. */
static enum hitop_status merge_comparisons(struct results *out, struct hitop_diag *diag)
{
    const struct results *first = out->launches[0];
    const struct results_comparison *c[RESULTS_MAX_LAUNCHES];

    out->comparisons = calloc((size_t)first->ncomparisons + 1, sizeof(*out->comparisons));
    if (!out->comparisons) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "launches: out of memory");
    }
    for (int k = 0; k < first->ncomparisons; k++) {
        int have = 0;
        while (have < out->nlaunches &&
               (c[have] = find_comparison(out->launches[have], &first->comparisons[k])) != NULL) {
            have++;
        }
        if (have == out->nlaunches) {
            merge_comparison(c, have, first->level, &out->comparisons[out->ncomparisons++]);
        }
    }
    return HITOP_OK;
}

/* Merge n launches. Takes ownership of them, also on failure. */
static enum hitop_status merge(struct results **launch, const struct results_input *in, int n,
                               struct results **out, struct hitop_diag *diag)
{
    enum hitop_status status = merge_check_set_ups(launch, in, n, diag);
    struct results *r = calloc(1, sizeof(*r));

    *out = NULL;
    if (r) {
        r->launches = calloc((size_t)n, sizeof(struct results *));
    }
    if (!r || !r->launches) {
        free(r);
        for (int i = 0; i < n; i++) {
            hitop_results_free(launch[i]);
        }
        return hitop_fail(diag, HITOP_ERR_NOMEM, "launches: out of memory");
    }
    r->nlaunches = n;
    memcpy(r->launches, launch, (size_t)n * sizeof(*launch));
    r->level = hitop_results_pool_level(n, launch[0]->level);
    status = status == HITOP_OK ? merge_curves(r, diag) : status;
    status = status == HITOP_OK ? merge_comparisons(r, diag) : status;
    status = status == HITOP_OK ? judge_launches(r, diag) : status;
    status = status == HITOP_OK ? hitop_results_compare_hops(r, in, diag) : status;
    status = status == HITOP_OK ? hitop_results_merge_facts(r, in, diag) : status;
    status = status == HITOP_OK ? hitop_results_merge_warnings(r, in, diag) : status;
    if (status != HITOP_OK) {
        hitop_results_free(r);
    } else {
        *out = r;
    }
    return status;
}

enum hitop_status hitop_results_read(const struct results_input *in, int n, struct results **out,
                                     struct hitop_diag *diag)
{
    struct results *launch[RESULTS_MAX_LAUNCHES];
    enum hitop_status status = HITOP_OK;
    int have = 0;

    *out = NULL;
    while (have < n && status == HITOP_OK) {
        status =
            hitop_results_parse(in[have].name, in[have].text, in[have].length, &launch[have], diag);
        have += status == HITOP_OK;
    }
    if (status == HITOP_OK && n > 1) {
        return merge(launch, in, n, out, diag);
    }
    if (status == HITOP_OK) {
        *out = launch[0];
        return HITOP_OK;
    }
    while (have-- > 0) {
        hitop_results_free(launch[have]);
    }
    return status;
}
