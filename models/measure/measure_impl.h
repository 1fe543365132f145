/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASURE_IMPL_H
#define MEASURE_IMPL_H

/* measure_impl.h - the parts of a measurement. */

#include "models/fit/estimate.h"

#include "hitop/measure.h"

/* Repetitions in a sample: as many as the clock needs, if the transport allows it. */
static inline int batch_of(const struct hitop_transport *t, double round_trip)
{
    const int batch = hitop_batch_size(t->clock_step, round_trip);

    return t->max_batch > 0 && batch > t->max_batch ? t->max_batch : batch;
}

/* Whether this process starts the exchanges of a link. */
static inline int plays_first(const struct hitop_transport *t, const struct hitop_link *link)
{
    return t->rank == HITOP_EVERY_RANK || t->rank == link->rank[0];
}

/*
 * Let the network settle at one size: connections, caches, first use of buffers. Ends when the
 * medians of two successive windows agree, or after limit seconds.
 *
 * round_trip receives the seconds of one round trip, > 0 unless the network takes no time at all.
 */
enum hitop_status hitop_warm_up(const struct hitop_transport *t, int from, int to, size_t bytes,
                                double limit, double *round_trip, struct hitop_diag *diag);

/*
 * Warm up, and take as many samples of an experiment on a link as fit into limit seconds: at least
 * `least`, at most `most`. The link's first rank calls it.
 */
enum hitop_status hitop_sample_for(const struct hitop_transport *t, const struct hitop_link *link,
                                   enum hitop_experiment what, size_t bytes, double limit,
                                   int least, int most, double *sample, int *n,
                                   struct hitop_diag *diag);

/*
 * Measure all sizes of one link within about slice seconds, independently of other links; called by
 * its first rank. points: one for each experiment and size.
 */
enum hitop_status hitop_measure_link(const struct hitop_transport *t, const struct hitop_link *link,
                                     const struct hitop_measure_options *options, double slice,
                                     struct hitop_point *points, struct hitop_diag *diag);

/*
 * The index of the next point, from first on, that is off the lines through its lower and its upper
 * neighbours; n: there is none.
 */
int hitop_find_suspect(const struct hitop_point *points, int n, int first);

/*
 * End a visit to a link. The first rank releases the other ranks, which answer its messages until
 * then; led is the status of its visit. The third rank takes part in triples only.
 */
enum hitop_status hitop_link_end(const struct hitop_transport *t, const struct hitop_link *link,
                                 int is_triple, enum hitop_status led, struct hitop_diag *diag);

/*
 * Agree on a status and on n values. If any process has failed, all fail; own is the status of this
 * process. Else each value becomes its maximum over all processes. value[0] is reserved for the
 * failure.
 */
enum hitop_status hitop_agree_on_values(const struct hitop_transport *t, enum hitop_status own,
                                        double *value, int n, struct hitop_diag *diag);

/* Agree on a status and on *end, which becomes 1 if it is 1 in any process. */
enum hitop_status hitop_agree_on_end(const struct hitop_transport *t, enum hitop_status own,
                                     int *end, struct hitop_diag *diag);

static inline int is_interrupted(const struct hitop_measure_options *o)
{
    return o->interrupted && o->interrupted(o->interrupted_data);
}

/* Seconds that a measurement has: its budget or its time limit. */
static inline double time_to_plan(const struct hitop_measure_options *o)
{
    return o->time_limit > 0 && o->time_limit < o->budget ? o->time_limit : o->budget;
}

/* The number of jobs of one link: one for each experiment and size. */
static inline int count_jobs(const struct hitop_measure_options *o)
{
    int n = 0;

    for (int e = 0; e < HITOP_NEXPERIMENTS; e++) {
        n += hitop_measure_nsizes(o, (enum hitop_experiment)e);
    }
    return n;
}

/* Agree on a status: if any process has failed, all fail. */
enum hitop_status hitop_agree_on_status(const struct hitop_transport *t, enum hitop_status own,
                                        struct hitop_diag *diag);

/*
 * All processes get the array of rank 0, n elements of the given size; `at` is the address of the
 * pointer to it. Other processes free their old array, and own the new one.
 */
enum hitop_status hitop_share_array(const struct hitop_transport *t, void *at, int *n, size_t size,
                                    struct hitop_diag *diag);

#endif /* MEASURE_IMPL_H */
