/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_H
#define REPORT_H

/* report.h - report whether a model holds, and a remedy if it does not. */

#include "models/validate/choose.h"

/* The result of a validation, on the rank that writes it. */
struct validate_report {
    const struct validate_request *request;
    const struct hitop_model *model; /* as it was read */
    const struct hitop_hierarchy *h; /* of the ranks of the job */
    int nranks, nhosts;              /* of the job */
    const char *timing;              /* requested timing method of patterns and collectives */
    int after_barrier; /* 1: one-barrier replaced it, because ranks missed start times */
    int busiest[2];    /* ranks and processors of the host with the fewest processors per rank */
    const struct validate_sample *samples;
    int nsamples;
    struct validate_rows groups, levels, sizes;
    const char *skipped; /* patterns and collectives that do not suit the ranks; "": none */
    double seconds;      /* of all measurements */
    double enough;       /* seconds of --budget that all measurements need; 0: unknown */
    int ended_early;     /* 1: the time limit or a signal ended the run */
    const char *signal;  /* that ended the run, or NULL */
    int nlaunches;       /* this launch and earlier ones */
    const char *mpi_library, *date, *hosts; /* where and when this launch was; hosts: "a:4,b:4" */
    int nfailed;                            /* rows of groups that do not hold */
    int nnoisy;                             /* rows of groups that are undecided because of noise */
    int nmeasured;                          /* samples that were measured */
    const struct validate_row
        *worst; /* of the rows that do not hold, else of all decided ones; NULL: there is none */
    char verdict[1536]; /* whether the model holds, and what to do */
};

/* Judge samples. The report borrows its inputs; the caller clears it, also on failure. */
HITOP_MUST_CHECK enum hitop_status hitop_validate_report_make(struct validate_report *report,
                                                              struct hitop_diag *diag);
void hitop_validate_report_clear(struct validate_report *report);

/* 1: at least one row is decided, and all decided rows hold. */
int hitop_validate_holds(const struct validate_report *report);

/* "pairs", "pattern" or "collective"; "holds", "does not hold", "too noisy" or "not measured". */
const char *hitop_validate_part_name(enum validate_part part);
const char *hitop_validate_state(const struct validate_row *row);

#endif /* REPORT_H */
