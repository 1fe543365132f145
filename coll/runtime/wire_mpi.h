/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WIRE_MPI_H
#define WIRE_MPI_H

/*
 * wire_mpi.h - private communicators, whose messages match none of the user's, and how their ranks
 * handle failures.
 */

#include "hitop/status.h"

#include <mpi.h>

/*
 * Failures of single ranks, on which all ranks agree.
 *
 * A rank with a failure goes on taking part in collectives until the next agreement, at which all
 * ranks stop together.
 */

/* The first failure on this rank. */
struct hitop_failure {
    int failed;
    struct hitop_diag diag;
};

enum { HITOP_NO_FAILURE = -1 };

/* Record a failure, unless there was one before. */
void hitop_failure_note(struct hitop_failure *t, const char *what);

/* The same where `code` is an MPI error. */
void hitop_failure_note_mpi(struct hitop_failure *t, int code, const char *what);

/*
 * Collective: the smallest rank of `comm` with a failure, or HITOP_NO_FAILURE; equal on all ranks.
 */
int hitop_failure_agree(const struct hitop_failure *t, MPI_Comm comm);

/* This rank cannot go on and the others would wait for it: report the reason and end the job. */
_Noreturn void hitop_failure_abort(MPI_Comm comm, const char *what);

/*
 * MPI_Comm_split() of all ranks in their order. Where MPI has no communicator left, it returns an
 * error and does not call the program's error handler. MPI_SUCCESS or an MPI error code.
 */
int hitop_wire_try(MPI_Comm comm, int rank, MPI_Comm *out);

/*
 * Create a private communicator of the ranks of `comm`, with the error handler MPI_ERRORS_RETURN.
 * It is a failure if all operations are disabled, if a GPU runtime is loaded and HITOP_COLL is not
 * "on", or if too many private communicators exist. Collective. After a failure, on which the ranks
 * have still to agree, *wire is MPI_COMM_NULL or must be freed.
 */
void hitop_wire_create(MPI_Comm comm, MPI_Comm *wire, struct hitop_failure *t);

/*
 * Create a private communicator of the ranks of `wire` that pass `is_in`, in their order;
 * MPI_COMM_NULL on the others. Collective.
 */
void hitop_wire_split(MPI_Comm wire, int is_in, MPI_Comm *part, struct hitop_failure *t);

/* Free a private communicator; does nothing for MPI_COMM_NULL. *wire becomes MPI_COMM_NULL. */
void hitop_wire_free(MPI_Comm *wire);

/*
 * The number of tags, from 0 on. An operation may use a tag again when all messages of the earlier
 * operation with that tag are received.
 */
int hitop_wire_tags(void);

#endif /* WIRE_MPI_H */
