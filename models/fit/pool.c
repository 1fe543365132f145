/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.c - merge the links that represent the same members.
 *
 * Idea:  the time of a class at a size is the median of the times of its links, or their mean. Its
 *        error is that of the differences between links or that of one link, whichever is larger;
 *        its interval contains the links, too. A link is unlike the others if its time differs from
 *        the median by more than its interval, made wider because there are many links and
 *        sizes, and by half of the difference that matters.
 */
#include <config.h>

#include "models/fit/pool.h"

#include "models/fit/errors.h"

#include "models/fit/estimate.h"
#include "models/fit/quantile.h"

#include <math.h>
#include <stdlib.h>

void hitop_pool_clear(struct pool *pool)
{
    free(pool->of);
    free(pool->member);
    free(pool->pairs);
    free(pool->links);
    free(pool->curves);
    free(pool->points);
    free(pool->eager);
    free(pool->pair_sets);
    *pool = (struct pool){0};
}

/* A link, sorted by what it represents; index is that in the measurement. */
struct entry {
    const struct hitop_link *link;
    int index;
};

static int is_one_class(const struct entry *x, const struct entry *y)
{
    return x->link->node == y->link->node && x->link->between[0] == y->link->between[0] &&
           x->link->between[1] == y->link->between[1];
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->link->node != y->link->node) {
        return x->link->node < y->link->node ? -1 : 1;
    }
    for (int k = 0; k < 2; k++) {
        if (x->link->between[k] != y->link->between[k]) {
            return x->link->between[k] < y->link->between[k] ? -1 : 1;
        }
    }
    return (x->index > y->index) - (x->index < y->index);
}

/* The points of one class at one size, or all of them. */
struct heap {
    struct hitop_point *points;
    size_t n;
};

static int compare_points(const void *a, const void *b)
{
    const struct hitop_point *x = a, *y = b;

    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

void hitop_pool_ends(const double *sorted, int n, double confidence, double *lo, double *hi)
{
    const int out = (int)(0.5 * (1 - confidence) * n);

    *lo = sorted[out];
    *hi = sorted[n - 1 - out];
}

/* The centre of n ascending values and its standard error. */
static double centre(double *values, int n, int is_average, double *se)
{
    double sum = 0, squares = 0, middle;

    if (is_average) {
        for (int i = 0; i < n; i++) {
            sum += values[i];
        }
        for (int i = 0; i < n; i++) {
            squares += (values[i] - sum / n) * (values[i] - sum / n);
        }
        *se = n > 1 ? sqrt(squares / (n - 1) / n) : 0;
        return sum / n;
    }
    middle = hitop_median_of(values, n);
    for (int i = 0; i < n; i++) {
        values[i] = fabs(values[i] - middle);
    }
    *se = 1.4826 * 1.2533 * hitop_median_of(values, n) / sqrt((double)n);
    return middle;
}

/* One point for several of the same size; values is room for as many numbers. */
static struct hitop_point merge(const struct hitop_point *points, size_t n,
                                const struct hitop_measured *in, double *values)
{
    const double width = hitop_estimators()->normal_width(in->confidence);
    struct hitop_point out = {.bytes = points->bytes, .converged = 1};
    double spread, lo, hi;

    for (size_t i = 0; i < n; i++) {
        values[i] = points[i].seconds;
        out.nsamples += points[i].nsamples;
        out.converged = out.converged && points[i].converged;
    }
    qsort(values, n, sizeof(*values), quantile_by_value);
    hitop_pool_ends(values, (int)n, in->confidence, &lo, &hi);
    out.seconds = centre(values, (int)n, in->is_average, &spread);
    for (size_t i = 0; i < n; i++) {
        values[i] = points[i].se;
    }
    out.se = fmax(hitop_median_of(values, (int)n), spread);
    out.lo = fmax(0, fmin(lo, out.seconds - width * out.se));
    out.hi = fmax(hi, out.seconds + width * out.se);
    return out;
}

/*
 * Merge the points of several links, in place; values is room for as many numbers as there are
 * points.
 */
static size_t merge_sizes(struct heap *heap, const struct hitop_measured *in, double *values)
{
    size_t n = 0;

    if (heap->n > 0) {
        qsort(heap->points, heap->n, sizeof(*heap->points), compare_points);
    }
    for (size_t first = 0, end; first < heap->n; first = end) {
        for (end = first + 1; end < heap->n && heap->points[end].bytes == heap->points[first].bytes;
             end++) {
        }
        heap->points[n++] = merge(heap->points + first, end - first, in, values);
    }
    return n;
}

/* How far a link is from its class. */
struct distance {
    int index; /* of the link in the measurement */
    int is_unlike;
    double off; /* largest relative difference of a time */
};

/* Links that are unlike first, those that differ most; then by index. */
static int compare_distances(const void *a, const void *b)
{
    const struct distance *x = a, *y = b;

    if (x->is_unlike != y->is_unlike) {
        return y->is_unlike - x->is_unlike;
    }
    if (x->off != y->off) {
        return x->off < y->off ? 1 : -1;
    }
    return (x->index > y->index) - (x->index < y->index);
}

static const struct hitop_curve *echo_of(const struct hitop_measured *in, int index)
{
    return &in->curves[(size_t)index * HITOP_NEXPERIMENTS + HITOP_ECHO];
}

/* Compare the echoes of a link with the medians of its class; wider: factor of its intervals. */
static struct distance measure_distance(const struct hitop_measured *in, int index,
                                        const struct hitop_curve *class, double wider)
{
    const struct hitop_curve *own = echo_of(in, index);
    struct distance out = {.index = index};
    size_t k = 0;

    for (size_t i = 0; i < own->npoints; i++) {
        const struct hitop_point *p = &own->points[i];
        while (k < class->npoints && class->points[k].bytes < p->bytes) {
            k++;
        }
        if (k<class->npoints &&class->points[k].bytes == p->bytes &&class->points[k].seconds> 0) {
            const double all = class->points[k].seconds, off = fabs(p->seconds - all);
            out.off = fmax(out.off, off / all);
            out.is_unlike |= off > wider * 0.5 * (p->hi - p->lo) + 0.5 * in->eps * all;
        }
    }
    return out;
}

/* The medians of the echoes of the members of a class; for free(), NULL without memory. */
static struct hitop_point *middle_of(const struct pool *pool, const struct hitop_measured *in,
                                     const struct pooled *of, double *values,
                                     struct hitop_curve *out)
{
    struct hitop_measured middle = *in;
    struct heap heap = {0};
    size_t n = 0;

    for (int i = 0; i < of->n; i++) {
        n += echo_of(in, pool->member[of->first + i])->npoints;
    }
    heap.points = calloc(n + 1, sizeof(*heap.points));
    for (int i = 0; heap.points && i < of->n; i++) {
        const struct hitop_curve *c = echo_of(in, pool->member[of->first + i]);
        for (size_t k = 0; k < c->npoints; k++) {
            heap.points[heap.n++] = c->points[k];
        }
    }
    middle.is_average = 0;
    out->points = heap.points;
    out->npoints = heap.points ? merge_sizes(&heap, &middle, values) : 0;
    return heap.points;
}

/* Sort the members of a class by their distance from its middle; count those that are unlike. */
static enum hitop_status sort_members(struct pool *pool, const struct hitop_measured *in,
                                      struct pooled *of, double *values, struct hitop_diag *diag)
{
    struct hitop_curve middle;
    struct hitop_point *points = middle_of(pool, in, of, values, &middle);
    struct distance *distance = calloc((size_t)of->n + 1, sizeof(*distance));
    const double ntests = fmax(1, (double)of->n * (double)middle.npoints);
    const double wider = hitop_estimators()->normal_width(1 - (1 - in->confidence) / ntests) /
                         hitop_estimators()->normal_width(in->confidence);

    if (!points || !distance) {
        free(points);
        free(distance);
        return hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");
    }
    for (int i = 0; i < of->n; i++) {
        distance[i] = measure_distance(in, pool->member[of->first + i], &middle, wider);
    }
    qsort(distance, (size_t)of->n, sizeof(*distance), compare_distances);
    for (int i = 0; i < of->n; i++) {
        pool->member[of->first + i] = distance[i].index;
        of->nunlike += distance[i].is_unlike;
        of->spread = fmax(of->spread, distance[i].off);
    }
    free(distance);
    free(points);
    return HITOP_OK;
}

/* The curves of the links entry[0] .. entry[n - 1], which are one class, at *at. */
static enum hitop_status pool_class(struct pool *pool, const struct hitop_measured *in,
                                    const struct entry *entry, int n, struct hitop_point **at,
                                    double *values, struct hitop_diag *diag)
{
    const int class = pool->measured.nlinks++;
    struct pooled *of = &pool->of[class];
    enum hitop_status status = HITOP_OK;

    pool->links[class] = *entry->link;
    if (in->eager) {
        pool->eager[class] = in->eager[entry->index];
    }
    if (in->pair_sets) {
        pool->pair_sets[class] = in->pair_sets[entry->index];
    }
    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        struct heap heap = {.points = *at};
        for (int i = 0; i < n; i++) {
            const struct hitop_curve *c =
                &in->curves[(size_t)entry[i].index * HITOP_NEXPERIMENTS + (size_t)e];
            for (size_t k = 0; k < c->npoints; k++) {
                heap.points[heap.n++] = c->points[k];
            }
        }
        pool->curves[class * HITOP_NEXPERIMENTS + e] = (struct hitop_curve){
            .points = *at, .npoints = n == 1 ? heap.n : merge_sizes(&heap, in, values)};
        *at += heap.n;
    }
    *of = (struct pooled){.first = class > 0 ? of[-1].first + of[-1].n : 0, .n = n};
    for (int i = 0; i < n; i++) {
        pool->member[of->first + i] = entry[i].index;
    }
    if (n > 1) {
        status = sort_members(pool, in, of, values, diag);
    }
    for (int i = 0; i < n; i++) {
        const struct hitop_link *link = &in->links[pool->member[of->first + i]];
        pool->pairs[of->first + i][0] = link->rank[0];
        pool->pairs[of->first + i][1] = link->rank[1];
    }
    return status;
}

enum hitop_status hitop_pool_links(const struct hitop_measured *in, int only_first,
                                   struct pool *out, struct hitop_diag *diag)
{
    const size_t nlinks = (size_t)in->nlinks, npoints = hitop_count_points(in);
    struct entry *entry = calloc(nlinks + 1, sizeof(*entry));
    double *values = calloc(npoints + 1, sizeof(*values));
    enum hitop_status status = HITOP_OK;
    struct hitop_point *at;

    *out = (struct pool){.of = calloc(nlinks + 1, sizeof(*out->of)),
                         .member = calloc(nlinks + 1, sizeof(*out->member)),
                         .pairs = calloc(nlinks + 1, sizeof(*out->pairs)),
                         .links = calloc(nlinks + 1, sizeof(*out->links)),
                         .curves = calloc(nlinks * HITOP_NEXPERIMENTS + 1, sizeof(*out->curves)),
                         .points = calloc(npoints + 1, sizeof(*out->points)),
                         .eager = calloc(nlinks + 1, sizeof(*out->eager)),
                         .pair_sets = calloc(nlinks + 1, sizeof(*out->pair_sets))};
    if (!entry || !values || !out->of || !out->member || !out->pairs || !out->links ||
        !out->curves || !out->points || !out->eager || !out->pair_sets) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");
        goto out;
    }
    for (int i = 0; i < in->nlinks; i++) {
        entry[i] = (struct entry){.link = &in->links[i], .index = i};
    }
    qsort(entry, nlinks, sizeof(*entry), compare_entries);
    at = out->points;
    for (int first = 0, end; status == HITOP_OK && first < in->nlinks; first = end) {
        for (end = first + 1; end < in->nlinks && is_one_class(&entry[end], &entry[first]); end++) {
        }
        status =
            pool_class(out, in, entry + first, only_first ? 1 : end - first, &at, values, diag);
    }
    out->measured.links = out->links;
    out->measured.confidence = in->confidence;
    out->measured.eps = in->eps;
    out->measured.is_average = in->is_average;
    out->measured.line = in->line;
    out->measured.curves = out->curves;
    out->measured.eager = in->eager ? out->eager : NULL;
    out->measured.pair_sets = in->pair_sets ? out->pair_sets : NULL;

out:
    free(values);
    free(entry);
    return status;
}
