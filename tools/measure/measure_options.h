/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASURE_OPTIONS_H
#define MEASURE_OPTIONS_H

/* measure_options.h - options of the measuring tools that have no letter, and what they decide together. */

#include "tools/measure/measure.h"

enum {
    O_ANNOTATE = 256,
    O_POINTS,
    O_BUDGET,
    O_SEED,
    O_SIMULATE,
    O_NOISE,
    O_IGNORE_HOSTS,
    O_PROGRESS,
    O_LINKS,
    O_SAMPLE,
    O_EXACT_THRESHOLDS,
    O_VERIFY,
    O_REFINE,
    O_TOLERANCE,
    O_UPDATE,
    O_SCATTER_GATHER,
    O_TRIPLES,
    O_FIT,
    O_CACHE,
    O_CAPACITIES,
    O_STRICT,
    O_NO_CAPACITIES
};

/* What the sizes are made from. */
struct range {
    size_t min, max, stride;
    int has_stride, max_num;
    int asking; /* the last of the options about sizes that are asked for, which go with -S 0; 0: none */
};

/* What no single option can tell: TOOL_DONE, or TOOL_USAGE after saying why. */
int measure_request_check(const struct tool *tool, struct measure_request *r,
                          const struct range *range);

/* All sizes, or those from which others are found. */
enum hitop_status measure_choose_sizes(struct measure_request *r, const struct range *range,
                                       struct hitop_diag *diag);

/* What the model is fitted to; all models are fitted to what any of them needs. */
enum hitop_status measure_choose_experiments(struct measure_request *r, struct hitop_diag *diag);

/* How many triples, as --triples says; whether the model needs any, TOOL_DONE, or TOOL_USAGE after saying why
 * not. */
enum hitop_status measure_read_triples(const char *text, struct measure_request *r,
                                       struct hitop_diag *diag);
int measure_check_triples(const struct tool *tool, const struct measure_request *r);

/* The largest size that most libraries send without asking first, which is what processors do by
 * themselves. */
size_t measure_middling_size(const struct measure_request *r);

#endif /* MEASURE_OPTIONS_H */
