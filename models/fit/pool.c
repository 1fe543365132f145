/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pool.c - merge the links that represent the same members.
 *
 * Idea:  the time of a class at a size is the median of the times of its links. Its error is that
 *        of the differences between links or that of one link, whichever is larger.
 */
#include <config.h>

#include "models/fit/pool.h"

#include "models/fit/errors.h"

#include "models/fit/estimate.h"

#include <math.h>
#include <stdlib.h>

void hitop_pool_clear(struct pool *pool)
{
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

/* One point for several of the same size; values is room for as many numbers. */
static struct hitop_point merge(const struct hitop_point *points, size_t n, double width,
                                double *values)
{
    struct hitop_point out = {.bytes = points->bytes, .converged = 1};
    double own, spread;

    for (size_t i = 0; i < n; i++) {
        values[i] = points[i].seconds;
        out.nsamples += points[i].nsamples;
        out.converged = out.converged && points[i].converged;
    }
    out.seconds = hitop_median_of(values, (int)n);
    for (size_t i = 0; i < n; i++) {
        values[i] = fabs(points[i].seconds - out.seconds);
    }
    spread = 1.4826 * 1.2533 * hitop_median_of(values, (int)n) / sqrt((double)n);
    for (size_t i = 0; i < n; i++) {
        values[i] = points[i].se;
    }
    own = hitop_median_of(values, (int)n);
    out.se = fmax(own, spread);
    out.lo = fmax(0, out.seconds - width * out.se);
    out.hi = out.seconds + width * out.se;
    return out;
}

/*
 * Merge the points of several links, in place; values is room for as many numbers as there are
 * points.
 */
static size_t merge_sizes(struct heap *heap, double width, double *values)
{
    size_t n = 0;

    if (heap->n > 0) {
        qsort(heap->points, heap->n, sizeof(*heap->points), compare_points);
    }
    for (size_t first = 0, end; first < heap->n; first = end) {
        for (end = first + 1; end < heap->n && heap->points[end].bytes == heap->points[first].bytes;
             end++) {
        }
        heap->points[n++] = merge(heap->points + first, end - first, width, values);
    }
    return n;
}

/* The curves of the links entry[0] .. entry[n - 1], which are one class, at *at. */
static void pool_class(struct pool *pool, const struct hitop_measured *in,
                       const struct entry *entry, int n, struct hitop_point **at, double *values)
{
    const int class = pool->measured.nlinks++;
    const double width = hitop_estimators()->normal_width(in->confidence);

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
            .points = *at, .npoints = n == 1 ? heap.n : merge_sizes(&heap, width, values)};
        *at += heap.n;
    }
}

enum hitop_status hitop_pool_links(const struct hitop_measured *in, int only_first,
                                   struct pool *out, struct hitop_diag *diag)
{
    const size_t nlinks = (size_t)in->nlinks, npoints = hitop_count_points(in);
    struct entry *entry = calloc(nlinks + 1, sizeof(*entry));
    double *values = calloc(npoints + 1, sizeof(*values));
    enum hitop_status status = HITOP_OK;
    struct hitop_point *at;

    *out = (struct pool){.links = calloc(nlinks + 1, sizeof(*out->links)),
                         .curves = calloc(nlinks * HITOP_NEXPERIMENTS + 1, sizeof(*out->curves)),
                         .points = calloc(npoints + 1, sizeof(*out->points)),
                         .eager = calloc(nlinks + 1, sizeof(*out->eager)),
                         .pair_sets = calloc(nlinks + 1, sizeof(*out->pair_sets))};
    if (!entry || !values || !out->links || !out->curves || !out->points || !out->eager ||
        !out->pair_sets) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "fit: out of memory");
        goto out;
    }
    for (int i = 0; i < in->nlinks; i++) {
        entry[i] = (struct entry){.link = &in->links[i], .index = i};
    }
    qsort(entry, nlinks, sizeof(*entry), compare_entries);
    at = out->points;
    for (int first = 0, end; first < in->nlinks; first = end) {
        for (end = first + 1; end < in->nlinks && is_one_class(&entry[end], &entry[first]); end++) {
        }
        pool_class(out, in, entry + first, only_first ? 1 : end - first, &at, values);
    }
    out->measured.links = out->links;
    out->measured.confidence = in->confidence;
    out->measured.line = in->line;
    out->measured.curves = out->curves;
    out->measured.eager = in->eager ? out->eager : NULL;
    out->measured.pair_sets = in->pair_sets ? out->pair_sets : NULL;

out:
    free(values);
    free(entry);
    return status;
}
