/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CALLS_MPI_H
#define CALLS_MPI_H

/* calls_mpi.h - the call of a kind, with MPI's arguments. */

#include "tools/benchmark/benchmark_kinds.h"
#include "tools/check/coll_functions_mpi.h"

/* Alike on all ranks but for rank, in and out. */
struct benchmark_call {
    const struct coll_functions *by;
    MPI_Comm comm;
    int rank, size, root;
    int count; /* elements of a message or block */
    MPI_Datatype type;
    const void *in;
    void *out;
    size_t block;               /* bytes of a message or block */
    const int *counts, *displs; /* [size] of the operations with a v */
};

/* Point-to-point kinds. */
int benchmark_pingpong(const struct benchmark_call *c);
int benchmark_pairs(const struct benchmark_call *c);
int benchmark_sendreceive(const struct benchmark_call *c);
int benchmark_exchange(const struct benchmark_call *c);

#endif /* CALLS_MPI_H */
