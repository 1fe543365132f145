/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VALIDATE_RUN_H
#define VALIDATE_RUN_H

/* validate_run.h - the measurements of a comparison. */

#include "tools/validate/validate_model.h"

#include "hitop/measure.h"

struct validate_clocks; /* of validate_run_cases_mpi.c */

struct validate_run {
    const struct tool *tool;
    const struct validate_request *request;
    int rank, nranks;
    struct validate_place place;
    char *hosts; /* at rank 0: of the job, "a:4,b:4"; owned */
    size_t sizes[VALIDATE_NSIZES];
    int nsizes;
    struct hitop_link *links; /* pairs, owned */
    int *is_known;            /* [nlinks], owned */
    int nlinks;
    struct validate_cases cases;
    struct validate_sample *sample; /* pairs, each at all sizes; then cases; owned */
    int nsamples;
    struct validate_clocks *clocks; /* of cases, owned; NULL: none are open */
    double start, seconds;          /* when it began, and how long it took */
    double enough;                  /* seconds in which all would be measured, as rank 0 expects */
    int ended_early;                /* 1: by the time limit or a signal; alike on all ranks */
    int after_barrier; /* 1: ranks came late to appointments, so that cases began after barriers */
    int crowd[2]; /* ranks and processors of the machine with the fewest processors for a rank */
};

/* The worst exit status of all ranks, on all of them. */
int validate_agree(int exit_status);

/* Read the model and find the ranks on its hosts: run->place. All ranks call it, and get the same exit status after rank 0
 * has said why. */
int validate_read(struct validate_run *run);

/* Choose what to measure, and measure it; samples are complete at rank 0. All ranks call it, and get the same exit
 * status after one of them has said why. */
int validate_run(struct validate_run *run);
void validate_run_clear(struct validate_run *run);

/* Measure all pairs, or all cases, in one half of the run, 0 or 1. All ranks call them. HITOP_ERR_MPI and others: nobody
 * may go on. */
HITOP_MUST_CHECK enum hitop_status validate_run_pairs(struct validate_run *run, int half,
                                                      struct hitop_diag *diag);
HITOP_MUST_CHECK enum hitop_status validate_run_cases(struct validate_run *run, int half,
                                                      struct hitop_diag *diag);

/* The end of clocks that validate_run_cases() has opened, after the last half. All ranks call it. */
void validate_run_close_clocks(struct validate_run *run);

/* Seconds that are left until the time limit, as rank 0 sees it, on all ranks; HUGE_VAL without one, 0 after a signal. */
double validate_run_left(const struct validate_run *run);

/* 1 at rank 0 after a signal, else 0: for what is under way. */
int validate_run_is_interrupted(void *run);

/* A line about how far the run is, at rank 0, now and then. */
void validate_run_tell(const struct validate_run *run, const char *what, int done, int all);

/* What was measured in one half of the run becomes a part of a sample. */
void validate_add_half(struct validate_sample *s, int half, double seconds, double lo, double hi,
                       int nsamples, int converged);

#endif /* VALIDATE_RUN_H */
