/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_samples.c - samples of an earlier run reach the processes that lead their links; points
 * of all links reach rank 0.
 *
 * Idea:  rank 0 shares all samples, piece by piece, and each process picks its own: no process
 *        needs memory for more than a piece of what the others have.
 */
#include <config.h>

#include "models/fit/modes.h"
#include "models/journal/batches.h"
#include "models/measure/measure_impl.h"
#include "models/measure/measure_state.h"
#include "models/transport/bytes.h"

#include <stdlib.h>

/* Bytes of a piece, which ends with the batch that fills it. */
static const size_t piece_length = 1 << 20;

/* The job may have been added in the earlier run. */
static enum hitop_status adopt_batch(struct link_jobs *set, const struct hitop_batch *batch,
                                     struct hitop_diag *diag)
{
    const struct hitop_measure_options *o = set->options;
    enum hitop_status status = HITOP_OK;
    struct job *job;

    if (o->max_sizes > o->nsizes) {
        status = hitop_link_jobs_add_size(set, batch->bytes, diag);
    }
    job = hitop_link_jobs_find(set, batch->what, batch->bytes);
    return status == HITOP_OK && job ? hitop_job_adopt(job, batch, diag) : status;
}

/* Pick this process's samples from a piece. */
static enum hitop_status pick(struct link_jobs *of_link, int nlinks, const char *data,
                              size_t length, struct hitop_diag *diag)
{
    struct hitop_batch batch;
    size_t offset = 0;
    enum hitop_status status = HITOP_OK;

    while (status == HITOP_OK && hitop_batches_next(data, length, &offset, &batch)) {
        if (batch.link < nlinks && of_link[batch.link].n > 0) {
            status = adopt_batch(&of_link[batch.link], &batch, diag);
        }
    }
    return status;
}

/* At rank 0, length of the piece that begins there; 0 at the end, and where nothing is known. */
static size_t find_length(const struct hitop_batches *known, size_t begin)
{
    size_t end = begin;
    struct hitop_batch batch;

    while (known && end - begin < piece_length &&
           hitop_batches_next(known->bytes.data, known->bytes.length, &end, &batch)) {
    }
    return end - begin;
}

/* One piece, which rank 0 has at data; elsewhere that is NULL. */
static enum hitop_status share_piece(const struct hitop_transport *t, char *data, size_t length,
                                     struct link_jobs *of_link, int nlinks, struct hitop_diag *diag)
{
    char *copy = data ? NULL : malloc(length);
    enum hitop_status status =
        data || copy ? HITOP_OK : hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");

    status = hitop_agree_on_status(t, status, diag);
    if (status == HITOP_OK) {
        status = t->share(t->self, data ? data : copy, length, diag);
        if (status == HITOP_OK) {
            status = pick(of_link, nlinks, data ? data : copy, length, diag);
        }
        status = hitop_agree_on_status(t, status, diag);
    }
    free(copy);
    return status;
}

enum hitop_status hitop_adopt_known(const struct hitop_transport *t,
                                    const struct hitop_batches *known, struct link_jobs *of_link,
                                    int nlinks, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    double length = 1;
    int changed = 0;

    for (size_t begin = 0; status == HITOP_OK && length > 0; begin += (size_t)length) {
        length = (double)find_length(known, begin);
        status = t->agree(t->self, &length, 1, diag);
        if (status == HITOP_OK && length > 0) {
            status = share_piece(t, known ? known->bytes.data + begin : NULL, (size_t)length,
                                 of_link, nlinks, diag);
        }
    }
    if (status != HITOP_OK) {
        return status;
    }
    for (int i = 0; status == HITOP_OK && i < nlinks; i++) {
        status = hitop_link_jobs_review(&of_link[i], &changed, diag);
    }
    return hitop_agree_on_status(t, status, diag);
}

/* A point on its way. */
struct record {
    int link;
    enum hitop_experiment what;
    struct hitop_point point;
};

void hitop_measurement_clear(struct hitop_measurement *measurement)
{
    free(measurement->points);
    free(measurement->curves);
    *measurement = (struct hitop_measurement){0};
}

/* What is known of a job, and how many values its samples gather about. */
static enum hitop_status describe(struct job *job, struct hitop_point *out, struct hitop_diag *diag)
{
    const double resolution = job->rule.clock_step / job->rule.batch;
    struct hitop_modes modes;
    enum hitop_status status = hitop_job_point(job, out, diag);

    if (status == HITOP_OK) {
        status = hitop_modes_find(job->samples, job->n, resolution, &modes, diag);
    }
    out->nmodes = status == HITOP_OK ? modes.n : 0;
    return status;
}

/* The records of this process. */
static enum hitop_status make_records(const struct link_jobs *of_link, int nlinks,
                                      struct bytes *out, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0; i < nlinks; i++) {
        for (int k = 0; status == HITOP_OK && k < of_link[i].n; k++) {
            struct job *job = &of_link[i].job[k];
            struct record record = {.link = i, .what = job->series.what};
            if (job->n > 0) {
                status = describe(job, &record.point, diag);
                if (status == HITOP_OK) {
                    status = hitop_bytes_append(out, &record, sizeof(record), diag);
                }
            }
        }
    }
    return status;
}

static int compare_records(const void *a, const void *b)
{
    const struct record *x = a, *y = b;

    if (x->link != y->link) {
        return x->link < y->link ? -1 : 1;
    }
    if (x->what != y->what) {
        return x->what < y->what ? -1 : 1;
    }
    return (x->point.bytes > y->point.bytes) - (x->point.bytes < y->point.bytes);
}

/* Points by link, experiment and size, and curves that lend them. */
static enum hitop_status arrange(struct hitop_measurement *out, struct bytes *all, int nlinks,
                                 struct hitop_diag *diag)
{
    struct record *record = (struct record *)(void *)all->data;
    const size_t n = all->length / sizeof(*record);

    out->nlinks = nlinks;
    out->points = calloc(n + 1, sizeof(*out->points));
    out->curves = calloc((size_t)nlinks * HITOP_NEXPERIMENTS + 1, sizeof(*out->curves));
    if (!out->points || !out->curves) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    if (n > 0) {
        qsort(record, n, sizeof(*record), compare_records);
    }
    for (size_t i = 0; i < n; i++) {
        struct hitop_curve *curve =
            &out->curves[(size_t)record[i].link * HITOP_NEXPERIMENTS + record[i].what];
        out->points[i] = record[i].point;
        if (curve->npoints++ == 0) {
            curve->points = &out->points[i];
        }
    }
    return HITOP_OK;
}

enum hitop_status hitop_measurement_collect(struct hitop_measurement *out,
                                            const struct hitop_transport *t,
                                            const struct link_jobs *of_link, int nlinks,
                                            struct hitop_diag *diag)
{
    struct bytes mine = {0}, all = {0};
    enum hitop_status status = make_records(of_link, nlinks, &mine, diag);

    status = hitop_agree_on_status(t, status, diag);
    if (status == HITOP_OK) {
        status = t->gather(t->self, mine.data, mine.length, hitop_bytes_take, &all, diag);
    }
    if (status == HITOP_OK && t->rank <= 0) {
        status = arrange(out, &all, nlinks, diag);
    }
    free(all.data);
    free(mine.data);
    return hitop_agree_on_status(t, status, diag);
}
