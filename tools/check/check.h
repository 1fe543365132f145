/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_H
#define CHECK_H

/* check.h - the request of check_collective, and its counts. */

#include "tools/check/check_types_mpi.h"
#include "tools/check/library_mpi.h"
#include "tools/common/tool.h"

#include <stdint.h>

/* An operation with an algorithm, and CPM's model of the tree; NULL: that of the communicator. */
struct check_named {
    enum hitop_operation_id operation;
    const char *algorithm, *model;
};

enum { CHECK_NAMED = 64 };

struct check_request {
    unsigned operations;                   /* bit i: operation i of hitop_operations() */
    struct check_named named[CHECK_NAMED]; /* each by its algorithm only */
    int nnamed;
    char *algorithms;  /* owned list of names; NULL: all */
    const char *types; /* likewise */
    size_t max_bytes;
    int has_max, has_seed; /* 1: given */
    int all_roots;
    int random; /* calls; 0: none */
    int seed;
    int list, cpm;
    struct library_request library;
};

/* The state of a run. nwrong: the largest number of wrong calls on any rank. */
struct check_work {
    const struct tool *tool;
    const struct check_request *request;
    unsigned operations;                    /* those of the request that can be called */
    const struct coll_functions *functions; /* to call */
    const struct library *library;          /* to which they belong; NULL: Hitop's own */
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
