/* SPDX-License-Identifier: BSD-3-Clause */
/* info_diff.c - how far the prices of two models are from each other, by level and size. */
#include <config.h>

#include "tools/info/info_diff.h"

#include "models/model/figures.h"

#include <math.h>
#include <stdlib.h>

/* A pair at one size. */
struct item {
    int level;
    double difference; /* ln(b / a) */
    size_t pair;
    int is_different;
};

/* By level, then by how much they differ, then as they were chosen. */
static int compare(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    const double dx = fabs(x->difference), dy = fabs(y->difference);

    if (x->level != y->level) {
        return x->level < y->level ? -1 : 1;
    }
    if (dx != dy) {
        return dx < dy ? -1 : 1;
    }
    return (x->pair < y->pair) - (x->pair > y->pair); /* the first of equals is the worst */
}

static double difference(double a, double b)
{
    return a == b ? 0 : log(b / a); /* infinite where one of them is 0 */
}

/* The smallest that at least a share q of n sorted items do not exceed. */
static double quantile(const struct item *item, size_t n, double q)
{
    const size_t index = (size_t)ceil(q * (double)n);

    return fabs(item[index > 0 ? index - 1 : 0].difference);
}

/* Whether a pair is beyond the tolerance and the intervals of both models do not overlap; without an interval a price is exact. */
static int is_different(const struct info_request *r, const struct diff_pair *p, size_t bytes,
                        double difference)
{
    const struct hitop_model *lower = difference > 0 ? r->model : r->other;
    const struct hitop_model *upper = difference > 0 ? r->other : r->model;
    double below, above;

    if (fabs(difference) <= log1p(r->tolerance) + 1e-12) { /* which is rounding */
        return 0;
    }
    below = info_uncertainty(lower, p->i, p->j, bytes);
    above = info_uncertainty(upper, p->i, p->j, bytes);
    return hitop_model_p2p(lower, p->i, p->j, bytes) * (1 + (isnan(below) ? 0 : below)) <
           hitop_model_p2p(upper, p->i, p->j, bytes) * (1 - (isnan(above) ? 0 : above));
}

/* The last one that is different, or else the last one. */
static const struct item *find_worst(const struct item *item, size_t n)
{
    for (size_t k = n; k > 0; k--) {
        if (item[k - 1].is_different) {
            return &item[k - 1];
        }
    }
    return &item[n - 1];
}

/* n sorted items of one level. */
static struct diff_row summarize(const struct diff *d, size_t bytes, const struct item *item,
                                 size_t n)
{
    const struct item *last = find_worst(item, n);
    const struct diff_pair *worst = &d->pairs.pair[last->pair];
    struct diff_row row = {.level = item->level,
                           .bytes = bytes,
                           .npairs = n,
                           .median = quantile(item, n, 0.5),
                           .q90 = quantile(item, n, 0.9),
                           .worst = fabs(last->difference),
                           .pair = {worst->i, worst->j}};

    for (size_t k = 0; k < n; k++) {
        row.bias += item[k].difference / (double)n;
        row.ndifferent += item[k].is_different != 0;
    }
    row.seconds[0] = hitop_model_p2p(d->request->model, worst->i, worst->j, bytes);
    row.seconds[1] = hitop_model_p2p(d->request->other, worst->i, worst->j, bytes);
    row.width[0] = info_uncertainty(d->request->model, worst->i, worst->j, bytes);
    row.width[1] = info_uncertainty(d->request->other, worst->i, worst->j, bytes);
    return row;
}

static void compare_at(struct diff *d, size_t bytes, struct item *item)
{
    const size_t n = d->pairs.n;

    for (size_t k = 0; k < n; k++) {
        const struct diff_pair *p = &d->pairs.pair[k];
        const double by = difference(hitop_model_p2p(d->request->model, p->i, p->j, bytes),
                                     hitop_model_p2p(d->request->other, p->i, p->j, bytes));
        item[k] = (struct item){p->level, by, k, is_different(d->request, p, bytes, by)};
    }
    qsort(item, n, sizeof(*item), compare);
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first + 1; next < n && item[next].level == item[first].level; next++) {
        }
        d->row[d->nrows++] = summarize(d, bytes, item + first, next - first);
    }
}

static int compare_rows(const void *a, const void *b)
{
    const struct diff_row *x = a, *y = b;

    if (x->level != y->level) {
        return x->level < y->level ? -1 : 1;
    }
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

enum hitop_status diff_fill(struct diff *d, const struct info_request *request,
                            struct hitop_diag *diag)
{
    struct item *item = NULL;
    enum hitop_status status;

    *d = (struct diff){.request = request};
    status = info_levels_fill(&d->levels, hitop_model_hierarchy(request->model), diag);
    if (status == HITOP_OK) {
        status = diff_pairs_choose(request->model, request->other, &d->levels, request->max_pairs,
                                   request->seed, &d->pairs, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    item = calloc(d->pairs.n + 1, sizeof(*item));
    d->row = calloc((size_t)d->levels.n * request->nsizes + 1, sizeof(*d->row));
    if (!item || !d->row) {
        status = hitop_fail(diag, HITOP_ERR_NOMEM, "%zu pairs: out of memory", d->pairs.n);
    }
    for (size_t s = 0; status == HITOP_OK && s < request->nsizes; s++) {
        compare_at(d, request->bytes[s], item);
    }
    if (status == HITOP_OK) {
        qsort(d->row, d->nrows, sizeof(*d->row), compare_rows);
    }
    d->is_same = 1;
    for (size_t i = 0; i < d->nrows; i++) {
        d->is_same &= d->row[i].ndifferent == 0;
    }
    for (size_t i = 0; i < d->nrows; i++) {
        if (d->is_same || d->row[i].ndifferent > 0) {
            d->worst = fmax(d->worst, d->row[i].worst);
        }
    }
    if (status == HITOP_OK) {
        diff_collectives_fill(d);
    }
    free(item);
    return status;
}

void diff_clear(struct diff *d)
{
    free(d->row);
    free(d->pairs.pair);
    info_levels_clear(&d->levels);
}

enum hitop_status info_write_diff(const struct info_request *request, int *is_same, FILE *to,
                                  struct hitop_diag *diag)
{
    struct diff d;
    enum hitop_status status = diff_fill(&d, request, diag);

    *is_same = d.is_same;
    if (status != HITOP_OK) {
        diff_clear(&d);
        return status;
    }
    if (request->format == INFO_JSON) {
        status = diff_write_json(&d, to, diag);
    } else if (request->format == INFO_CSV) {
        diff_write_csv(&d, to);
    } else {
        diff_write_text(&d, to);
    }
    diff_clear(&d);
    return status;
}
