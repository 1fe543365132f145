/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure_samples.c - samples of an earlier run go to the processes that lead their links; points
 * of all links go to rank 0.
 *
 * Idea:  rank 0 shares all samples, piece by piece, and each process picks its own, so that no
 *        process needs memory for more than a piece of the samples of others.
 */
#include <config.h>

#include "models/fit/eager.h"
#include "models/fit/modes.h"
#include "models/journal/batches.h"
#include "models/measure/measure_state.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of a piece, which ends with the batch that fills it. */
static const size_t piece_length = 1 << 20;

/* Pick this process's samples from a piece. */
static enum hitop_status pick(const struct measure_state *c, const char *data, size_t length,
                              struct hitop_diag *diag)
{
    struct hitop_batch batch;
    size_t offset = 0;
    enum hitop_status status = HITOP_OK;

    while (status == HITOP_OK && hitop_batches_next(data, length, &offset, &batch)) {
        struct link_jobs *set = batch.link < c->nlinks ? &c->of_link[batch.link] : NULL;
        struct job *job;
        if (!set || set->n == 0) {
            continue;
        }
        if (c->o->max_sizes > c->o->nsizes) { /* the earlier run may have added the size */
            status = hitop_link_jobs_add_size(set, batch.bytes, diag);
        }
        job = hitop_link_jobs_find(set, batch.what, batch.bytes);
        if (status == HITOP_OK && job) {
            status = hitop_job_adopt(job, &batch, diag);
        }
    }
    return status;
}

/* At rank 0: the length of the piece that begins there; 0 at the end, and without samples. */
static int find_length(const struct hitop_batches *known, size_t begin)
{
    size_t end = begin;
    struct hitop_batch batch;

    while (known && end - begin < piece_length &&
           hitop_batches_next(known->bytes.data, known->bytes.length, &end, &batch)) {
    }
    return (int)(end - begin);
}

enum hitop_status hitop_adopt_known(struct measure_state *c, struct hitop_diag *diag)
{
    const struct hitop_batches *known = c->o->known;
    enum hitop_status status = HITOP_OK;
    char *piece = NULL; /* borrowed at rank 0, owned by other ranks */
    int length = 1, changed = 0;

    for (size_t begin = 0; status == HITOP_OK && length > 0; begin += (size_t)length) {
        if (c->t->rank <= 0) {
            length = find_length(known, begin);
            piece = known ? known->bytes.data + begin : NULL;
        }
        status = hitop_share_array(c->t, &piece, &length, 1, diag);
        if (status == HITOP_OK && length > 0) {
            status = hitop_agree_on_status(c->t, pick(c, piece, (size_t)length, diag), diag);
        }
    }
    if (c->t->rank > 0) {
        free(piece);
    }
    if (status != HITOP_OK) {
        return status;
    }
    for (int i = 0; status == HITOP_OK && i < c->nlinks; i++) {
        status = hitop_link_jobs_review(&c->of_link[i], &changed, diag);
    }
    return hitop_agree_on_status(c->t, status, diag);
}

/* A point during its transfer. */
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

struct hitop_measured hitop_measured_slice(const struct hitop_measured *measured, int first, int n)
{
    struct hitop_measured out = *measured;

    out.links += first;
    out.nlinks = n;
    out.curves += (size_t)first * HITOP_NEXPERIMENTS;
    out.eager = out.eager ? out.eager + first : NULL;
    out.pair_sets = out.pair_sets ? out.pair_sets + first : NULL;
    return out;
}

struct hitop_evidence hitop_measure_evidence(const struct hitop_measured *measured, int index)
{
    struct hitop_evidence e = {.confidence = measured->confidence};

    memcpy(e.curve, measured->curves + (size_t)index * HITOP_NEXPERIMENTS, sizeof(e.curve));
    if (measured->pair_sets) {
        e.pair_sets = measured->pair_sets[index].set;
        e.nsets = measured->pair_sets[index].n;
    }
    return e;
}

/* The point of a job, with the number of modes of its samples. */
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
static enum hitop_status make_records(const struct measure_state *c, struct bytes *out,
                                      struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = 0; i < c->nlinks; i++) {
        for (int k = 0; status == HITOP_OK && k < c->of_link[i].n; k++) {
            struct job *job = &c->of_link[i].job[k];
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

/* Points by link, experiment and size, and curves that borrow them. */
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

enum hitop_status hitop_measurement_collect(const struct measure_state *c,
                                            struct hitop_measurement *out, struct hitop_diag *diag)
{
    const struct hitop_transport *t = c->t;
    struct bytes mine = {0}, all = {0};
    enum hitop_status status = make_records(c, &mine, diag);

    status = hitop_agree_on_status(t, status, diag);
    if (status == HITOP_OK) {
        status = t->gather(t->self, mine.data, mine.length, hitop_bytes_append, &all, diag);
    }
    if (status == HITOP_OK && t->rank <= 0) {
        status = arrange(out, &all, c->nlinks, diag);
    }
    free(all.data);
    free(mine.data);
    return hitop_agree_on_status(t, status, diag);
}
