/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef REFINE_H
#define REFINE_H

/* refine.h - find groups of the hosts of a job by measuring latencies between hosts. */

#include "hitop/hierarchy.h"

#include "tools/common/tool.h"

struct refine_request {
    int is_wanted;
    int is_strict; /* 1: doubtful groups change the exit status */
    double step;   /* latencies that differ by this factor make groups */
    double budget; /* seconds for all measurements together */
};

/* Append the options to those of a tool; returns the new number, at most max. */
size_t refine_options_add(struct tool_option *options, size_t n, size_t max);

/* Set defaults. */
void refine_options_begin(struct refine_request *request);

/* Read an option from getopt. Returns 1 and sets *status if it is one of these options; else 0. */
int refine_options_take(struct refine_request *request, const struct tool *tool, int letter,
                        const char *argument, int *status);

/*
 * Replace the groups above the hosts of *h by those that measurement finds. Collective over
 * MPI_COMM_WORLD. h is NULL except at rank 0; there *h is NULL if no hierarchy could be made, and
 * nothing is measured.
 *
 * Returns at rank 0 TOOL_DONE; TOOL_UNTRUSTED if the request is strict and groups are in doubt,
 * because decisions remain open or many pairs do not fit; or the status of a failure with *h
 * unchanged. Returns at other ranks TOOL_DONE or TOOL_FAILED. A failure of communication ends the
 * job.
 */
int refine_job(const struct tool *tool, const struct refine_request *request,
               struct hitop_hierarchy **h);

#endif /* REFINE_H */
