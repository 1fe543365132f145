/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXEC_MEMORY_MPI_H
#define EXEC_MEMORY_MPI_H

/* exec_memory_mpi.h - a buffer of a schedule as MPI knows it. */

#include <mpi.h>
#include <stddef.h>

/*
 * Elements of `unit` packed bytes that lie `extent` apart. Offsets and lengths of the schedule are multiples of the
 * unit. All buffers of one schedule have the same type, on all ranks.
 */
struct exec_memory {
    void *base; /* of the first element */
    MPI_Datatype type;
    size_t unit;
    MPI_Aint extent;
    int plain; /* 1: the elements are nothing but their bytes, one after another */
};

/* Plain bytes. */
static inline struct exec_memory exec_bytes(void *base)
{
    return (struct exec_memory){.base = base, .type = MPI_BYTE, .unit = 1, .extent = 1, .plain = 1};
}

/* Where the element of a packed offset is. */
static inline void *exec_memory_at(const struct exec_memory *m, size_t offset)
{
    return (char *)m->base + (MPI_Aint)(offset / m->unit) * m->extent;
}

/* Elements of so many packed bytes, which fit into one piece. */
static inline int exec_memory_count(const struct exec_memory *m, size_t bytes)
{
    return (int)(bytes / m->unit);
}

/* As much as one call of MPI may carry: whole elements, one at least, of about `wanted` bytes; 0 is 1 GiB. */
size_t exec_memory_piece(const struct exec_memory *m, size_t wanted);

/*
 * Copy elements of `bytes` packed bytes to a packed offset. MPI may send them to this rank on `comm`, where nobody
 * else does so. MPI_SUCCESS or an MPI error code.
 */
int exec_memory_copy(const struct exec_memory *to, size_t offset, const void *from, size_t bytes,
                     MPI_Comm comm);

#endif /* EXEC_MEMORY_MPI_H */
