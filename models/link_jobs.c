/* SPDX-License-Identifier: BSD-3-Clause */
/* link_jobs.c - all experiments and sizes of one link, or of one triple. */
#include <config.h>

#include "link_jobs.h"

#include "measure_impl.h"

#include <gsl/gsl_randist.h>

#include <stdint.h>
#include <stdlib.h>

enum { MAX_RETAKES = 3 };

const struct size_range all_sizes = {0, SIZE_MAX};

enum hitop_status link_jobs_open(struct link_jobs *set, const struct hitop_transport *t,
                                 const struct hitop_link *link,
                                 const struct hitop_measure_options *options,
                                 struct hitop_diag *diag)
{
    *set = (struct link_jobs){0};
    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        set->room += hitop_measure_nsizes(options, (enum hitop_experiment)e);
    }
    set->job = calloc((size_t)set->room + 1, sizeof(*set->job));
    if (!set->job) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        const enum hitop_experiment what = (enum hitop_experiment)e;
        for (int i = 0; i < hitop_measure_nsizes(options, what); i++) {
            const struct hitop_series series = {.what = what,
                                                .from = link->rank[0],
                                                .to = what == HITOP_REPLY_THIRD ? link->third
                                                                                : link->rank[1],
                                                .third = link->third,
                                                .bytes = options->sizes[i]};
            job_init(&set->job[set->n++], t, options, &series);
        }
    }
    return HITOP_OK;
}

void link_jobs_close(struct link_jobs *set)
{
    for (int i = 0; i < set->n; i++) {
        job_clear(&set->job[i]);
    }
    free(set->job);
    *set = (struct link_jobs){0};
}

static int is_due(const struct job *job, const struct size_range *range)
{
    return !job->finished && job->series.bytes >= range->min && job->series.bytes <= range->max;
}

int link_jobs_unfinished(const struct link_jobs *set, const struct size_range *range,
                         double *visit_time)
{
    int n = 0;

    *visit_time = 0;
    for (int i = 0; i < set->n; i++) {
        if (is_due(&set->job[i], range)) {
            n++;
            *visit_time += job_visit_time(&set->job[i]);
        }
    }
    return n;
}

/* Warm up what is visited for the first time; the largest first, which brings all memory that is needed. */
static enum hitop_status settle(struct link_jobs *set, const struct hitop_transport *t,
                                const struct size_range *range, double limit,
                                struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;

    for (int i = set->n - 1; status == HITOP_OK && i >= 0; i--) {
        if (is_due(&set->job[i], range) && set->job[i].round_trip <= 0) {
            status = job_settle(t, &set->job[i], limit, diag);
        }
    }
    return status;
}

enum hitop_status link_jobs_visit(struct link_jobs *set, const struct hitop_transport *t,
                                  const struct size_range *range, double warm_up_limit,
                                  gsl_rng *rng, struct hitop_diag *diag)
{
    int *order = calloc((size_t)set->n + 1, sizeof(*order));
    enum hitop_status status;
    int n = 0;

    if (!order) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    for (int i = 0; i < set->n; i++) {
        if (is_due(&set->job[i], range)) {
            order[n++] = i;
        }
    }
    if (n > 1) {
        gsl_ran_shuffle(rng, order, (size_t)n, sizeof(*order));
    }
    status = settle(set, t, range, warm_up_limit, diag);
    for (int i = 0; status == HITOP_OK && i < n; i++) {
        status = job_visit(t, &set->job[order[i]], diag);
    }
    free(order);
    return status;
}

/* The jobs of one experiment from the first-th one on; returns where they end. */
static int end_of_curve(const struct link_jobs *set, int first)
{
    int end = first + 1;

    while (end < set->n && set->job[end].series.what == set->job[first].series.what) {
        end++;
    }
    return end;
}

static enum hitop_status review_curve(struct job *job, int n, struct hitop_diag *diag)
{
    struct hitop_point *points = calloc((size_t)n, sizeof(*points));
    enum hitop_status status = HITOP_OK;

    if (!points) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    for (int i = 0; status == HITOP_OK && i < n; i++) {
        status = job_point(&job[i], &points[i], diag);
    }
    for (int i = find_suspect(points, n, 0); status == HITOP_OK && i < n;
         i = find_suspect(points, n, i + 1)) {
        if (job[i].take < MAX_RETAKES) {
            job_retake(&job[i]);
        }
    }
    free(points);
    return status;
}

enum hitop_status link_jobs_review(struct link_jobs *set, struct hitop_diag *diag)
{
    enum hitop_status status = HITOP_OK;
    double ignored;

    if (link_jobs_unfinished(set, &all_sizes, &ignored) > 0) {
        return HITOP_OK;
    }
    for (int first = 0, end; status == HITOP_OK && first < set->n; first = end) {
        end = end_of_curve(set, first);
        status = review_curve(set->job + first, end - first, diag);
    }
    return status;
}

struct job *link_jobs_find(const struct link_jobs *set, enum hitop_experiment what, size_t bytes)
{
    for (int i = 0; i < set->n; i++) {
        if (set->job[i].series.what == what && set->job[i].series.bytes == bytes) {
            return &set->job[i];
        }
    }
    return NULL;
}
