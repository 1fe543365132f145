/* SPDX-License-Identifier: BSD-3-Clause */
/* crowds_known.c - values of crowds as batches, from which a later run goes on. */
#include <config.h>

#include "models/measure/crowds_impl.h"

#include "models/journal/batches.h"

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
