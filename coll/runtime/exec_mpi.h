/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXEC_MPI_H
#define EXEC_MPI_H

/* exec_mpi.h - run one rank's schedule over MPI. */

#include "hitop/sched.h"

#include <mpi.h>
#include <stddef.h>

/* The communicator and options of a schedule. */
struct exec_mpi {
    MPI_Comm comm; /* its ranks are those of the schedule; must return errors (MPI_ERRORS_RETURN) */
    int tag;       /* no other message among these ranks may have it while the schedule runs */
    /* bytes of the longest message of one MPI call; 0 means 1 GiB. The same on all ranks. */
    size_t piece;
    MPI_Op op;    /* for reductions; MPI_OP_NULL where there are none */
    int one_port; /* 1: deliveries are sent one after another, too, as the prediction assumes */
    int *code;    /* set to the error of the MPI call that failed; or NULL */
};

/*
 * A buffer of a schedule in MPI's terms: elements of `unit` packed bytes each, `extent` bytes
 * apart. Offsets and lengths of the schedule are multiples of the unit. All buffers of one schedule
 * have the same type, on all ranks.
 */
struct exec_memory {
    void *base; /* address of the first element */
    MPI_Datatype type;
    size_t unit;
    MPI_Aint extent;
    int plain; /* 1: the elements are plain bytes without gaps */
};

/* Plain bytes. */
static inline struct exec_memory exec_bytes(void *base)
{
    return (struct exec_memory){.base = base, .type = MPI_BYTE, .unit = 1, .extent = 1, .plain = 1};
}

/* The address of the element at a packed offset. */
static inline void *exec_memory_at(const struct exec_memory *m, size_t offset)
{
    return (char *)m->base + (MPI_Aint)(offset / m->unit) * m->extent;
}

/* Number of elements in `bytes` packed bytes, at most one piece. */
static inline int exec_memory_count(const struct exec_memory *m, size_t bytes)
{
    return (int)(bytes / m->unit);
}

/*
 * Copy elements of `bytes` packed bytes to a packed offset. MPI may send them to this rank on
 * `comm`, which no other thread may use meanwhile. MPI_SUCCESS or an MPI error code.
 */
int hitop_exec_memory_copy(const struct exec_memory *to, size_t offset, const void *from,
                           size_t bytes, MPI_Comm comm);

/*
 * Run a schedule. In each phase post all receives; run the sends, copies and reductions one after
 * another, except that a few deliveries (hitop_sched_deliver()) run concurrently; then wait for
 * all. A step longer than a piece is sent as several messages. At most the receives of one phase
 * are pending. A copy onto itself does nothing, as for MPI_IN_PLACE.
 *
 * Errors before the first message: that of an incomplete schedule, HITOP_ERR_INVALID (no fence at
 * the end), HITOP_ERR_NOMEM. HITOP_ERR_MPI when an MPI call failed; the communicator must not be
 * used afterwards.
 */
HITOP_MUST_CHECK enum hitop_status
hitop_exec_mpi_run(const struct exec_mpi *exec, const struct hitop_sched *sched,
                   const struct exec_memory memory[HITOP_NBUFFERS], struct hitop_diag *diag);

#endif /* EXEC_MPI_H */
