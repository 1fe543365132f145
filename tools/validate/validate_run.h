/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VALIDATE_RUN_H
#define VALIDATE_RUN_H

/* validate_run.h - the measurements of a comparison. */

#include "coll/validate/cases.h"
#include "coll/validate/place.h"
#include "tools/validate/validate.h"

#include "hitop/measure.h"

struct validate_clocks; /* of validate_run_cases_mpi.c */

struct validate_run {
    const struct tool *tool;
    const struct validate_options *options;
    const struct validate_request *request; /* of the options */
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

#endif /* VALIDATE_RUN_H */
