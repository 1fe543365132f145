/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DISABLED_MPI_H
#define DISABLED_MPI_H

/*
 * disabled_mpi.h - operations that the preloaded library leaves alone.
 *
 * HITOP_DISABLE of all processes, put together in MPI_Init(): a launcher may hand a variable on to
 * some hosts only. From then on a call of such an operation costs one look at this.
 */

#include "coll/runtime/named.h"

extern unsigned hitop_intercept_disabled; /* 1u << enum hitop_operation_id */

#endif /* DISABLED_MPI_H */
