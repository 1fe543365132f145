/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOBS_H
#define JOBS_H

/* job.h - one experiment at one size, until its median is known. */

#include "models/fit/estimate.h"

#include "hitop/measure.h"

#include <gsl/gsl_rng.h>

struct job {
    struct hitop_series series; /* its count and batch are chosen with each visit */
    struct hitop_stop_rule rule;
    int is_warm;       /* the round trip was timed */
    double round_trip; /* seconds, from the warm-up; 0 before it */
    double pause;      /* seconds between two samples */
    double patience;   /* seconds of a visit for which it takes fewer samples than usual */
    double *samples;   /* [n] in the order in which they were taken */
    int n, room;
    int handed_on; /* samples that hitop_job_hand_on() has returned */
    int take;      /* how often the job began again */
    int is_stale;  /* the samples are those before it began again: none has come since */
    int look;
    int finished;
    int is_optional; /* the measurement is complete without it, as time is short */
    struct hitop_median result;
};

/* A job that has not begun. Only what, from, to, third and bytes of the series count. */
void hitop_job_init(struct job *job, const struct hitop_transport *t,
                    const struct hitop_measure_options *options, const struct hitop_series *series);
void hitop_job_clear(struct job *job);

/* Warm up within about so many seconds, and choose how much to put between two readings of the
 * clock. A round trip that is known to take longer than that, at_least, needs no warm-up. */
enum hitop_status hitop_job_settle(const struct hitop_transport *t, struct job *job, double limit,
                                   double at_least, struct hitop_diag *diag);

/* Take a few samples; hitop_job_visit_time() says how long that will take. */
enum hitop_status hitop_job_visit(const struct hitop_transport *t, struct job *job,
                                  struct hitop_diag *diag);
double hitop_job_visit_time(const struct job *job);

/* Adopt samples that were taken before, by another process of an earlier run. */
enum hitop_status hitop_job_adopt(struct job *job, const struct hitop_batch *batch,
                                  struct hitop_diag *diag);

/* Begin again: the samples are forgotten as soon as others come. */
void hitop_job_retake(struct job *job);

/* The samples since the last call, as a batch that lends them; 0 when there are none. */
int hitop_job_hand_on(struct job *job, struct hitop_batch *out);

/* What is known by now; of a job with at least one sample. */
enum hitop_status hitop_job_point(struct job *job, struct hitop_point *out,
                                  struct hitop_diag *diag);

/*
 * All experiments and sizes of one link, or of one triple, at the rank that leads
 * it.
 */

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

#endif /* JOBS_H */
