/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef JOBS_H
#define JOBS_H

/* jobs.h - experiments of one rank, interleaved. */

#include "hitop/estimate.h"
#include "hitop/measure.h"

/* One experiment at one size; for jobs.c, but for the series. */
struct job {
    struct hitop_series series; /* count and, but for trains, batch are chosen as it goes */
    struct hitop_stop_rule rule;
    double round_trip;
    double *samples;
    int n, room;
    int look;
    int retakes;
    int finished;
    struct hitop_median result;
};

/* A job that has not begun. Only what, from, to, third and bytes of the series count. */
void job_init(struct job *job, const struct hitop_transport *t,
              const struct hitop_measure_options *options, const struct hitop_series *series);

/*
 * Do all jobs within about slice seconds; called by their first rank. Jobs that differ in size only stand
 * side by side, by ascending size. points receives one point for each.
 */
enum hitop_status jobs_do(const struct hitop_transport *t, struct job *jobs, int njobs,
                          double slice, unsigned long long seed, struct hitop_point *points,
                          struct hitop_diag *diag);

#endif /* JOBS_H */
