/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_STATS_H
#define HITOP_STATS_H

/*
 * stats.h - what a communicator's collectives have done, for users who ask by HITOP_STATS.
 *
 * Counters cost an increment and are always there. Arrivals are recorded on request only. Pure: no
 * MPI.
 */

#include "coll/runtime/compare.h"

#include <stdint.h>
#include <stdio.h>

/* What is counted besides calls, to be summed over ranks. */
enum hitop_counter {
    HITOP_COUNT_WAITS,       /* for others of the node, longer than one spins */
    HITOP_COUNT_WAITS_ROOM,  /* of them, a writer's for slots or for the ring */
    HITOP_COUNT_ELECTIONS,   /* operations that this rank led by coming first */
    HITOP_COUNT_PUSH_HITS,   /* messages sent unasked to the process that did lead */
    HITOP_COUNT_PUSH_MISSES, /* ... and to another one of its node */
    HITOP_COUNTS
};

struct hitop_comm_stats {
    uint64_t served[HITOP_NOPERATIONS]; /* calls that Hitop served */
    uint64_t left[HITOP_NOPERATIONS];   /* calls that the MPI library served */
    uint64_t counts[HITOP_COUNTS];
    uint64_t owed_most; /* READYs still to come to this rank, at most */
};

/*
 * When this rank came to operations 1, 2, 3 ..., or to every second, fourth ... once they are many:
 * those that a multiple of `stride` numbers, the same on all ranks.
 */
enum { HITOP_ARRIVALS = 2048 };

struct hitop_arrivals {
    int n;
    uint64_t stride;
    uint64_t at[HITOP_ARRIVALS]; /* ns of CLOCK_MONOTONIC */
};

void hitop_arrivals_init(struct hitop_arrivals *a);
void hitop_arrivals_note(struct hitop_arrivals *a, uint64_t seq, uint64_t now);

/*
 * Differences of arrival: bucket 0 is below 1 us, bucket b from 2^(b-1) us to 2^b us, the last one
 * all beyond.
 */
enum { HITOP_SKEWS = 24 };

int hitop_skew_bucket(uint64_t ns);

/* All that is told of a communicator. */
struct hitop_stats_report {
    const char *name;
    int nranks, nnodes;          /* no nodes: it was never served */
    struct hitop_comm_stats sum; /* of all ranks; calls of one, the most owed to any */
    uint64_t skew
        [HITOP_SKEWS]; /* operations on nodes, by the time between the first and the last arrival */
    uint64_t stride;   /* every how many-th operation is in it */
    struct compare_log compared; /* with MPI; borrowed */
};

/* Of a comparison with MPI: the root is on a node, or is a rank; or the operation has none. */
enum hitop_stats_root { HITOP_STATS_NO_ROOT, HITOP_STATS_NODE, HITOP_STATS_RANK };

enum hitop_stats_root hitop_stats_root(const struct compare_result *result);

void hitop_stats_put_text(const struct hitop_stats_report *report, FILE *out);

/* One line. 0 on success. */
int hitop_stats_put_json(const struct hitop_stats_report *report, FILE *out);

#endif /* HITOP_STATS_H */
