/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REFINE_H
#define REFINE_H

/* refine.h - groups of the hosts of a job, corrected by measuring between them. */

#include "hitop/hierarchy.h"

#include "tools/common/tool.h"

struct refine_request {
    int is_wanted;
    int is_strict; /* decisions that remained open become the exit status */
    double step;   /* latencies of different groups differ by this factor */
    double budget; /* seconds */
};

/* Append the options to a tool's own; returns how many there are now, at most max. */
size_t refine_options_add(struct tool_option *options, size_t n, size_t max);

/* Defaults. */
void refine_options_begin(struct refine_request *request);

/* Use the option that getopt found. 1 when it was one of these, with *status set; else 0. */
int refine_options_take(struct refine_request *request, const struct tool *tool, int letter,
                        const char *argument, int *status);

/*
 * Replace the groups above the hosts of *h by those that measurement finds. All ranks call it while MPI is
 * running, all but rank 0 with NULL; rank 0 with an empty *h when there will be nothing to measure.
 *
 * Returns at rank 0 TOOL_DONE, TOOL_UNTRUSTED when decisions remained open and the request is strict, or that of a failure with *h
 * untouched; elsewhere TOOL_DONE or TOOL_FAILED. Ends the job when communication fails.
 */
int refine_job(const struct tool *tool, const struct refine_request *request,
               struct hitop_hierarchy **h);

#endif /* REFINE_H */
