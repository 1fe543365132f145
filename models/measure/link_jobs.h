/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef LINK_JOBS_H
#define LINK_JOBS_H

/* link_jobs.h - all experiments and sizes of one link, or of one triple, at the rank that leads
 * it. */

#include "models/measure/job.h"

#include <gsl/gsl_rng.h>

/* Sizes that are visited together. */
struct size_range {
    size_t min, max; /* both included */
};

extern const struct size_range hitop_all_sizes;

struct link_jobs {
    struct job *job; /* [n] by experiment, then by size */
    int n, room;
    struct size_range visit; /* the sizes of the visit under way */
    int *order; /* [due] its jobs, owned; those before next are done; NULL: none under way */
    int due, next;
    int is_short;                    /* some sizes were left to later passes, for want of time */
    double patience;                 /* of all jobs, see job.h */
    const struct hitop_transport *t; /* what the others are, so are those that are added; lent */
    const struct hitop_link *link;
    const struct hitop_measure_options *options;
};

/* Those that the options ask for, not begun, of one link of so many. To be closed, also on
 * failure. */
enum hitop_status hitop_link_jobs_open(struct link_jobs *set, const struct hitop_transport *t,
                                       const struct hitop_link *link, int nlinks,
                                       const struct hitop_measure_options *options,
                                       struct hitop_diag *diag);
void hitop_link_jobs_close(struct link_jobs *set);

/* Begin a visit to the unfinished jobs of a range of sizes, in random order. */
enum hitop_status hitop_link_jobs_begin(struct link_jobs *set, const struct size_range *range,
                                        gsl_rng *rng, struct hitop_diag *diag);

/* Seconds. */
struct visit_limits {
    double warm_up; /* of each job, before its first visit */
    double slice;   /* of one call; its last job may take longer */
    double room;    /* of the whole visit, warm-up too: sizes that do not fit wait */
    int is_hasty;   /* a round trip may take a large part of the room */
};

/* Go on with the visit until its slice is over, by one job at least. */
enum hitop_status hitop_link_jobs_visit(struct link_jobs *set, const struct hitop_transport *t,
                                        const struct visit_limits *limits, struct hitop_diag *diag);

/* Whether the visit has something to do. */
static inline int link_jobs_goes_on(const struct link_jobs *set)
{
    return set->next < set->due;
}

/* End the visit. When all are finished, reopen those that do not fit their neighbours; when there
 * are none, add sizes where the options ask for them. *changed becomes 1 if there is something to
 * do again. */
enum hitop_status hitop_link_jobs_review(struct link_jobs *set, int *changed,
                                         struct hitop_diag *diag);

/* Add the experiments of one more size; those that are there stay as they are. */
enum hitop_status hitop_link_jobs_add_size(struct link_jobs *set, size_t bytes,
                                           struct hitop_diag *diag);

/* Unfinished jobs of a range of sizes, and seconds that a visit of all takes as far as they are
 * known. */
int hitop_link_jobs_unfinished(const struct link_jobs *set, const struct size_range *range,
                               double *visit_time);

/* The longest round trip of all jobs, in seconds, as far as it is known. */
double hitop_link_jobs_longest(const struct link_jobs *set);

/* The job of an experiment at a size, or NULL. */
struct job *hitop_link_jobs_find(const struct link_jobs *set, enum hitop_experiment what,
                                 size_t bytes);

#endif /* LINK_JOBS_H */
