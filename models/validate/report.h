/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REPORT_H
#define REPORT_H

/* report.h - whether a model holds, and the remedy where it does not. */

#include "models/validate/choose.h"

/* The outcome, at the rank that writes. */
struct validate_report {
    const struct validate_request *request;
    const struct hitop_model *model; /* as it was read */
    const struct hitop_hierarchy *h; /* of the ranks of the job */
    int nranks, nhosts;              /* of the job */
    int after_barrier; /* 1: ranks missed start times, so that many times began after a barrier */
    int busiest[2]; /* ranks and processors of the machine with the fewest processors for a rank */
    const struct validate_sample *samples;
    int nsamples;
    struct validate_rows groups, levels, sizes;
    const char *skipped; /* patterns and collectives that do not suit; "" */
    double seconds;      /* of all measurements */
    double enough;       /* seconds of --budget in which all would be measured; 0: unknown */
    int ended_early;     /* 1: by the time limit or a signal */
    const char *signal;  /* that did it, or NULL */
    int nlaunches;       /* this one and earlier ones */
    const char *mpi_library, *date, *hosts; /* where and when this launch was; hosts: "a:4,b:4" */
    int nfailed;                            /* rows of groups that do not hold */
    int nnoisy;                             /* rows of which noise hides all */
    int nmeasured;                          /* samples that were measured */
    const struct validate_row
        *worst; /* of the rows that do not hold, or else of all; NULL: nothing was measured */
    char verdict[1536]; /* a sentence, and what to do */
};

/* Judge samples; the report borrows all that it is given. To be cleared also on failure. */
HITOP_MUST_CHECK enum hitop_status hitop_validate_report_make(struct validate_report *report,
                                                              struct hitop_diag *diag);
void hitop_validate_report_clear(struct validate_report *report);

/* 1: at least one row is decided, and all decided rows hold. */
int hitop_validate_holds(const struct validate_report *report);

/* "pairs", "pattern" or "collective"; "holds", "does not hold", "too noisy" or "not measured". */
const char *hitop_validate_part_name(enum validate_part part);
const char *hitop_validate_state(const struct validate_row *row);

#endif /* REPORT_H */
