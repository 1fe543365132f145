/* SPDX-License-Identifier: BSD-3-Clause */
/* crowds_values.c - the values of pairs: as batches, from which a later run goes on, and as the
 * points of all crowds. */
#include <config.h>

#include "models/fit/estimate.h"
#include "models/journal/batches.h"
#include "models/measure/crowds_impl.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const struct crowd_value *x = a, *y = b;

    if (x->job != y->job) {
        return x->job < y->job ? -1 : 1;
    }
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

void hitop_crowd_values_sort(struct crowd_value *value, size_t n)
{
    if (n > 0) {
        qsort(value, n, sizeof(*value), compare);
    }
}

/* The job of a batch; -1 when it is none of this plan. */
static int find_job(const struct hitop_crowd_plan *plan, const struct hitop_measure_options *o,
                    const struct hitop_batch *batch)
{
    const int crowd = batch->link;
    int size = 0;

    if (batch->what != plan->what || crowd >= plan->ncrowds ||
        batch->n != plan->begin[crowd + 1] - plan->begin[crowd]) {
        return -1;
    }
    while (size < o->nsizes && o->sizes[size] != batch->bytes) {
        size++;
    }
    return size < o->nsizes ? crowd * o->nsizes + size : -1;
}

enum hitop_status hitop_crowds_adopt(const struct hitop_crowd_plan *plan,
                                     const struct hitop_measure_options *options, struct bytes *all,
                                     int *passes, struct hitop_diag *diag)
{
    const struct hitop_batches *known = options->known;
    struct hitop_batch batch;
    enum hitop_status status = HITOP_OK;
    size_t offset = 0;

    while (known && status == HITOP_OK &&
           hitop_batches_next(known->bytes.data, known->bytes.length, &offset, &batch)) {
        const int job = find_job(plan, options, &batch);
        for (int i = 0; job >= 0 && status == HITOP_OK && i < batch.n; i++) {
            const struct crowd_value value = {job, batch.samples[i]};
            status = hitop_bytes_append(all, &value, sizeof(value), diag);
        }
        if (job >= 0) {
            passes[job]++;
        }
    }
    return status;
}

enum hitop_status hitop_crowds_hand_on(const struct hitop_crowd_plan *plan,
                                       const struct hitop_measure_options *options, int pass,
                                       struct crowd_value *value, size_t n, struct hitop_diag *diag)
{
    double *samples = malloc((n + 1) * sizeof(*samples));
    enum hitop_status status = HITOP_OK;

    if (!samples) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "crowds: out of memory");
    }
    hitop_crowd_values_sort(value, n);
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

void hitop_crowds_clear(struct hitop_crowds *crowds)
{
    free(crowds->crowd);
    free(crowds->list);
    free(crowds->points);
    *crowds = (struct hitop_crowds){0};
}

/* The values of one crowd at one size, sorted. */
static struct hitop_point sum_up(const struct crowd_value *value, int n, size_t bytes,
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

enum hitop_status hitop_crowds_arrange(struct hitop_crowds *out, struct bytes *all,
                                       const struct hitop_crowd_plan *plan, int nlinks,
                                       const struct hitop_measure_options *o,
                                       struct hitop_diag *diag)
{
    const size_t njobs = (size_t)plan->ncrowds * (size_t)o->nsizes;
    struct crowd_value *value = (struct crowd_value *)(void *)all->data;
    const size_t n = all->length / sizeof(*value);
    struct hitop_point *point;
    size_t at = 0, ncrowds = 0;

    out->points = calloc(njobs + 1, sizeof(*out->points));
    out->crowd = calloc((size_t)plan->ncrowds + 1, sizeof(*out->crowd));
    out->list = calloc((size_t)nlinks + 1, sizeof(*out->list));
    if (!out->points || !out->crowd || !out->list) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "crowds: out of memory");
    }
    point = out->points;
    hitop_crowd_values_sort(value, n);
    for (int c = 0; c < plan->ncrowds; c++) {
        struct hitop_crowd_list *list = &out->list[plan->pairs[plan->begin[c]].node];
        struct hitop_crowd *crowd = &out->crowd[ncrowds];
        *crowd = (struct hitop_crowd){.pairs = plan->begin[c + 1] - plan->begin[c],
                                      .curve = {.points = point}};
        for (int k = 0; k < o->nsizes; k++) {
            const size_t first = at;
            while (at < n && value[at].job == c * o->nsizes + k) {
                at++;
            }
            if (at > first) {
                point[crowd->curve.npoints++] =
                    sum_up(value + first, (int)(at - first), o->sizes[k], o);
            }
        }
        if (crowd->curve.npoints < 2 && o->nsizes > 2) {
            continue; /* interrupted: no line goes through it */
        }
        point += crowd->curve.npoints;
        list->crowd = list->n == 0 ? crowd : list->crowd;
        list->n++;
        ncrowds++;
    }
    return HITOP_OK;
}
