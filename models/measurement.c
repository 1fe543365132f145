/* SPDX-License-Identifier: BSD-3-Clause */
/* measurement.c - the points of all links, brought to rank 0. */
#include <config.h>

#include "measurement.h"

#include "measure_impl.h"

#include "hitop/modes.h"

#include <stdlib.h>
#include <string.h>

/* A point on its way. */
struct record {
    int link;
    enum hitop_experiment what;
    struct hitop_point point;
};

/* The records of all processes. */
struct harvest {
    struct record *record;
    size_t n, room;
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
    enum hitop_status status = job_point(job, out, diag);

    if (status == HITOP_OK) {
        status = hitop_modes_find(job->samples, job->n, resolution, &modes, diag);
    }
    out->nmodes = status == HITOP_OK ? modes.n : 0;
    return status;
}

/* The records of this process; *out is to be freed. */
static enum hitop_status make_records(const struct link_jobs *of_link, int nlinks,
                                      struct record **out, size_t *n, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    size_t room = 1;

    for (int i = 0; i < nlinks; i++) {
        room += (size_t)of_link[i].n;
    }
    *n = 0;
    *out = calloc(room, sizeof(**out));
    if (!*out) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    for (int i = 0; i < nlinks; i++) {
        for (int k = 0; status == HITOP_OK && k < of_link[i].n; k++) {
            struct job *job = &of_link[i].job[k];
            struct record *record = &(*out)[*n];
            if (job->n > 0) {
                *record = (struct record){.link = i, .what = job->series.what};
                status = describe(job, &record->point, diag);
                ++*n;
            }
        }
    }
    return status;
}

static enum hitop_status take(void *user, const void *data, size_t length, struct hitop_diag *diag)
{
    struct harvest *h = user;
    const size_t n = length / sizeof(*h->record);

    if (h->n + n > h->room) {
        const size_t room = h->n + n > 2 * h->room ? h->n + n : 2 * h->room;
        struct record *more = realloc(h->record, room * sizeof(*more));
        if (!more) {
            return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
        }
        h->record = more;
        h->room = room;
    }
    if (n > 0) {
        memcpy(h->record + h->n, data, length);
        h->n += n;
    }
    return HITOP_OK;
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
static enum hitop_status arrange(struct hitop_measurement *out, struct harvest *h, int nlinks,
                                 struct hitop_diag *diag)
{
    out->nlinks = nlinks;
    out->points = calloc(h->n + 1, sizeof(*out->points));
    out->curves = calloc((size_t)nlinks * HITOP_NEXPERIMENTS + 1, sizeof(*out->curves));
    if (!out->points || !out->curves) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    if (h->n > 0) {
        qsort(h->record, h->n, sizeof(*h->record), compare_records);
    }
    for (size_t i = 0; i < h->n; i++) {
        const struct record *record = &h->record[i];
        struct hitop_curve *curve =
            &out->curves[(size_t)record->link * HITOP_NEXPERIMENTS + record->what];
        out->points[i] = record->point;
        if (curve->npoints++ == 0) {
            curve->points = &out->points[i];
        }
    }
    return HITOP_OK;
}

enum hitop_status measurement_collect(struct hitop_measurement *out,
                                      const struct hitop_transport *t,
                                      const struct link_jobs *of_link, int nlinks,
                                      struct hitop_diag *diag)
{
    struct harvest harvest = {0};
    struct record *mine = NULL;
    size_t n;
    enum hitop_status status = make_records(of_link, nlinks, &mine, &n, diag);

    status = agree_on_status(t, status, diag);
    if (status == HITOP_OK) {
        status = t->gather(t->self, mine, n * sizeof(*mine), take, &harvest, diag);
    }
    if (status == HITOP_OK && t->rank <= 0) {
        status = arrange(out, &harvest, nlinks, diag);
    }
    free(harvest.record);
    free(mine);
    return agree_on_status(t, status, diag);
}
