/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_CALL_MPI_H
#define CHECK_CALL_MPI_H

/* check_call_mpi.h - one collective on known contents. */

#include "tools/check/check_types_mpi.h"
#include "tools/check/coll_functions_mpi.h"

/* A call, the same on all ranks; without a reduction types may differ if their elements agree. */
struct check_call {
    enum hitop_operation_id operation;
    const struct check_type *type;
    int root;
    size_t elements; /* of the message, or of the longest block */
    int in_place;
    int gaps;  /* blocks differ, with gaps between them; v-operations only */
    int known; /* 1: all ranks pass the counts, not the root alone */
    int salt;  /* 0 to 60000; each value gives other contents */
    const struct coll_functions *functions; /* the implementation to call */
};

/* Run a call. Returns the wrong bytes on this rank; an error counts as one. Collective. */
size_t check_call_run(const struct check_call *check, MPI_Comm comm);

/* "12 bytes wrong: 7 elements of int, root 3, in place" */
void check_call_describe(const struct check_call *check, size_t wrong, char *out, size_t length);

#endif /* CHECK_CALL_MPI_H */
