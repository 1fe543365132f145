/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VALIDATE_RUN_H
#define VALIDATE_RUN_H

/* validate_run.h - the measurements of a comparison. */

#include "coll/validate/cases.h"
#include "coll/validate/place.h"
#include "tools/validate/validate.h"

#include "hitop/measure.h"

struct validate_clocks; /* of validate_cases_mpi.c */

struct validate_run {
    const struct tool *tool;
    const struct validate_options *options;
    const struct validate_request *request; /* of the options */
    int rank;
    struct validate_place place;
    struct validate_report report; /* complete at rank 0; results of the run on all ranks */
    char *hosts;                   /* at rank 0: of the job, "a:4,b:4"; owned */
    size_t sizes[VALIDATE_NSIZES];
    int nsizes;
    struct hitop_link *links; /* pairs, owned */
    int *is_known;            /* [nlinks], owned */
    int nlinks;
    struct validate_cases cases;
    struct validate_sample *sample; /* pairs, each with all sizes; then cases; owned */
    struct validate_clocks *clocks; /* of cases, owned; NULL: none are open */
    double start;                   /* MPI_Wtime() at the begin of the measurements */
};

/* The worst exit status of all ranks, on all of them. */
int validate_agree(int exit_status);

/*
 * Read the model and find the ranks on its hosts: run->place. All ranks call it and get the same
 * exit status, after rank 0 has reported an error.
 */
int validate_read(struct validate_run *run);

/*
 * Choose what to measure, and measure it; rank 0 gets all samples. All ranks call it and get the
 * same exit status, after one of them has reported an error.
 */
int validate_run(struct validate_run *run);
void validate_run_clear(struct validate_run *run);

/* 1 at rank 0 after a signal, else 0. Measurements poll it. */
int validate_is_interrupted(void *data);

/*
 * Seconds until the time limit, as rank 0 sees it, on all ranks; HUGE_VAL without a limit, 0 after
 * a signal.
 */
double validate_seconds_left(const struct validate_run *run);

/* Print a line about the progress of the run at rank 0, if one is due. */
void validate_note_progress(const struct validate_run *run, const char *what, int done, int all);

/*
 * Add the time of one half. With both halves, the time is their geometric mean, and the interval
 * contains both intervals.
 */
void validate_add_half(struct validate_sample *s, int half, double seconds, double lo, double hi,
                       int nsamples, int converged);

/*
 * Measure all cases in half 0 or 1 of the run; close the clocks after the last half. All ranks call
 * both functions. After a failure no rank may go on.
 */
enum hitop_status validate_run_cases(struct validate_run *run, int half, struct hitop_diag *diag);
void validate_run_close_clocks(struct validate_run *run);

#endif /* VALIDATE_RUN_H */
