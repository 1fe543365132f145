/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXEC_MPI_H
#define EXEC_MPI_H

/* exec_mpi.h - run one rank's schedule over MPI. */

#include "hitop/sched.h"

#include <mpi.h>
#include <stddef.h>

/* Where the messages of a schedule go. */
struct exec_mpi {
    MPI_Comm comm; /* its ranks are those of the schedule; must return errors (MPI_ERRORS_RETURN) */
    int tag;       /* no other message between these ranks may have it while the schedule runs */
    size_t piece;  /* longest message of one MPI call; 0 is 1 GiB. Alike on all ranks. */
    MPI_Op op;     /* of reductions; MPI_OP_NULL where there are none */
    int one_port;  /* 1: deliveries wait for each other, too, as the ports of a prediction do */
    int *code;     /* receives the error of the MPI call that failed; or NULL */
};

/*
 * A buffer of a schedule as MPI knows it: elements of `unit` packed bytes that lie `extent` apart.
 * Offsets and lengths of the schedule are multiples of the unit. All buffers of one schedule have
 * the same type, on all ranks.
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

/*
 * Copy elements of `bytes` packed bytes to a packed offset. MPI may send them to this rank on
 * `comm`, where nobody else does so. MPI_SUCCESS or an MPI error code.
 */
int hitop_exec_memory_copy(const struct exec_memory *to, size_t offset, const void *from,
                           size_t bytes, MPI_Comm comm);

/*
 * Run a schedule: per phase all receives are posted, the sends, copies and reductions follow one
 * after another, but for a few deliveries (hitop_sched_deliver()) at once, then all are waited for.
 * Steps longer than a piece travel as several messages. At most the receives of one phase are
 * outstanding. A copy onto itself is nothing, as for MPI_IN_PLACE.
 *
 * Before the first message: HITOP_ERR_INVALID (no fence at the end), HITOP_ERR_NOMEM. HITOP_ERR_MPI
 * when a call failed, after which the communicator must not be used any more.
 */
HITOP_MUST_CHECK enum hitop_status
hitop_exec_mpi_run(const struct exec_mpi *exec, const struct hitop_sched *sched,
                   const struct exec_memory memory[HITOP_NBUFFERS], struct hitop_diag *diag);

#endif /* EXEC_MPI_H */
