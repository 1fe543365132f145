/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASURE_STATE_H
#define MEASURE_STATE_H

/* measure_state.h - the state of a measurement in one process. */

#include "models/journal/batches.h"
#include "models/measure/concurrency.h"
#include "models/measure/jobs.h"
#include "models/measure/measure_impl.h"

/* Links that are visited at the same time: first, first + step, ... below last. */
struct concurrent_batch {
    int first, last, step;
    struct size_range sizes;
    int unfinished;  /* 1: one of its links has unfinished jobs */
    double expected; /* seconds of the next visit; 0 before the first one */
};

/* Successive rounds of links that are alike; one test of interference serves all of them. */
struct phase {
    int first, last;                           /* the links of its first round */
    struct hitop_interference interference[2]; /* of latency sizes, and of bandwidth sizes */
};

struct measure_state {
    const struct hitop_transport *t;
    const struct hitop_measure_options *o;
    const struct hitop_link *links;
    int nlinks;
    struct link_jobs *of_link; /* [nlinks]; empty where another process leads */
    struct hitop_batches *fresh;
    gsl_rng *own, *common; /* random orders: of this process, and the same in all */
    struct hitop_progress progress;

    /* Which links and sizes are visited at the same time. */
    struct concurrent_batch *batch; /* [nbatches] */
    int nbatches;
    struct phase *phase; /* [nphases] */
    int nphases;
    size_t latency[2], bandwidth[2]; /* sizes that are compared; latency sizes end at latency[1] */
    double deadline;                 /* of the transport's clock; 0: none */
    double tests_end;                /* of the same clock; at this time tests end */
    int no_tests; /* 1: no more tests; links without a test are measured one by one */

    /* Seconds. */
    double warm_up_limit; /* for each job */
    double passes_end;    /* after which passes end */
    double longest;       /* of the longest round trip so far; agreed upon */
    double room;          /* that the present concurrent batch may take */
    /* elapsed is equal in all processes; kept is its value at the last transfer of samples */
    double start, elapsed, kept;
    double keeping; /* of the last transfer of samples to rank 0; agreed upon after the next step */

    int is_over, was_interrupted, has_changed;
    int nmissing; /* at rank 0: jobs without samples that are not optional, after the last pass */
    int left_out; /* concurrent batches of the last pass that were too long for the time limit */
};

static inline int is_triple(const struct hitop_measure_options *o)
{
    return o->experiments == HITOP_TRIPLE_SET;
}

static inline int batch_width(const struct concurrent_batch *b)
{
    return (b->last - b->first + b->step - 1) / b->step;
}

/* All processes call these functions. */

/*
 * Test which links can be measured at the same time, while there is time and no interruption, and
 * plan the concurrent batches of one pass over all links: the same plan in all processes.
 */
enum hitop_status hitop_timetable_plan(struct measure_state *c, struct hitop_diag *diag);

/*
 * Measure once more how much concurrent links slow each other, until the transport's clock reaches
 * `end`. Each phase keeps the larger one of its old and its new slowdown.
 */
enum hitop_status hitop_timetable_check(struct measure_state *c, double end,
                                        struct hitop_diag *diag);

/*
 * Visit all concurrent batches with unfinished jobs once, while there is time; order has room for
 * all of them.
 */
enum hitop_status hitop_measure_run_pass(struct measure_state *c, int *order,
                                         struct hitop_diag *diag);

/*
 * Add the samples of an earlier run, which rank 0 has, to the jobs. Links whose jobs are all
 * finished are reviewed, as after a visit.
 */
enum hitop_status hitop_adopt_known(struct measure_state *c, struct hitop_diag *diag);

/* Gather points and curves of all jobs with samples at rank 0. */
enum hitop_status hitop_measurement_collect(const struct measure_state *c,
                                            struct hitop_measurement *out, struct hitop_diag *diag);

/*
 * Whether a concurrent batch has unfinished jobs that this process leads; *expected receives the
 * seconds of the longest visit to one of its links. One process may call it alone.
 */
int hitop_measure_look_ahead(const struct measure_state *c, const struct concurrent_batch *b,
                             double *expected);

#endif /* MEASURE_STATE_H */
