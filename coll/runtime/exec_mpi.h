/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXEC_MPI_H
#define EXEC_MPI_H

/* exec_mpi.h - run one rank's schedule over MPI. */

#include "coll/runtime/exec_memory_mpi.h"

#include "hitop/sched.h"

#include <mpi.h>

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
 * Run a schedule: per phase all receives are posted, the sends, copies and reductions follow one after
 * another, but for a few deliveries (hitop_sched_deliver()) at once, then all are waited for. Steps longer than a piece travel as several messages. At
 * most the receives of one phase are outstanding. A copy onto itself is nothing, as for MPI_IN_PLACE.
 *
 * Before the first message: HITOP_ERR_INVALID (no fence at the end), HITOP_ERR_NOMEM. HITOP_ERR_MPI
 * when a call failed, after which the communicator must not be used any more.
 */
HITOP_MUST_CHECK enum hitop_status exec_mpi_run(const struct exec_mpi *exec,
                                                const struct hitop_sched *sched,
                                                const struct exec_memory memory[HITOP_NBUFFERS],
                                                struct hitop_diag *diag);

#endif /* EXEC_MPI_H */
