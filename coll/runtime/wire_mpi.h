/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef WIRE_MPI_H
#define WIRE_MPI_H

/*
 * wire_mpi.h - private communicators, on which no message of the library meets one of the user's,
 * and what its ranks do about failures.
 */

#include "hitop/status.h"

#include <mpi.h>

/*
 * Failures of one rank, on which all ranks must agree.
 *
 * A rank in trouble goes on taking part in collectives until the next agreement, at which all ranks
 * leave together.
 */

/* The first failure on this rank. */
struct hitop_failure {
    int failed;
    struct hitop_diag diag;
};

enum { HITOP_NO_FAILURE = -1 };

/* Remember a failure, unless there was one already. */
void hitop_failure_note(struct hitop_failure *t, const char *what);

/* The same where `code` is an MPI error. */
void hitop_failure_note_mpi(struct hitop_failure *t, int code, const char *what);

/* Collective: the smallest rank of `comm` in trouble, or HITOP_NO_FAILURE; equal on all ranks. */
int hitop_failure_agree(const struct hitop_failure *t, MPI_Comm comm);

/* This rank cannot go on, and the others would wait for it: say why and end the job. */
void hitop_failure_abort(MPI_Comm comm, const char *what);

/*
 * MPI_Comm_split() of all ranks, of which they keep the order. Where MPI has no communicator left
 * the program does not end, whatever it wants of errors: it did not ask for this one. MPI_SUCCESS
 * or an MPI code.
 */
int hitop_wire_try(MPI_Comm comm, int rank, MPI_Comm *out);

/*
 * One with the ranks of `comm`, which returns errors. None where HITOP_DISABLE=1, or a GPU runtime
 * is loaded. Collective; after trouble, which the ranks have still to agree on, *wire is
 * MPI_COMM_NULL or to be freed.
 */
void hitop_wire_create(MPI_Comm comm, MPI_Comm *wire, struct hitop_failure *t);

/*
 * Of the ranks of a wire those that say `is_in`, in their order; MPI_COMM_NULL for the others.
 * Collective; one more wire of those who are in it.
 */
void hitop_wire_split(MPI_Comm wire, int is_in, MPI_Comm *part, struct hitop_failure *t);

/* NULL-safe: *wire becomes MPI_COMM_NULL. */
void hitop_wire_free(MPI_Comm *wire);

/*
 * How many tags there are, from 0 on. They may repeat when the messages of an operation that long
 * ago have all been received.
 */
int hitop_wire_tags(void);

#endif /* WIRE_MPI_H */
