/* SPDX-License-Identifier: BSD-3-Clause */
/* report_merge_comparisons.c - verdicts of several launches as one. */
#include <config.h>

#include "tools/report/report_merge.h"
#include "tools/report/report_pool.h"

#include "models/fit/quantile.h"

#include "hitop/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Verdicts of most launches hold where the interval over all of them does not reach 1. */
static void merge_comparison(const struct report_comparison *const *c, int n, double level,
                             struct report_comparison *out)
{
    const int rank = report_pool_rank(n, level);
    double ratio[REPORT_MAX_LAUNCHES];

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

static const struct report_comparison *find_comparison(const struct report *r,
                                                       const struct report_comparison *like)
{
    for (int i = 0; i < r->ncomparisons; i++) {
        const struct report_comparison *c = &r->comparisons[i];
        if (report_is_same_text(c->operation, like->operation) &&
            report_is_same_text(c->a, like->a) && report_is_same_text(c->b, like->b) &&
            c->ranks == like->ranks && c->bytes == like->bytes) {
            return c;
        }
    }
    return NULL;
}

enum hitop_status merge_comparisons(struct report *out, struct hitop_diag *diag)
{
    const struct report *first = out->launches[0];
    const struct report_comparison *c[REPORT_MAX_LAUNCHES];

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
