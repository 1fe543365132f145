/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VALIDATE_H
#define VALIDATE_H

/* validate.h - what the user of validate_model asked for, and how it is served. */

#include "models/validate/judge.h"
#include "tools/common/tool.h"

#include "hitop/hierarchy.h"
#include "hitop/measure.h"
#include "hitop/model.h"

struct hitop_plan; /* hitop/plan.h */

enum validate_format { VALIDATE_TEXT, VALIDATE_CSV, VALIDATE_JSON };

struct validate_request {
    const char *input;  /* -i */
    const char *output; /* -o */
    enum validate_format format;
    int has_range[2]; /* 1: -m or -M was given */
    int has_npairs;   /* 1: --pairs was given */
    size_t min, max;
    int npairs;             /* --pairs: of each level, fewer where --budget is short; 0: none */
    const char *patterns;   /* --patterns: "all", "none", or names */
    const char *operations; /* --operations: "usual", "none", or names */
    double tolerance[VALIDATE_NPARTS];
    double eps; /* wanted half width of a median's interval, relative */
    int parallel;
    double budget, time_limit; /* seconds; no limit: 0 */
    unsigned long long seed;
    const char *earlier[VALIDATE_MOST_LAUNCHES - 1]; /* results of earlier launches */
    int nearlier;
    int ignore_hosts, progress, quiet;
    int strict;    /* --strict: the verdict becomes the exit status */
    char *command; /* owned */
};

extern const struct tool_option validate_tool_options[];
extern const size_t validate_tool_noptions;

/* Read the command line; TOOL_DONE, or TOOL_USAGE after saying why. request->command is to be freed in either case. */
int validate_read_options(struct tool *tool, int argc, char **argv,
                          struct validate_request *request);

/* A model carried over to the ranks of a job. */
struct validate_place {
    struct hitop_model *origin; /* as it was read, owned */
    struct hitop_model
        *moved; /* for the ranks of the job, owned; NULL: they are those of the model */
    int *rank;  /* of each rank of the job, the one of the model that stands for it; owned */
    int nranks; /* of the job */
};

/*
 * Find the ranks of a job on the hosts of a model, which is taken over also on failure.
 *
 * hosts  of each rank; NULL: rank k is that of the model
 *
 * HITOP_ERR_NOTFOUND: they are not there; the message says which, and what the model knows.
 */
HITOP_MUST_CHECK enum hitop_status validate_place(struct hitop_model *model,
                                                  const char *const *hosts, int nranks,
                                                  struct validate_place *out,
                                                  struct hitop_diag *diag);
void validate_place_clear(struct validate_place *place);

/* The model of the ranks of the job. */
const struct hitop_model *validate_place_model(const struct validate_place *place);

/* The file's class of links that prices two ranks of the job. */
const struct hitop_class *validate_place_class(const struct validate_place *place, int i, int j);

enum { VALIDATE_NSIZES = 8 };

/* Sizes to measure, ascending, between the smallest and the largest that the model knows, or those that the user wants,
 * and different from those that the model tells; returns how many. */
int validate_sizes(const struct hitop_model *model, const struct validate_request *request,
                   size_t out[VALIDATE_NSIZES]);

/*
 * Pairs to measure, at most so many of each level: those that the model was not made from, and others only where a
 * group has none. is_known tells which is which. Both arrays are the caller's.
 */
HITOP_MUST_CHECK enum hitop_status validate_pairs_choose(const struct validate_place *place,
                                                         const struct validate_request *request,
                                                         struct hitop_link **links, int **is_known,
                                                         int *nlinks, struct hitop_diag *diag);

/* A pattern or a collective at one size. */
struct validate_case {
    enum validate_part part;
    int number;              /* alike for all sizes */
    char name[64];           /* "shift", "bcast/binomial" */
    size_t bytes;            /* of a message or a block */
    struct hitop_plan *plan; /* owned */
    double predicted;        /* seconds */
};

struct validate_cases {
    struct validate_case *at; /* owned */
    int n;
    char skipped[512]; /* what does not suit these ranks, and why; "" */
};

/*
 * Plan all patterns and collectives that are asked for, and predict them.
 *
 * HITOP_ERR_NOTFOUND: there is no such pattern, operation or algorithm; the message lists the valid ones. With model
 * NULL names are checked and nothing else is done.
 */
HITOP_MUST_CHECK enum hitop_status validate_cases_make(const struct validate_request *request,
                                                       const struct hitop_model *model,
                                                       const size_t *sizes, int nsizes,
                                                       struct validate_cases *out,
                                                       struct hitop_diag *diag);
void validate_cases_clear(struct validate_cases *cases);

/* The outcome, at the rank that writes. */
struct validate_report {
    const struct validate_request *request;
    const struct hitop_model *model; /* as it was read */
    const struct hitop_hierarchy *h; /* of the ranks of the job */
    int nranks, nhosts;              /* of the job */
    int after_barrier; /* 1: ranks came late to appointments, so that many times began after a barrier */
    int crowd[2]; /* ranks and processors of the machine with the fewest processors for a rank */
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
        *worst; /* of those that do not hold, or else of all; NULL when nothing was measured */
    char verdict[1536]; /* a sentence, and what to do */
};

/* Judge samples; the report borrows all that it is given. To be cleared also on failure. */
HITOP_MUST_CHECK enum hitop_status validate_report_make(struct validate_report *report,
                                                        struct hitop_diag *diag);
void validate_report_clear(struct validate_report *report);

/* 1: something was told of the model, and nothing against it. */
int validate_holds(const struct validate_report *report);

/* "pairs", "pattern" or "collective"; "holds", "does not hold", "too noisy" or "not measured". */
const char *validate_part_name(enum validate_part part);
const char *validate_state(const struct validate_row *row);

/* Write it. */
void validate_print_text(const struct validate_report *report, FILE *out);
void validate_print_csv(const struct validate_report *report, FILE *out);
HITOP_MUST_CHECK enum hitop_status validate_print_json(const struct validate_report *report,
                                                       FILE *out, struct hitop_diag *diag);

/* Times of earlier launches, from what validate_print_json() has written. */
struct validate_earlier;

/*
 * Read the files of the request. Those of other ranks, hosts or libraries than the report's are refused, and so are two of one date.
 *
 * HITOP_ERR_IO, HITOP_ERR_FORMAT: the message names file and place.
 */
HITOP_MUST_CHECK enum hitop_status validate_earlier_read(const struct validate_report *now,
                                                         struct validate_earlier **out,
                                                         struct hitop_diag *diag);
void validate_earlier_free(struct validate_earlier *earlier);

/* Add their times to samples of the same; HITOP_ERR_FORMAT: a file has none of them. */
HITOP_MUST_CHECK enum hitop_status validate_earlier_add(const struct validate_earlier *earlier,
                                                        struct validate_sample *samples, int n,
                                                        struct hitop_diag *diag);

/* Serve the request as a part of an MPI job, which all ranks call; the exit status. */
int validate_job(struct tool *tool, const struct validate_request *request);

#endif /* VALIDATE_H */
