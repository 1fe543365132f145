/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_CALL_MPI_H
#define CHECK_CALL_MPI_H

/* check_call_mpi.h - one collective with contents that are known. */

#include "check_types_mpi.h"

/* All of it alike on all ranks of the communicator. */
struct check_call {
    enum hitop_operation_id operation;
    const struct check_type *type;
    int root;
    size_t elements; /* of the message, or of the longest block */
    int in_place;
    int gaps;  /* blocks differ, and do not lie one behind the other; of v-operations only */
    int known; /* counts are passed on all ranks */
};

/* Bytes that are wrong on this rank, or an error, which counts as one. Collective. */
size_t check_call_run(const struct check_call *check, MPI_Comm comm);

#endif /* CHECK_CALL_MPI_H */
