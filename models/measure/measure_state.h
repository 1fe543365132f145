/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASURE_STATE_H
#define MEASURE_STATE_H

/* measure_state.h - what one process knows of a measurement under way. */

#include "models/journal/batches.h"
#include "models/measure/link_jobs.h"
#include "models/measure/timetable.h"

/* The measurement as a whole, in one process. */
struct measure_state {
    const struct hitop_transport *t;
    const struct hitop_measure_options *o;
    const struct hitop_link *links;
    int nlinks;
    struct timetable table;
    struct link_jobs *of_link; /* [nlinks]; empty where another process leads */
    struct hitop_batches *fresh;
    gsl_rng *own, *common; /* random orders: of this process, and the same in all */
    struct hitop_progress progress;
    double warm_up_limit;        /* seconds for each job */
    double passes_end;           /* seconds after which passes end */
    double longest;              /* seconds of a round trip, of all so far; agreed upon */
    double room;                 /* seconds of them for the present concurrent batch */
    double start, elapsed, kept; /* elapsed, and when samples were handed on, are agreed upon */
    double keeping; /* seconds to send them on, agreed upon at the next concurrent batch */
    int is_over, was_interrupted, has_changed;
    int nmissing; /* jobs without samples that no result can do without, as of the last pass */
    int left_out; /* concurrent batches of the last pass that were too long for the time limit */
};

static inline int is_triple(const struct hitop_measure_options *o)
{
    return o->experiments == HITOP_TRIPLE_SET;
}

/* Whether the time is used up. The first pass is not for the budget to cut short, so that every
 * link has samples; what is left is for a last look at links that ran at once. */
static inline int measure_budget_is_used(const struct measure_state *c)
{
    return c->progress.block > 0 && c->elapsed >= c->passes_end;
}

/* Whether a concurrent batch has unfinished jobs that this process leads, and the time of their
 * visit. */
int hitop_measure_look_ahead(const struct measure_state *c, const struct concurrent_batch *w,
                             double *expected);

/* Visit all concurrent batches with unfinished jobs once, while there is time; order has room for
 * all of them. All processes call it. */
enum hitop_status hitop_measure_run_pass(struct measure_state *c, int *order,
                                         struct hitop_diag *diag);

/* All processes call it: known, at rank 0 if anywhere, becomes a part of the jobs. Links of which
 * all jobs have ended are reviewed, as after a visit. of_link holds nlinks sets of jobs, empty ones
 * for links that others lead. */
enum hitop_status hitop_adopt_known(const struct hitop_transport *t,
                                    const struct hitop_batches *known, struct link_jobs *of_link,
                                    int nlinks, struct hitop_diag *diag);

/* All processes call it: those jobs of this process's links that have samples become points and
 * curves at rank 0. of_link holds nlinks sets of jobs, empty ones for links that others lead. */
enum hitop_status hitop_measurement_collect(struct hitop_measurement *out,
                                            const struct hitop_transport *t,
                                            const struct link_jobs *of_link, int nlinks,
                                            struct hitop_diag *diag);

#endif /* MEASURE_STATE_H */
