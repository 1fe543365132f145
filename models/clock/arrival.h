/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef ARRIVAL_H
#define ARRIVAL_H

/* arrival.h - how late each rank arrives at a call: patterns, or times from a file. */

#include "hitop/status.h"

#include <stdint.h>

enum pattern {
    PATTERN_UNIFORM,     /* a random delay of 0 .. K for each rank */
    PATTERN_LATE_RANK,   /* a random rank is K late */
    PATTERN_LATE_NODE,   /* all ranks of a random node other than that of the root */
    PATTERN_LATE_LEADER, /* the first rank of each node other than that of the root */
    PATTERN_LATE_ROOT,
    PATTERN_EARLY_ROOT, /* all ranks except the root are K late */
    PATTERN_SORTED,     /* delays of 0 .. K that grow evenly with the rank */
    PATTERN_REPLAY,     /* delays from a file */
    PATTERN_COUNT,
};

extern const char *const hitop_pattern_names[PATTERN_COUNT];

/* Arrival times from a file: a line for each call, a number of microseconds for each rank. */
struct replay {
    double *seconds; /* [calls][ranks] */
    int calls, ranks;
};

/*
 * Read arrival times. Empty lines and text after # are skipped.
 * HITOP_ERR_IO, HITOP_ERR_FORMAT: the message names file, line and error; `out` is empty.
 */
enum hitop_status hitop_replay_read(const char *path, int ranks, struct replay *out,
                                    struct hitop_diag *diag);
void hitop_replay_free(struct replay *replay);

/* The pattern that the user asks for and the nodes of the ranks; alike on all ranks. */
struct pattern_setting {
    enum pattern pattern;
    double interval; /* K, seconds */
    uint64_t seed;
    int ranks, nodes;
    const int *node_of;  /* [ranks] 0 .. nodes - 1 */
    const int *first_of; /* [nodes] its first rank */
    const struct replay *replay;
};

/* Seconds that a rank is late in a call with this root; the same in each call of the function. */
double hitop_pattern_delay(const struct pattern_setting *s, int call, int rank, int root);

/* A hash of a seed, a call and a rank (-1: all ranks): 0 .. 2^64 - 1. */
uint64_t hitop_pattern_drawn(uint64_t seed, int call, int about);

#endif /* ARRIVAL_H */
