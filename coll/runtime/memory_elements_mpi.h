/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MEMORY_ELEMENTS_MPI_H
#define MEMORY_ELEMENTS_MPI_H

/* memory_elements_mpi.h - the part of memory_open() that is for reductions. */

#include "coll/runtime/memory_mpi.h"

int memory_open_elements(struct memory *memory, const struct call *call,
                         const struct hitop_coll_args *args, int in_place, size_t work,
                         MPI_Comm wire);

#endif /* MEMORY_ELEMENTS_MPI_H */
