/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_CALL_MPI_H
#define CHECK_CALL_MPI_H

/* check_call_mpi.h - one collective with contents that are known. */

#include "tools/check/check_types_mpi.h"
#include "tools/check/coll_functions_mpi.h"

/* Alike on all ranks; without a reduction, types may differ if their elements are the same. */
struct check_call {
    enum hitop_operation_id operation;
    const struct check_type *type;
    int root;
    size_t elements; /* of the message, or of the longest block */
    int in_place;
    int gaps;  /* blocks differ, and do not lie one behind the other; of v-operations only */
    int known; /* counts are passed on all ranks */
    int salt;  /* 0.. 60000: other contents */
    const struct coll_functions *functions; /* the implementation to call */
};

/* Bytes that are wrong on this rank, or an error, which counts as one. Collective. */
size_t check_call_run(const struct check_call *check, MPI_Comm comm);

/* "12 bytes wrong: 7 elements of int, root 3, in place" */
void check_call_describe(const struct check_call *check, size_t wrong, char *out, size_t length);

#endif /* CHECK_CALL_MPI_H */
