/* SPDX-License-Identifier: BSD-3-Clause */
/* exec_memory_mpi.c - elements of any datatype, copied within the limits of MPI's counts. */
#include <config.h>

#include "coll/runtime/exec_memory_mpi.h"

#include <string.h>

size_t exec_memory_piece(const struct exec_memory *m, size_t wanted)
{
    const size_t piece = wanted > 0 ? wanted : (size_t)1 << 30; /* counts are int */

    return piece > m->unit ? piece - piece % m->unit : m->unit;
}

int exec_memory_copy(const struct exec_memory *to, size_t offset, const void *from, size_t bytes,
                     MPI_Comm comm)
{
    const size_t most = exec_memory_piece(to, 0);
    char *at = exec_memory_at(to, offset);
    int me = 0, code;

    if (to->plain) {
        if (bytes > 0) {
            memmove(at, from, bytes);
        }
        return MPI_SUCCESS;
    }
    code = PMPI_Comm_rank(comm, &me);
    for (size_t done = 0; done < bytes && code == MPI_SUCCESS; done += most) {
        const MPI_Aint apart = (MPI_Aint)(done / to->unit) * to->extent;
        const int count = exec_memory_count(to, bytes - done < most ? bytes - done : most);
        code = PMPI_Sendrecv((const char *)from + apart, count, to->type, me, 0, at + apart, count,
                             to->type, me, 0, comm, MPI_STATUS_IGNORE);
    }
    return code;
}
