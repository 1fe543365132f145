/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_TYPES_MPI_H
#define BENCHMARK_TYPES_MPI_H

/* benchmark_types_mpi.h - elements of messages, which carry small numbers. */

#include "tools/benchmark/benchmark_kinds.h"

#include <mpi.h>

struct benchmark_type {
    const char *name;
    size_t bytes;
    int has_sum; /* and it stays exact for as many ranks as there may be */
    MPI_Datatype (*type)(void);
    void (*put)(void *element, long value);
    int (*is)(const void *element, long value);
};

/* By its name, or the usual one of a kind where that is NULL. HITOP_ERR_NOTFOUND: the message lists the names. */
enum hitop_status benchmark_type_find(const char *name, const struct benchmark_kind *kind,
                                      const struct benchmark_type **out, struct hitop_diag *diag);

#endif /* BENCHMARK_TYPES_MPI_H */
