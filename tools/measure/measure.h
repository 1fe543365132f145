/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASURE_H
#define MEASURE_H

/* measure.h - the request to a measuring tool, and its run. */

#include "coll/predict/influence.h"
#include "models/campaign/forecast.h"
#include "tools/common/tool.h"

struct measure_request {
    const char *input;    /* -i; NULL where the hierarchy is flat */
    const char *output;   /* -o */
    const char *annotate; /* --annotate, or NULL */
    const char *points;   /* --points, or NULL */
    const char *simulate; /* --simulate, or NULL */
    const char *update;   /* --update, or NULL */
    const char *platform; /* --from-simgrid, or NULL */
    int ranks_per_host;   /* --ranks-per-host; 0: one per core, -1: not given */
    const char *journal;  /* --journal, or NULL */
    int resume, resume_anyway;
    int dry_run;
    double watchdog;        /* --watchdog in seconds; 0: none */
    double noise;           /* --noise */
    enum hitop_cache cache; /* --cache */
    struct hitop_campaign_range range;
    size_t *sizes; /* owned; lent to the campaign */
    struct hitop_campaign_request campaign;
    int is_flat; /* no hierarchy is read: all ranks below the root */
    int ignore_hosts;
    int progress, quiet;
    int strict;    /* --strict: exit with TOOL_UNTRUSTED if the result lacks something */
    char *command; /* owned; the command line */
};

/* The run of a request, in one process. */
struct measure_run {
    const struct tool *tool;
    struct measure_request *request;
    char name[64]; /* of the tool, with its version */
    struct hitop_campaign c;
    int nknown;                         /* batches of samples in the journal of an earlier run */
    int is_watched;                     /* 1: a watchdog is useful, because time passes */
    struct measure_influence influence; /* of links that are not settled */
};

/* The state of caches; NULL for a simulated network. */
static inline const char *measure_cache_name(const struct measure_request *request)
{
    return request->simulate ? NULL : hitop_cache_name(request->cache);
}

/* Whether tables are printed to standard output. */
static inline int measure_has_table(const struct measure_request *request)
{
    return !request->quiet && !(request->output[0] == '-' && request->output[1] == '\0');
}

/* The whole program: flat_model or hierarchical_model. Returns the exit status. */
int measure_main(struct tool *tool, int is_flat, int argc, char **argv);

/* Write a hierarchy with the parameters of its groups. */
enum hitop_status measure_annotate(const struct hitop_hierarchy *h, const struct hitop_model *model,
                                   FILE *to, struct hitop_diag *diag);

/* Check the options of --from-simgrid: TOOL_DONE, or TOOL_USAGE after a message. */
int measure_platform_check(const struct tool *tool, const struct measure_request *request);

/* Write the model of --from-simgrid. Returns the exit status. */
int measure_platform(const struct tool *tool, const struct measure_request *request);

/* Give the tool its options. */
void measure_options(struct tool *tool, int is_flat);

/* Read the command line: TOOL_DONE, or TOOL_USAGE after a message. Release in both cases. */
int measure_request_read(const struct tool *tool, int argc, char **argv, int is_flat,
                         struct measure_request *request);
void measure_request_release(struct measure_request *request);

/*
 * Check options that depend on each other, and choose the sizes. Returns TOOL_DONE, or TOOL_USAGE
 * after a message.
 */
int measure_request_check(const struct tool *tool, struct measure_request *r);

/* The hosts of the ranks of a hierarchy; for free(), NULL without memory. */
const char **measure_hosts_of(const struct hitop_hierarchy *h);

/*
 * Read or make the hierarchy, read the model of --update, and choose the links. hosts holds the
 * host of each of the nranks ranks; NULL: the hierarchy of a file need not fit a job. Returns
 * TOOL_DONE, or another exit status after a message.
 */
int measure_prepare(struct measure_run *run, const char *const *hosts, int nranks);

/* Print the plan and its seconds by the prices of an assumption. Returns the exit status. */
int measure_plan_print(struct measure_run *run, const struct hitop_assumption *a);

/*
 * Fit the model, write all files and the tables; mpi_library may be NULL. Returns the exit
 * status.
 */
int measure_report(struct measure_run *run, const char *transport, const char *mpi_library,
                   const char *date);

/*
 * Print tables: of the models that were tried, before the model is written; then of links,
 * capacities and pairs.
 */
void measure_trials_print(const struct measure_run *run);
void measure_tables_print(const struct measure_run *run);

/*
 * Have the campaign report to the terminal, and end at signals. Watch a transport at rank 0: if its
 * processes reach no agreement within the time of --watchdog, the process reports it and ends with
 * TOOL_FAILED. The next concurrent batch may take ten times its expected time.
 */
void measure_report_to_terminal(struct measure_run *run);
void measure_watch(struct measure_run *run, struct hitop_transport *transport);

#endif /* MEASURE_H */
