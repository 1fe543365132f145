/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef TUNE_MEASURE_H
#define TUNE_MEASURE_H

/* tune_measure.h - what processes that measure share, and what each of them does. */

#include "tools/tune/tune.h"

#include <stdatomic.h>

/* Of which barriers go one way only, because the ways do not mix on a node. */
enum { TUNE_ALL, TUNE_LINES, TUNE_COUNTER, TUNE_NODES };

enum { TUNE_MOST_OPERATIONS = 500 }; /* of a block */

/* Shared; written by the first process between two barriers, but for the times. */
struct tune_board {
    struct hitop_thresholds row;
    unsigned changed;
    int operations;
    uint64_t start;               /* when all begin, */
    _Atomic unsigned long starts; /* which is known of so many operations */
    double seconds[];             /* of each operation and process */
};

struct tune_bench {
    const struct tune_request *request;
    struct hitop_node_layout layout;
    void *memory[TUNE_NODES]; /* of segments of that layout */
    struct hitop_arena *arena;
    struct tune_board *board;
    size_t board_bytes;
};

/* A process. */
struct tune_member {
    const struct tune_bench *b;
    struct hitop_node node[TUNE_NODES];
    struct tune_work work;
    int me;
    unsigned long starts;
};

/* How a process ends that found wrong contents; 0 when all is done, ENOMEM. */
enum { TUNE_WRONG_BYTES = 199 };

/* Go through all choices as process `me`; the status of its exit. */
int tune_take_part(const struct tune_bench *bench, int me);

#endif /* TUNE_MEASURE_H */
