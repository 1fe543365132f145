/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_DATA_MPI_H
#define BENCHMARK_DATA_MPI_H

/*
 * benchmark_data_mpi.h - the memory of a call: its place, its contents, and a check of the result.
 *
 * Of timed calls one element of each line of 64 bytes and the last element are written and checked,
 * which takes little time between calls. A call that is not timed can be written and checked whole.
 * The place depends on the cache policy:
 *
 *   CACHE_HOT   one place, rewritten before each call, because buffers that never change flatter
 *               transports that copy once. benchmark_data_become() draws another place, because
 *               pages map to different lines and slices of a cache.
 *   CACHE_SAME  one place, written once.
 *   others      calls walk through places that are written once.
 *
 * Operations that are measured in turns share the memory.
 */

#include "tools/benchmark/benchmark_kinds.h"
#include "tools/check/coll_functions_mpi.h"

#include <mpi.h>

/* Arguments of a call: the same on all ranks, except for rank, in and out. */
struct benchmark_call {
    const struct coll_functions *by;
    MPI_Comm comm;
    int rank, size, root;
    int count; /* elements of a message or block */
    MPI_Datatype type;
    const void *in;
    void *out;
    size_t block;               /* bytes of a message or block */
    const int *counts, *displs; /* [size], for operations such as MPI_Gatherv */
};

struct benchmark_data {
    const struct benchmark_kind *kind;
    const struct benchmark_type *type;
    enum benchmark_cache cache;
    int rank, size, check;
    uint64_t seed; /* of places */
    size_t region; /* bytes to walk through */
    unsigned char *pool;
    /* bytes of pool; offset of the first place; of `out` in a place; from place to place */
    size_t room, first, out_at, stride, nplaces;
    int moves;                  /* places drawn so far, with CACHE_HOT */
    int *counts, *displs;       /* [size], of kinds that have them */
    unsigned char *cooler;      /* with CACHE_COLD: memory to write before each call */
    struct benchmark_call call; /* of this turn, ready but for by and comm */
    size_t bytes;
    long turn;
    unsigned long long wrong;
};

/* Bytes that each of `ranks` ranks needs for messages or blocks of up to `longest` bytes. */
size_t benchmark_data_place(const struct benchmark_kind *kind, int ranks, size_t longest);

/*
 * Allocate memory for operations that need up to `place` bytes. Calls walk through twice the bytes
 * of the last-level cache, but at most through `memory` bytes. The caller has set rank, size,
 * cache, seed and check. HITOP_ERR_NOMEM.
 */
enum hitop_status benchmark_data_init(struct benchmark_data *data, size_t place, size_t last_level,
                                      size_t memory, struct hitop_diag *diag);
void benchmark_data_fini(struct benchmark_data *data);

/* Prepare for calls of this operation and size: `count` units of `unit` for MPI. */
void benchmark_data_become(struct benchmark_data *data, const struct benchmark_kind *kind,
                           const struct benchmark_type *type, size_t bytes, int count,
                           MPI_Datatype unit);

/* Before a call: its memory, in the state that the cache policy wants. */
void benchmark_data_prepare(struct benchmark_data *data, long turn, int root);

/* After a call: count wrong elements, and clear all, so that old ones do not pass a later check. */
void benchmark_data_look(struct benchmark_data *data);

/*
 * The same for calls that are not timed: all elements are written, and compared with the definition
 * of the operation. Neighbouring elements differ, so that misplaced ones are found. The memory is
 * in no state of a cache policy; benchmark_data_become() follows before calls are timed.
 */
void benchmark_data_lay_out(struct benchmark_data *data, const struct benchmark_kind *kind,
                            const struct benchmark_type *type, size_t bytes, int count,
                            MPI_Datatype unit);
void benchmark_data_prepare_whole(struct benchmark_data *data, long turn, int root);
void benchmark_data_compare(struct benchmark_data *data);

/* Elements of messages, which carry small numbers. */

struct benchmark_type {
    const char *name;
    size_t bytes;
    int has_sum; /* 1: has a sum, which is exact for any number of ranks */
    MPI_Datatype (*type)(void);
    void (*put)(void *element, long value);
    int (*is)(const void *element, long value);
};

/* By name; NULL is the usual type of a kind. HITOP_ERR_NOTFOUND: the message lists the names. */
enum hitop_status benchmark_type_find(const char *name, const struct benchmark_kind *kind,
                                      const struct benchmark_type **out, struct hitop_diag *diag);

#endif /* BENCHMARK_DATA_MPI_H */
