/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef BENCHMARK_DATA_MPI_H
#define BENCHMARK_DATA_MPI_H

/*
 * benchmark_data_mpi.h - the memory of a call: where it is, what is in it, and whether the right things came.
 *
 * One element of each line of 64 bytes and the last one are written and looked at. Hot: one place, rewritten before
 * each call, because buffers that never change flatter transports that copy once. Otherwise calls walk through places
 * that are written once.
 */

#include "benchmark_kinds_mpi.h"
#include "benchmark_types_mpi.h"
#include "hitop/payload.h"

struct benchmark_data {
    const struct benchmark_kind *kind;
    const struct benchmark_type *type;
    enum hitop_cache cache;
    int rank, size, check;
    size_t region; /* bytes to walk through */
    unsigned char *pool;
    size_t capacity, out_at, stride, nplaces;
    int *counts, *displs; /* [size], of kinds that have them */
    unsigned char *cooler;
    struct benchmark_call call; /* of this turn, ready but for by and comm */
    size_t bytes;
    long turn;
    unsigned long long wrong;
};

/*
 * Room for messages or blocks of up to `longest` bytes; `last_level` is the size of the cache to be walked past, at most
 * `memory` bytes of a rank. HITOP_ERR_NOMEM.
 */
enum hitop_status benchmark_data_init(struct benchmark_data *data, size_t longest,
                                      size_t last_level, size_t memory, struct hitop_diag *diag);
void benchmark_data_fini(struct benchmark_data *data);

/* From now on messages are of this size, told to MPI as `count` elements of `type`. */
void benchmark_data_resize(struct benchmark_data *data, size_t bytes, int count, MPI_Datatype type);

/* Before a call: its memory, in the state that the cache policy wants. */
void benchmark_data_prepare(struct benchmark_data *data, long turn, int root);

/* After it: count what is wrong, and wipe it, so that it cannot be right by chance the next time. */
void benchmark_data_look(struct benchmark_data *data);

#endif /* BENCHMARK_DATA_MPI_H */
