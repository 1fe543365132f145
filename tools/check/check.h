/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_H
#define CHECK_H

/* check.h - the request of check_collective, and its counts. */

#include "tools/check/check_types_mpi.h"
#include "tools/common/tool.h"

#include <stdint.h>

struct check_request {
    unsigned operations;            /* a set, as hitop_operation_list() reads it */
    const char *algorithms, *types; /* lists of names; NULL: all */
    size_t max_bytes;
    int has_max, has_seed; /* 1: given */
    int all_roots;
    int random; /* calls; 0: none */
    int seed;
    int list, cpm;
};

/* The state of a run. nwrong: the largest number of wrong calls on any rank. */
struct check_work {
    const struct tool *tool;
    const struct check_request *request;
    struct check_type types[CHECK_NTYPES];
    long ncalls, nwrong;
};

/* Check every requested algorithm of every requested operation. */
void check_all(struct check_work *work);

/* Check the operations of CPM (see check_cpm.h), each over the trees of its model. */
void check_cpm(struct check_work *work);

/* Check random calls by random algorithms on random communicators. */
void check_random(struct check_work *work);

#endif /* CHECK_H */
