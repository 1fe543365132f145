/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REFINE_H
#define REFINE_H

/* refine.h - find the groups of the hosts of a job by measuring between them. */

#include "hitop/hierarchy.h"

#include "tools/common/tool.h"

struct refine_request {
    int is_wanted;
    int is_strict; /* 1: open decisions change the exit status */
    double step;   /* latencies of different groups differ by this factor */
    double budget; /* seconds */
};

/* Append the options to those of a tool; returns the new number, at most max. */
size_t refine_options_add(struct tool_option *options, size_t n, size_t max);

/* Set defaults. */
void refine_options_begin(struct refine_request *request);

/* Read an option of getopt. Returns 1 and sets *status if it is one of these; else 0. */
int refine_options_take(struct refine_request *request, const struct tool *tool, int letter,
                        const char *argument, int *status);

/*
 * Replace the groups above the hosts of *h by those that measurement finds. All ranks call it while
 * MPI is running, all but rank 0 with NULL; rank 0 with an empty *h when there will be nothing to
 * measure.
 *
 * Returns at rank 0 TOOL_DONE, TOOL_UNTRUSTED if decisions remain open and the request is strict,
 * or the status of a failure with *h unchanged; at other ranks TOOL_DONE or TOOL_FAILED. Ends the
 * job when communication fails.
 */
int refine_job(const struct tool *tool, const struct refine_request *request,
               struct hitop_hierarchy **h);

#endif /* REFINE_H */
