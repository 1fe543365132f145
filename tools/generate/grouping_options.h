/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef GROUPING_OPTIONS_H
#define GROUPING_OPTIONS_H

/*
 * grouping_options.h - the options for grouping hosts. The options of sources that read files come
 * from the registry of sources.
 */

#include "hitop/source.h"

#include "tools/common/tool.h"

enum { GROUPING_MAX = 64 };

struct grouping_options {
    struct hitop_grouping how; /* warnings go to stderr */
    struct hitop_source_file file[GROUPING_MAX];
    const char *only[GROUPING_MAX];
    char *sources; /* memory of only[] */
    const struct tool *tool;
};

/* Append the options to those of a tool; returns the new number, at most max. */
size_t grouping_options_add(struct tool_option *options, size_t n, size_t max);

/* Set defaults. The tool must live as long as *g. */
void grouping_options_begin(struct grouping_options *g, const struct tool *tool);

/*
 * Read an option from getopt. Returns 1 and sets *status if it is an option for grouping; else 0.
 */
int grouping_options_take(struct grouping_options *g, int letter, char *argument, int *status);

void grouping_options_end(struct grouping_options *g);

#endif /* GROUPING_OPTIONS_H */
