/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_STATS_H
#define HITOP_STATS_H

/*
 * stats.h - statistics of a communicator's collectives, for users that set HITOP_STATS.
 *
 * Counters cost an increment and are always on. Arrivals are recorded on request only. Pure: no
 * MPI.
 */

#include "coll/runtime/compare.h"

#include <stdint.h>
#include <stdio.h>

/* Counters other than those of calls; the report has their sums over all ranks. */
enum hitop_counter {
    HITOP_COUNT_WAITS,       /* waits for other ranks of the node that outlast the spins */
    HITOP_COUNT_WAITS_ROOM,  /* of these, waits of a writer for free slots or ring space */
    HITOP_COUNT_ELECTIONS,   /* operations that this rank led as a dynamic leader */
    HITOP_COUNT_PUSH_HITS,   /* messages sent without an announcement to the rank that led */
    HITOP_COUNT_PUSH_MISSES, /* ... and to another rank of its node */
    HITOP_COUNTS
};

struct hitop_comm_stats {
    uint64_t served[HITOP_NOPERATIONS]; /* calls that Hitop served */
    uint64_t left[HITOP_NOPERATIONS];   /* calls that the MPI library served */
    uint64_t counts[HITOP_COUNTS];
    uint64_t pending_most; /* most pending announcements to this rank */
};

/*
 * The times of this rank's arrivals at the operations whose numbers are multiples of `stride`: at
 * all operations first, at every second, fourth ... once there are many. All ranks record the same
 * operations.
 */
enum { HITOP_ARRIVAL_TIMES = 2048 };

struct hitop_arrival_times {
    int n;
    uint64_t stride;
    uint64_t at[HITOP_ARRIVAL_TIMES]; /* ns of CLOCK_MONOTONIC */
};

void hitop_arrival_times_init(struct hitop_arrival_times *a);
void hitop_arrival_times_note(struct hitop_arrival_times *a, uint64_t seq, uint64_t now);

/*
 * Times from the first to the last arrival: bucket 0 is below 1 us, bucket b from 2^(b-1) us to 2^b
 * us, the last one has no upper bound.
 */
enum { HITOP_SKEWS = 24 };

int hitop_skew_bucket(uint64_t ns);

/* A report about a communicator. */
struct hitop_stats_report {
    const char *name;
    int nranks, nnodes; /* nnodes is 0 if two levels never served it */
    /* calls: of one rank; counts: sums over all ranks; pending_most: the maximum */
    struct hitop_comm_stats sum;
    /* operations on nodes, by the time from the first to the last arrival */
    uint64_t skew[HITOP_SKEWS];
    uint64_t stride;             /* skew has every stride-th operation */
    struct compare_log compared; /* comparisons with MPI; borrowed */
};

void hitop_stats_put_text(const struct hitop_stats_report *report, FILE *out);

/* One line. 0 on success. */
int hitop_stats_put_json(const struct hitop_stats_report *report, FILE *out);

#endif /* HITOP_STATS_H */
