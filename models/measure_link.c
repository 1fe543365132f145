/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_link.c - all experiments and sizes of one link, or of one triple. */
#include <config.h>

#include "jobs.h"
#include "measure_impl.h"

#include <stdlib.h>

static void fill_link(const struct hitop_transport *t, const struct hitop_link *link,
                      const struct hitop_measure_options *options, struct job *job)
{
    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        const enum hitop_experiment what = (enum hitop_experiment)e;
        for (int i = 0; i < hitop_measure_nsizes(options, what); i++) {
            const struct hitop_series series = {.what = what,
                                                .from = link->rank[0],
                                                .to = link->rank[1],
                                                .bytes = options->sizes[i]};
            job_init(job++, t, options, &series);
        }
    }
}

/* The leader sends to both partners at once, and to either alone. */
static void fill_triple(const struct hitop_transport *t, const struct hitop_link *triple,
                        const struct hitop_measure_options *options, struct job *job)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < options->nsizes; i++) {
            const struct hitop_series series = {.what = k == 0 ? HITOP_FAN : HITOP_REPLY,
                                                .from = triple->rank[0],
                                                .to = k == 2 ? triple->third : triple->rank[1],
                                                .third = triple->third,
                                                .bytes = options->sizes[i]};
            job_init(job++, t, options, &series);
        }
    }
}

enum hitop_status measure_link(const struct hitop_transport *t, const struct hitop_link *link,
                               const struct hitop_measure_options *options, double slice,
                               struct hitop_point *points, struct hitop_diag *diag)
{
    const size_t njobs = hitop_measure_npoints(options);
    struct job *jobs = calloc(njobs, sizeof(*jobs));
    enum hitop_status status;

    if (!jobs) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "measurement: out of memory");
    }
    if (hitop_measure_is_triple(options)) {
        fill_triple(t, link, options, jobs);
    } else {
        fill_link(t, link, options, jobs);
    }
    status = jobs_do(t, jobs, (int)njobs, slice,
                     options->seed * 1000003 + (unsigned long long)link->node, points, diag);
    free(jobs);
    return status;
}
