/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_H
#define CHECK_H

/* check.h - what check_collective is asked for, and what it counts. */

#include "tools/check/check_types_mpi.h"
#include "tools/common/tool.h"

#include <stdint.h>

struct check_request {
    unsigned operations;            /* a set, as hitop_operation_list() reads it */
    const char *algorithms, *types; /* lists of names; NULL: all */
    size_t max_bytes;
    int has_max, has_seed; /* given */
    int all_roots;
    int random; /* calls; 0: none */
    int seed;
    int list, cpm;
};

/* Work under way; the numbers are those of all ranks. */
struct check_work {
    const struct tool *tool;
    const struct check_request *request;
    struct check_type types[CHECK_NTYPES];
    long ncalls, nwrong;
};

/* Every algorithm of every operation that is asked for. */
void check_all(struct check_work *work);

/* The operations of CPM, each over the trees of its model. */
void check_cpm(struct check_work *work);

/* Calls, communicators and algorithms as a generator of random numbers gives them. */
void check_random(struct check_work *work);

#endif /* CHECK_H */
