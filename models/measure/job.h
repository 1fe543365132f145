/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOB_H
#define JOB_H

/* job.h - one experiment at one size, until its median is known. */

#include "models/fit/estimate.h"

#include "hitop/measure.h"

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

#endif /* JOB_H */
