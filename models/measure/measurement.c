/* SPDX-License-Identifier: BSD-3-Clause */
/* measurement.c - the points of all links, brought to rank 0. */
#include <config.h>

#include "models/measure/measurement.h"

#include "models/measure/measure_impl.h"
#include "models/transport/bytes.h"

#include "models/fit/modes.h"

#include <stdlib.h>

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
