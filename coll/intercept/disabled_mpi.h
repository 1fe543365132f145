/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DISABLED_MPI_H
#define DISABLED_MPI_H

/*
 * disabled_mpi.h - operations that the preloaded library passes on.
 *
 * MPI_Init() combines HITOP_DISABLE of all processes, because a launcher may pass a variable to
 * some hosts only. Later calls read this word.
 */

#include "coll/runtime/named.h"

extern unsigned hitop_intercept_disabled; /* 1u << enum hitop_operation_id */

#endif /* DISABLED_MPI_H */
