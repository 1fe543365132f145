/* SPDX-License-Identifier: BSD-3-Clause */
/* crowds_values.c - the values of concurrent pairs: as batches, from which a later run continues,
 * and as points. */
#include <config.h>

#include "models/fit/estimate.h"
#include "models/journal/batches.h"
#include "models/measure/concurrent_pairs_impl.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const struct pair_value *x = a, *y = b;

    if (x->job != y->job) {
        return x->job < y->job ? -1 : 1;
    }
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

void hitop_pair_values_sort(struct pair_value *value, size_t n)
{
    if (n > 0) {
        qsort(value, n, sizeof(*value), compare);
    }
}

/* The job of a batch; -1 when it is none of this plan. */
static int find_job(const struct hitop_pair_plan *plan, const struct hitop_measure_options *o,
                    const struct hitop_batch *batch)
{
    const int set = batch->link;
    int size = 0;

    if (batch->what != plan->what || set >= plan->nsets ||
        batch->n != plan->begin[set + 1] - plan->begin[set]) {
        return -1;
    }
    while (size < o->nsizes && o->sizes[size] != batch->bytes) {
        size++;
    }
    return size < o->nsizes ? set * o->nsizes + size : -1;
}

enum hitop_status hitop_pair_sets_adopt(const struct hitop_pair_plan *plan,
                                        const struct hitop_measure_options *options,
                                        struct bytes *all, int *passes, struct hitop_diag *diag)
{
    const struct hitop_batches *known = options->known;
    struct hitop_batch batch;
    enum hitop_status status = HITOP_OK;
    size_t offset = 0;

    while (known && status == HITOP_OK &&
           hitop_batches_next(known->bytes.data, known->bytes.length, &offset, &batch)) {
        const int job = find_job(plan, options, &batch);
        for (int i = 0; job >= 0 && status == HITOP_OK && i < batch.n; i++) {
            const struct pair_value value = {job, batch.samples[i]};
            status = hitop_bytes_append(all, &value, sizeof(value), diag);
        }
        if (job >= 0) {
            passes[job]++;
        }
    }
    return status;
}

enum hitop_status hitop_pair_sets_hand_on(const struct hitop_pair_plan *plan,
                                          const struct hitop_measure_options *options, int pass,
                                          struct pair_value *value, size_t n,
                                          struct hitop_diag *diag)
{
    double *samples = malloc((n + 1) * sizeof(*samples));
    enum hitop_status status = HITOP_OK;

    if (!samples) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "concurrent pairs: out of memory");
    }
    hitop_pair_values_sort(value, n);
    for (size_t first = 0, last; status == HITOP_OK && first < n; first = last) {
        struct hitop_batch batch = {.part = options->part,
                                    .link = value[first].job / options->nsizes,
                                    .what = plan->what,
                                    .bytes = options->sizes[value[first].job % options->nsizes],
                                    .block = pass,
                                    .batch = 1,
                                    .samples = samples};
        for (last = first; last < n && value[last].job == value[first].job; last++) {
            samples[batch.n++] = value[last].seconds;
        }
        status = options->keep(options->keep_data, &batch, diag);
    }
    free(samples);
    return status;
}

void hitop_pair_sets_clear(struct hitop_pair_sets *pair_sets)
{
    free(pair_sets->set);
    free(pair_sets->list);
    free(pair_sets->points);
    *pair_sets = (struct hitop_pair_sets){0};
}

/* The values of one pair set at one size, sorted. */
static struct hitop_point sum_up(const struct pair_value *value, int n, size_t bytes,
                                 const struct hitop_measure_options *o)
{
    const double width = hitop_estimators()->normal_width(o->confidence);
    const double low = value[n / 4].seconds, high = value[n - 1 - n / 4].seconds;
    const double median = (value[(n - 1) / 2].seconds + value[n / 2].seconds) / 2;
    /* from the distance of the quartiles, as of a normal law */
    const double se = fmax((high - low) / 1.349 * 1.2533 / sqrt(n), 1e-3 * median);

    return (struct hitop_point){.bytes = bytes,
                                .seconds = median,
                                .se = fmax(se, 1e-12),
                                .lo = fmax(0, median - width * se),
                                .hi = median + width * se,
                                .nsamples = n,
                                .converged = width * se <= fmax(o->eps, 2e-3) * median};
}

enum hitop_status hitop_pair_sets_arrange(struct hitop_pair_sets *out, struct bytes *all,
                                          const struct hitop_pair_plan *plan, int nlinks,
                                          const struct hitop_measure_options *o,
                                          struct hitop_diag *diag)
{
    const size_t njobs = (size_t)plan->nsets * (size_t)o->nsizes;
    struct pair_value *value = (struct pair_value *)(void *)all->data;
    const size_t n = all->length / sizeof(*value);
    struct hitop_point *point;
    size_t at = 0, nsets = 0;

    out->points = calloc(njobs + 1, sizeof(*out->points));
    out->set = calloc((size_t)plan->nsets + 1, sizeof(*out->set));
    out->list = calloc((size_t)nlinks + 1, sizeof(*out->list));
    if (!out->points || !out->set || !out->list) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "concurrent pairs: out of memory");
    }
    point = out->points;
    hitop_pair_values_sort(value, n);
    for (int c = 0; c < plan->nsets; c++) {
        struct hitop_pair_set_list *list = &out->list[plan->pairs[plan->begin[c]].node];
        struct hitop_pair_set *set = &out->set[nsets];
        *set = (struct hitop_pair_set){.pairs = plan->begin[c + 1] - plan->begin[c],
                                       .curve = {.points = point}};
        for (int k = 0; k < o->nsizes; k++) {
            const size_t first = at;
            while (at < n && value[at].job == c * o->nsizes + k) {
                at++;
            }
            if (at > first) {
                point[set->curve.npoints++] =
                    sum_up(value + first, (int)(at - first), o->sizes[k], o);
            }
        }
        if (set->curve.npoints < 2 && o->nsizes > 2) {
            continue; /* interrupted: no line goes through it */
        }
        point += set->curve.npoints;
        list->set = list->n == 0 ? set : list->set;
        list->n++;
        nsets++;
    }
    return HITOP_OK;
}
