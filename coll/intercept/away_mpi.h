/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef AWAY_MPI_H
#define AWAY_MPI_H

/*
 * away_mpi.h - operations that the preloaded library leaves alone.
 *
 * HITOP_DISABLE of all processes, put together in MPI_Init(): a launcher may hand a variable on to some hosts
 * only. From then on a call of such an operation costs one look at this.
 */

#include "coll/runtime/disabled.h"

extern unsigned hitop_intercept_away; /* one bit for each operation */

static inline int intercept_is_away(enum hitop_operation_id operation)
{
    return (hitop_intercept_away >> operation & 1) != 0;
}

#endif /* AWAY_MPI_H */
