/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * clusters.c - the best groups of numbers on a line.
 *
 * Idea:    groups are stretches of the sorted numbers. What a stretch costs, the deviations from its median,
 *          follows from sums of all numbers up to a place. Dynamic programming adds one group at a time, and
 *          the best beginning of the last group moves only upwards with its end, so that halving the range of
 *          ends halves that of beginnings, too: a true optimum.
 * Cost:    O(k n log n).
 * Source:  H. Wang and M. Song, Ckmeans.1d.dp, The R Journal 3 (2011); A. Groenlund et al., Fast exact k-means,
 *          k-medians and Bregman divergence clustering in 1D (2017).
 */
#include <config.h>

#include "models/fit/clusters.h"

#include <math.h>
#include <stdlib.h>

struct line {
    const double *x; /* [n] */
    double *sum;     /* [n + 1] of the numbers below an index, as distances from the middle one */
    double zero;     /* the middle one */
    size_t n, least;
    double *best[MAX_CLUSTERS];  /* [n + 1] cost of the first so many numbers in k + 1 groups */
    size_t *begin[MAX_CLUSTERS]; /* [n + 1] where the last of these begins */
};

/* Deviations of first .. end - 1 from their median. */
static double stretch_cost(const struct line *l, size_t first, size_t end)
{
    const size_t middle = first + (end - first) / 2;
    const double median = l->x[middle] - l->zero;
    const double below = median * (double)(middle - first) - (l->sum[middle] - l->sum[first]);
    const double above = l->sum[end] - l->sum[middle] - median * (double)(end - middle);

    return fmax(0, below + above);
}

/* Ends low .. high, whose last group begins somewhere in from .. to. */
static void add_group(struct line *l, int k, size_t low, size_t high, size_t from, size_t to)
{
    const size_t end = low + (high - low) / 2;
    size_t at = from;

    l->best[k][end] = INFINITY;
    for (size_t begin = from; begin <= to && begin + l->least <= end; begin++) {
        const double cost = l->best[k - 1][begin] + stretch_cost(l, begin, end);
        if (cost < l->best[k][end]) {
            l->best[k][end] = cost;
            at = begin;
        }
    }
    l->begin[k][end] = at;
    if (end > low) {
        add_group(l, k, low, end - 1, from, at);
    }
    if (end < high) {
        add_group(l, k, end + 1, high, at, to);
    }
}

static int reserve(struct line *l)
{
    int is_good = (l->sum = malloc((l->n + 1) * sizeof(*l->sum))) != NULL;

    for (int k = 0; k < MAX_CLUSTERS; k++) {
        l->best[k] = malloc((l->n + 1) * sizeof(*l->best[k]));
        l->begin[k] = calloc(l->n + 1, sizeof(*l->begin[k]));
        is_good = is_good && l->best[k] && l->begin[k];
    }
    return is_good;
}

static void release(struct line *l)
{
    for (int k = 0; k < MAX_CLUSTERS; k++) {
        free(l->best[k]);
        free(l->begin[k]);
    }
    free(l->sum);
}

static void solve(struct line *l, struct clusters *out)
{
    l->sum[0] = 0;
    for (size_t i = 0; i < l->n; i++) {
        l->sum[i + 1] = l->sum[i] + (l->x[i] - l->zero);
    }
    for (size_t end = 0; end <= l->n; end++) {
        l->best[0][end] = end >= l->least ? stretch_cost(l, 0, end) : INFINITY;
    }
    for (int k = 0; k < MAX_CLUSTERS; k++) {
        size_t end = l->n;
        if (k > 0) {
            const size_t first = (size_t)k * l->least;
            for (size_t i = 0; i < first && i <= l->n; i++) {
                l->best[k][i] = INFINITY;
            }
            if (first <= l->n) {
                add_group(l, k, first, l->n, first, l->n);
            }
        }
        out[k].cost = l->best[k][l->n];
        for (int group = k; group >= 0; group--) {
            out[k].begin[group + 1] = end;
            end = group > 0 ? l->begin[group][end] : 0;
        }
        out[k].begin[0] = 0;
    }
}

int hitop_clusters_find(const double *sorted, size_t n, size_t least, struct clusters *out)
{
    struct line l = {.x = sorted, .zero = sorted[n / 2], .n = n, .least = least};
    const int is_good = reserve(&l);

    if (is_good) {
        solve(&l, out);
    }
    release(&l);
    return is_good;
}
