/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_TYPES_MPI_H
#define CHECK_TYPES_MPI_H

/* check_types_mpi.h - the elements that check_collective sends and combines. */

#include "coll/reference/coll_case.h"

#include <mpi.h>

/* Elements of a datatype, and an operation on them. */
struct check_type {
    const char *name;
    MPI_Datatype type;
    MPI_Op op;
    int ordered;                          /* 1: the operation does not commute */
    const struct case_elements *elements; /* packed */
    MPI_Aint extent;
};

enum { CHECK_NTYPES = 7 };

/* Make all types, and release them. */
void check_types_make(struct check_type types[CHECK_NTYPES]);
void check_types_free(struct check_type types[CHECK_NTYPES]);

/* The name of a type, also before MPI_Init(); NULL past the last one. */
const char *check_types_name(size_t index);

#endif /* CHECK_TYPES_MPI_H */
