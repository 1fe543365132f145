/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ARRIVAL_OPTIONS_H
#define ARRIVAL_OPTIONS_H

/* arrival_options.h - what the bench of late ranks is asked for. */

#include "bench/lists.h"
#include "bench/variant.h"
#include "models/clock/arrival.h"
#include "tools/common/tool.h"

enum { ARRIVAL_BLOCKS = 256, ROTATING = -1 };

struct arrival_settings {
    int ranks; /* of the job */
    const struct hitop_operation *operation;
    struct variant variants[VARIANTS_MAX];
    int nvariants;
    size_t sizes[LISTS_MAX];
    double intervals[LISTS_MAX];
    int is_pattern[PATTERN_COUNT];
    int nsizes, nintervals, calls, blocks, root, per_node, seed;
    int alone, compute, compare_clocks, csv; /* compute: -1: where every rank has a processor */
    const char *replay, *label;
    const struct coll_functions *functions;
};

/* To be made quiet on later ranks. */
extern struct tool arrival_tool;

/* s->ranks is set, the rest has its defaults. TOOL_DONE or TOOL_USAGE. */
int arrival_options_parse(struct arrival_settings *s, int argc, char **argv);

#endif /* ARRIVAL_OPTIONS_H */
