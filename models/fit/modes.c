/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * modes.c - groups of samples that are apart.
 *
 * Idea:    find the best division into 1, 2 and 3 groups; the criterion of Liu, Wu and Zidek, which
 *          needs no knowledge of the noise, chooses their number. Samples of one mode can be
 *          divided, too; so groups count only if there is a valley between them, with fewer samples
 *          than around their centres.
 * Source:  J. Liu, S. Wu and J. Zidek, On segmented multivariate regression, Statistica Sinica 7
 *          (1997).
 */
#include <config.h>

#include "models/fit/modes.h"

#include "models/fit/estimate.h"

#include <gsl/gsl_sort.h>

#include <math.h>
#include <stdlib.h>

/*
 * Groups are stretches of the sorted numbers. What a stretch costs, the deviations from its median,
 * follows from sums of all numbers up to a place. Dynamic programming adds one group at a time, and
 * the best beginning of the last group moves only upwards with its end, so that halving the range
 * of ends halves that of beginnings, too: a true optimum in O(k n log n).
 *
 * H. Wang and M. Song, Ckmeans.1d.dp, The R Journal 3 (2011); A. Groenlund et al., Fast exact
 * k-means, k-medians and Bregman divergence clustering in 1D (2017).
 */
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

/* Find the best last group for the ends low .. high; it begins in from .. to. */
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

enum { FEWEST = 20, LEAST_SHARE = 20, LEAST = 10, DEVIATIONS_APART = 4 };

_Static_assert((int)HITOP_MAX_MODES == (int)MAX_CLUSTERS, "modes are clusters");

/* The least difference of counts that is no chance, in standard deviations: 5 % are chance. */
static const double beyond_chance = 1.64;

struct sorted {
    const double *samples; /* in the order of time */
    int n;
    double resolution;
    double *x;               /* [n] ascending */
    size_t *order;           /* [n] their places in time */
    double *scratch, *ranks; /* [n] */
    size_t *index;           /* [n] */
};

/*
 * Copy the samples to scratch and limit spikes. The few lowest and highest samples, too few for a
 * mode, are moved to at most half the range of the others beyond that range.
 */
static void tame(const struct sorted *s)
{
    const int outside = (s->n - 1) / (LEAST_SHARE + 5);
    const double low = s->x[outside], high = s->x[s->n - 1 - outside];

    for (int i = 0; i < s->n; i++) {
        s->scratch[i] = fmin(fmax(s->x[i], low - (high - low) / 2), high + (high - low) / 2);
    }
}

static double median_of(const struct sorted *s, size_t begin, size_t end)
{
    return s->x[begin + (end - begin) / 2];
}

static double median_deviation(const struct sorted *s, size_t begin, size_t end)
{
    const double centre = median_of(s, begin, end);

    for (size_t i = begin; i < end; i++) {
        s->scratch[i - begin] = fabs(s->x[i] - centre);
    }
    return hitop_median_of(s->scratch, (int)(end - begin));
}

/* How many samples are in an interval. */
static double count(const struct sorted *s, double low, double high)
{
    int n = 0;

    for (int i = 0; i < s->n; i++) {
        n += s->x[i] >= low && s->x[i] <= high;
    }
    return n;
}

/* The correlation time of the samples within their groups; changes between groups do not count. */
static double correlation_within(const struct sorted *s, const struct clusters *c, int ngroups)
{
    for (int k = 0; k < ngroups; k++) {
        const double centre = median_of(s, c->begin[k], c->begin[k + 1]);
        for (size_t i = c->begin[k]; i < c->begin[k + 1]; i++) {
            s->scratch[s->order[i]] = s->x[i] - centre;
        }
    }
    gsl_sort_index(s->index, s->scratch, 1, (size_t)s->n);
    hitop_rank_in_time(s->scratch, s->index, s->n, s->ranks);
    return hitop_correlation_time(s->ranks, s->n);
}

/* Whether each two neighbours are far enough from each other, with a valley between them. */
static int are_apart(const struct sorted *s, const struct clusters *c, int ngroups)
{
    const double tau = ngroups > 1 ? correlation_within(s, c, ngroups) : 1;

    for (int k = 0; k + 1 < ngroups; k++) {
        const double left = median_of(s, c->begin[k], c->begin[k + 1]);
        const double right = median_of(s, c->begin[k + 1], c->begin[k + 2]);
        const double distance = right - left, half = distance / 6, middle = (left + right) / 2;
        const double spread = fmax(median_deviation(s, c->begin[k], c->begin[k + 1]),
                                   median_deviation(s, c->begin[k + 1], c->begin[k + 2]));
        const double between = count(s, middle - half, middle + half);
        const double about =
            fmin(count(s, left - half, left + half), count(s, right - half, right + half));
        if (!(distance > DEVIATIONS_APART * fmax(spread, s->resolution)) ||
            !(about - between > beyond_chance * sqrt((about + between) * tau))) {
            return 0;
        }
    }
    return 1;
}

/* What k groups cost with their parameters: a centre each, and the borders between them. */
static double criterion(const struct sorted *s, const struct clusters *c, int ngroups)
{
    const double n = s->n;
    const double least = fmax(s->resolution / 4, 1e-12 * fmax(fabs(s->x[0]), fabs(s->x[s->n - 1])));

    return n * log(fmax(c->cost / n, least)) + 0.299 * (2 * ngroups - 1) * pow(log(n), 2.1);
}

static void describe(const struct sorted *s, const struct clusters *c, int ngroups,
                     struct hitop_modes *out)
{
    *out = (struct hitop_modes){.n = ngroups};
    for (int k = 0; k < ngroups; k++) {
        out->centre[k] = median_of(s, c->begin[k], c->begin[k + 1]);
        out->weight[k] = (double)(c->begin[k + 1] - c->begin[k]) / s->n;
    }
}

/* Returns 0 without memory. */
static int find(const struct sorted *s, struct hitop_modes *out)
{
    const size_t n = (size_t)s->n, share = n / LEAST_SHARE;
    struct clusters groups[MAX_CLUSTERS];
    int best = 1;

    gsl_sort_index(s->order, s->samples, 1, n);
    for (size_t i = 0; i < n; i++) {
        s->x[i] = s->samples[s->order[i]];
    }
    tame(s);
    if (!hitop_clusters_find(s->scratch, n,
                             s->n < FEWEST   ? n
                             : share > LEAST ? share
                                             : LEAST,
                             groups)) {
        return 0;
    }
    for (int k = 2; s->x[n - 1] > s->x[0] && k <= MAX_CLUSTERS; k++) {
        if (isfinite(groups[k - 1].cost) &&
            criterion(s, &groups[k - 1], k) < criterion(s, &groups[best - 1], best) &&
            are_apart(s, &groups[k - 1], k)) {
            best = k;
        }
    }
    describe(s, &groups[best - 1], best, out);
    return 1;
}

enum hitop_status hitop_modes_find(const double *samples, int n, double resolution,
                                   struct hitop_modes *out, struct hitop_diag *diag)
{
    const size_t count = (size_t)n;
    double *values = calloc(count, 3 * sizeof(*values));
    size_t *places = calloc(count, 2 * sizeof(*places));
    const struct sorted s = {.samples = samples,
                             .n = n,
                             .resolution = resolution,
                             .x = values,
                             .scratch = values + count,
                             .ranks = values + 2 * count,
                             .order = places,
                             .index = places + count};
    enum hitop_status status = HITOP_OK;

    *out = (struct hitop_modes){0};
    if (!values || !places || !find(&s, out)) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "modes: out of memory");
    }
    free(places);
    free(values);
    return status;
}
