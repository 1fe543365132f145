/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEASURE_IMPL_H
#define MEASURE_IMPL_H

/* measure_impl.h - the parts of a measurement. */

#include "hitop/estimate.h"
#include "hitop/measure.h"

/* Whether this process starts the exchanges of a link, or answers them. */
static inline int plays_first(const struct hitop_transport *t, const struct hitop_link *link)
{
    return t->rank == HITOP_EVERY_RANK || t->rank == link->rank[0];
}

static inline int plays_second(const struct hitop_transport *t, const struct hitop_link *link)
{
    return t->rank == link->rank[1];
}

static inline int plays_third(const struct hitop_transport *t, const struct hitop_link *link)
{
    return t->rank == link->third;
}

/*
 * Let the network settle at one size: connections, caches, first use of buffers. Ends when the
 * medians of two successive windows agree, or after limit seconds.
 *
 * round_trip receives the seconds of one round trip, > 0 unless the network takes no time at all.
 */
enum hitop_status warm_up(const struct hitop_transport *t, int from, int to, size_t bytes,
                          double limit, double *round_trip, struct hitop_diag *diag);

/* Measure all sizes of one link within about slice seconds; called by its first rank. */
enum hitop_status measure_link(const struct hitop_transport *t, const struct hitop_link *link,
                               const struct hitop_measure_options *options, double slice,
                               struct hitop_point *points, struct hitop_diag *diag);

/* Index of a point that fits neither the line of its lower nor that of its upper neighbours, at or
 * after first; n when there is none. */
int find_suspect(const struct hitop_point *points, int n, int first);

/*
 * How many of these links can be measured at once without changing the result. All processes call
 * it and get the same answer, 1..nlinks.
 */
enum hitop_status find_concurrency(const struct hitop_transport *t, const struct hitop_link *links,
                                   int nlinks, const struct hitop_measure_options *options,
                                   int *at_once, struct hitop_diag *diag);

/* The failure of any process becomes the failure of all; own is this process's status. */
enum hitop_status agree_on_status(const struct hitop_transport *t, enum hitop_status own,
                                  struct hitop_diag *diag);

#endif /* MEASURE_IMPL_H */
