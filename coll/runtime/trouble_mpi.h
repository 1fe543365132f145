/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_TROUBLE_MPI_H
#define HITOP_TROUBLE_MPI_H

/*
 * trouble_mpi.h - failures of one rank that all ranks must hear of.
 *
 * A rank in trouble goes on taking part in collectives until the next agreement, at which all ranks
 * leave together.
 */

#include "hitop/status.h"

#include <mpi.h>

/* The first failure on this rank. */
struct hitop_trouble {
    int failed;
    struct hitop_diag diag;
};

enum { HITOP_NO_TROUBLE = -1 };

/* Remember a failure, unless there was one already. */
void hitop_trouble_note(struct hitop_trouble *t, const char *what);

/* The same where `code` is an MPI error. */
void hitop_trouble_note_mpi(struct hitop_trouble *t, int code, const char *what);

/* Collective: the smallest rank of `comm` in trouble, or HITOP_NO_TROUBLE; equal on all ranks. */
int hitop_trouble_agree(const struct hitop_trouble *t, MPI_Comm comm);

/*
 * Nothing is right any more on this rank and the others cannot be told: say why and end the job, because
 * they would wait for ever.
 */
void hitop_trouble_abort(MPI_Comm comm, const char *what);

#endif /* HITOP_TROUBLE_MPI_H */
