/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DISABLED_MPI_H
#define DISABLED_MPI_H

/*
 * disabled_mpi.h - operations that the preloaded library passes on.
 *
 * MPI_Init() combines HITOP_DISABLE of all processes, because a launcher may pass a variable to
 * some hosts only. Later calls read hitop_intercept_disabled.
 */

#include "coll/runtime/named.h"

extern unsigned hitop_intercept_disabled; /* bit i: enum hitop_operation_id i is disabled */

#endif /* DISABLED_MPI_H */
