/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ARRIVAL_OPTIONS_H
#define ARRIVAL_OPTIONS_H

/* arrival_options.h - what the bench of late ranks is asked for. */

#include "lists.h"
#include "pattern.h"
#include "variant.h"

enum { ARRIVAL_BLOCKS = 256, ROTATING = -1 };

struct arrival_settings {
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

/* 0 to go on, 1 after --help, 2 after a wrong option, which rank 0 tells. */
int arrival_options_parse(struct arrival_settings *s, int argc, char **argv, int rank, int size);

#endif /* ARRIVAL_OPTIONS_H */
