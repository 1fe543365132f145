/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RUN_H
#define RUN_H

/* run.h - long measurements: what is kept, when they end, who watches. */

#include "models/journal/finding.h"
#include "tools/common/tool.h"

#include "hitop/measure.h"

struct measure_request;
struct measure_result;
struct measure_part;

/* What the user asked for. */
struct measure_run_request {
    const char *journal; /* --journal, or NULL */
    int resume;          /* --resume, or --resume-anyway */
    int resume_anyway;   /* --resume-anyway */
    int dry_run;         /* --dry-run */
    double time_limit;   /* --time-limit in seconds; 0: none */
    double watchdog;     /* --watchdog in seconds; 0: none */
};

/* Its options, in the table of the tool. */
enum {
    O_JOURNAL = 300,
    O_RESUME,
    O_RESUME_ANYWAY,
    O_TIME_LIMIT,
    O_WATCHDOG,
    O_DRY_RUN,
};

/* Defaults; the value of one option, HITOP_ERR_NOTFOUND when it is none of these; and what no single
 * option can tell: TOOL_DONE, or TOOL_USAGE after saying why. */
void measure_run_defaults(struct measure_run_request *run);
enum hitop_status measure_run_option(int c, const char *text, struct measure_run_request *run,
                                     struct hitop_diag *diag);
int measure_run_check(const struct tool *tool, const struct measure_run_request *run);

/* The measurement under way. */
struct measure_run {
    const struct tool *tool;
    const struct measure_request *request;
    struct measure_journal *journal; /* at the rank that writes; NULL without one */
    int is_watched;                  /* time passes, so that a watchdog makes sense */
    int has_begun, was_interrupted;
    int is_unverified;     /* pairs that should have verified the model lack samples */
    double start, elapsed; /* of the transport's clock */
    double seconds;        /* that everything took, once it is over */
    int nleft_out; /* experiments at a size without samples, as time was short; of njobs and these */
    int nunsettled, njobs; /* medians, of all parts so far, at the rank that writes */
    char doubts[1024];     /* what the result lacks, for one line; "" */
};

void measure_run_init(struct measure_run *run, const struct tool *tool,
                      const struct measure_request *request);

/*
 * Measure a part within what is left of the time limit, keep its samples in the journal, use those that are
 * known, let signals end it, show progress and have it watched. After the end of an interrupted part others
 * are left out. All ranks call it.
 */
enum hitop_status measure_run_part(const struct hitop_transport *transport, struct measure_run *run,
                                   struct measure_part *part, struct hitop_diag *diag);

/* Seconds of the budget that a phase may take which begins now, after measure_run_agree(): checks, links, triples, crowds,
 * capacities, thresholds, pairs, refined or fans. */
double measure_run_share(const struct measure_run *run, const char *phase);

/* Agree on whether the run was interrupted, by a signal or the time limit. All ranks call it. */
enum hitop_status measure_run_agree(const struct hitop_transport *transport,
                                    struct measure_run *run, struct hitop_diag *diag);

/*
 * The eager limits of a part that was measured, until the run is interrupted. All ranks call it. How long a
 * round of links takes; the doubt where limits are missing; and one of them for people.
 */
enum hitop_status measure_eager_find(const struct hitop_transport *transport,
                                     struct measure_run *run, struct measure_part *part,
                                     struct hitop_diag *diag);
double measure_eager_seconds(double round_trip);
void measure_eager_doubt(struct measure_run *run, const struct measure_part *part);
void measure_eager_text(const struct hitop_eager *eager, char *out, size_t length);

/* Whether a signal asks this rank to end; for the option of that name. */
int measure_run_interrupted(void *data);

/* The failure of any rank becomes that of all; own is this rank's outcome. */
enum hitop_status measure_agree(const struct hitop_transport *transport, enum hitop_status own,
                                struct hitop_diag *diag);

/* 1 when links and triples have samples of all sizes, so that a model can be fitted; else 0 after saying why. Pairs
 * that lack samples are left out. */
int measure_run_is_complete(struct measure_result *result);

/* Everything is measured. */
void measure_run_end(const struct hitop_transport *transport, struct measure_run *run);

/* Add what the result lacks to the line that measure_run_conclude() writes to standard error; the exit status is then
 * that of --strict, if it was given. */
void measure_run_doubt(struct measure_run *run, const char *fmt, ...) HITOP_PRINTF(2, 3);
int measure_run_conclude(const struct measure_run *run);

/* Whether the measurement ended early and medians are unsettled; the same as a doubt; 1 then. */
int measure_run_is_early(const struct measure_run *run);
int measure_run_ended_early(struct measure_run *run);

/*
 * Begin or resume the journal that the request names. mpi names the library, hosts the host of each rank.
 * Either returns TOOL_DONE, or another exit status after saying why; without --journal nothing happens.
 */
int measure_journal_open(struct measure_run *run, const struct measure_result *result,
                         const char *const *hosts, int nranks, const char *mpi);
int measure_journal_close(struct measure_run *run);

/* Have a part keep its samples, on all ranks, and know those of earlier runs. */
void measure_journal_join(const struct measure_run *run, struct hitop_measure_options *options);

/* Findings of earlier runs, at the rank that writes; and one more, a run being data. Without a journal there are
 * none, and nothing happens. */
const struct hitop_finding *measure_journal_findings(const struct measure_run *run, int *n);
enum hitop_status measure_journal_find(void *data, const struct hitop_finding *finding,
                                       struct hitop_diag *diag);

/* Batches of earlier runs. */
int measure_journal_nknown(const struct measure_run *run);

/*
 * Watch a transport at rank 0: when its processes come to no agreement for patience seconds, the process says
 * so and ends with TOOL_FAILED. Only one at a time. The wave that is about to run may take ten times as long as
 * expected.
 */
void measure_watch_begin(const struct measure_run *run, const struct measure_part *part,
                         struct hitop_transport *transport);
void measure_watch_wave(const struct hitop_progress *progress);
void measure_watch_end(void);

/* A line on standard error about a phase, now and then, unless the request is quiet; on a terminal it replaces the one before, and
 * end() removes it. */
void measure_progress_show(const struct measure_run *run, const struct hitop_progress *progress);
void measure_progress_end(void);

/* Print what would be measured, and how long it would take, without a job; the exit status. */
int measure_plan(const struct tool *tool, struct measure_request *request);

#endif /* RUN_H */
