/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_link.c - one link on its own, until it is known or the time is up. */
#include <config.h>

#include "models/measure/link_jobs.h"
#include "models/measure/measure_impl.h"

#include <math.h>

/* All visits but the first one end at the deadline. */
static enum hitop_status run(struct link_jobs *set, const struct hitop_transport *t, double slice,
                             gsl_rng *rng, struct hitop_diag *diag)
{
    const double deadline = t->now(t->self) + slice;
    const struct visit_limits limits = {
        .warm_up = fmin(0.05, 0.02 * slice), .slice = HUGE_VAL, .room = HUGE_VAL};
    enum hitop_status status;
    double ignored;
    int changed = 0;

    do {
        status = hitop_link_jobs_begin(set, &hitop_all_sizes, rng, diag);
        if (status == HITOP_OK) {
            status = hitop_link_jobs_visit(set, t, &limits, diag);
        }
        if (status == HITOP_OK) {
            status = hitop_link_jobs_review(set, &changed, diag);
        }
    } while (status == HITOP_OK && t->now(t->self) < deadline &&
             hitop_link_jobs_unfinished(set, &hitop_all_sizes, &ignored) > 0);
    return status;
}

enum hitop_status hitop_measure_link(const struct hitop_transport *t, const struct hitop_link *link,
                                     const struct hitop_measure_options *options, double slice,
                                     struct hitop_point *points, struct hitop_diag *diag)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    struct link_jobs set = {0};
    enum hitop_status status =
        rng ? hitop_link_jobs_open(&set, t, link, 1, options, diag)
            : hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");

    if (status == HITOP_OK) {
        gsl_rng_set(rng, (unsigned long)(options->seed * 1000003 + (unsigned long long)link->node));
        status = run(&set, t, slice, rng, diag);
    }
    for (int i = 0; status == HITOP_OK && i < set.n; i++) {
        status = hitop_job_point(&set.job[i], &points[i], diag);
    }
    hitop_link_jobs_close(&set);
    gsl_rng_free(rng);
    return status;
}
