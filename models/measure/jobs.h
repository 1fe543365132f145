/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOBS_H
#define JOBS_H

/* jobs.h - experiments of one link: a job is one experiment at one size. */

#include "models/fit/estimate.h"

#include "hitop/measure.h"

#include <gsl/gsl_rng.h>

struct job {
    struct hitop_series series; /* its count and batch are chosen with each visit */
    struct hitop_stop_rule rule;
    int is_warm;       /* 1: round_trip was timed on one link; a fan has two */
    double round_trip; /* seconds, from the warm-up; 0 before it */
    double pause;      /* seconds between two samples */
    double patience;   /* most seconds of a visit; a slow job takes fewer samples for it */
    double *samples;   /* [n] in the order in which they were taken */
    int n, room;
    int handed_on; /* samples that hitop_job_hand_on() has returned */
    int take;      /* number of restarts */
    int is_stale;  /* 1: all samples are from before the last restart */
    int look;
    int finished;
    int is_optional; /* 1: the measurement is complete without it, because time was short */
    struct hitop_median result;
};

/* Initialize a job. Only what, from, to, third and bytes of the series are used. */
void hitop_job_init(struct job *job, const struct hitop_transport *t,
                    const struct hitop_measure_options *options, const struct hitop_series *series);
void hitop_job_clear(struct job *job);

/*
 * Warm up for about `limit` seconds, and choose the number of messages between two readings of the
 * clock. at_least is a lower limit or an estimate of the round trip; if it exceeds `limit`, it is
 * used and the round trip is not timed.
 */
enum hitop_status hitop_job_settle(const struct hitop_transport *t, struct job *job, double limit,
                                   double at_least, struct hitop_diag *diag);

/* Take a few samples; hitop_job_visit_time() returns the expected seconds. */
enum hitop_status hitop_job_visit(const struct hitop_transport *t, struct job *job,
                                  struct hitop_diag *diag);
double hitop_job_visit_time(const struct job *job);

/* Add samples of an earlier run. */
enum hitop_status hitop_job_adopt(struct job *job, const struct hitop_batch *batch,
                                  struct hitop_diag *diag);

/* Restart the job: its samples are dropped when new ones arrive. */
void hitop_job_retake(struct job *job);

/* Return the samples since the last call in a batch that borrows them; 0: there are none. */
int hitop_job_hand_on(struct job *job, struct hitop_batch *out);

/* Compute the point of a job with at least one sample. */
enum hitop_status hitop_job_point(struct job *job, struct hitop_point *out,
                                  struct hitop_diag *diag);

/* All jobs of one link, or of one triple, at the rank that leads it. */

/* Sizes that are visited together. */
struct size_range {
    size_t min, max; /* both included */
};

extern const struct size_range hitop_all_sizes;

struct link_jobs {
    struct job *job; /* [n] by experiment, then by size */
    int n, room;
    struct size_range visit; /* the sizes of the present visit */
    /* [due] the jobs of the present visit, owned; those before next are done; NULL: no visit */
    int *order;
    int due, next;
    int is_short;    /* 1: some sizes wait for later passes, because time was short */
    double patience; /* of all jobs */
    const struct hitop_transport *t; /* of all jobs; borrowed */
    const struct hitop_link *link;
    const struct hitop_measure_options *options;
};

/* Make the jobs that the options ask for, of one of nlinks links. To be closed, also on failure. */
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
    double warm_up; /* for each job, before its first visit */
    double slice;   /* for one call; its last job may take longer */
    double room;    /* for the whole visit with its warm-up; sizes that do not fit wait */
    int is_hasty;   /* 1: short warm-up, as a round trip may take a large part of the room */
};

/* Continue the visit until its slice is over, with at least one job. */
enum hitop_status hitop_link_jobs_visit(struct link_jobs *set, const struct hitop_transport *t,
                                        const struct visit_limits *limits, struct hitop_diag *diag);

/* Whether the visit has unfinished jobs. */
static inline int link_jobs_goes_on(const struct link_jobs *set)
{
    return set->next < set->due;
}

/*
 * End the visit. When all jobs are finished, restart those that do not fit their neighbours; if
 * there are none, add sizes if the options ask for it. *changed becomes 1 if a job is restarted or
 * added.
 */
enum hitop_status hitop_link_jobs_review(struct link_jobs *set, int *changed,
                                         struct hitop_diag *diag);

/* Add the jobs of one more size, unless they exist. */
enum hitop_status hitop_link_jobs_add_size(struct link_jobs *set, size_t bytes,
                                           struct hitop_diag *diag);

/*
 * Count the unfinished jobs of a range of sizes; *visit_time receives the seconds of a visit to
 * them, as far as they are known.
 */
int hitop_link_jobs_unfinished(const struct link_jobs *set, const struct size_range *range,
                               double *visit_time);

/* The longest known round trip of all jobs, in seconds. */
double hitop_link_jobs_longest(const struct link_jobs *set);

/* The job of an experiment at a size, or NULL. */
struct job *hitop_link_jobs_find(const struct link_jobs *set, enum hitop_experiment what,
                                 size_t bytes);

#endif /* JOBS_H */
