/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef COLLECTIVE_TIME_IMPL_MPI_H
#define COLLECTIVE_TIME_IMPL_MPI_H

/* collective_time_impl_mpi.h - the parts of timing an operation. */

#include "models/clock/start_mpi.h"
#include "models/clock/timing_mpi.h"

/* Refuse options with the same words on all ranks, before the first message. */
enum hitop_status hitop_timing_check(const struct hitop_common_clock *clock, int root,
                                     const struct hitop_timing_options *options,
                                     struct hitop_diag *diag);

/* An operation under way. */
struct timing {
    const struct hitop_timed *operation;
    const struct hitop_timing_options *options;
    enum hitop_timing method;
    struct starter starter;
    double barrier;  /* to be subtracted */
    double deadline; /* at rank 0, by its clock */
};

/* One repetition; the same on all ranks but for own. */
struct repetition {
    double seconds; /* by the method */
    double own;     /* what the call took on this rank */
    int late;       /* 1: a rank was late; the repetition does not count */
    int is_over;    /* 1: the deadline is over, or a rank asks for the end */
};

/* Perform the operation once. Collective. */
enum hitop_status hitop_timing_repeat(struct timing *t, struct repetition *out,
                                      struct hitop_diag *diag);

/* Times of n barriers at the root, in order, without the first barrier. Collective. */
enum hitop_status hitop_timing_barriers(const struct timing *t, double *seconds, int n,
                                        struct hitop_diag *diag);

#endif /* COLLECTIVE_TIME_IMPL_MPI_H */
