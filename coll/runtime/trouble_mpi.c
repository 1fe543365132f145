/* SPDX-License-Identifier: BSD-3-Clause */
/* trouble_mpi.c - remembering failures, agreeing on them. */
#include <config.h>

#include "coll/runtime/message.h"
#include "coll/runtime/trouble_mpi.h"

void hitop_trouble_note(struct hitop_trouble *t, const char *what)
{
    if (!t->failed) {
        t->failed = 1;
        (void)hitop_fail(&t->diag, HITOP_ERR_MPI, "%s", what);
    }
}

void hitop_trouble_note_mpi(struct hitop_trouble *t, int code, const char *what)
{
    if (code != MPI_SUCCESS) {
        hitop_trouble_note(t, what);
    }
}

int hitop_trouble_agree(const struct hitop_trouble *t, MPI_Comm comm)
{
    int rank = 0, size = 0, first;

    (void)PMPI_Comm_rank(comm, &rank);
    (void)PMPI_Comm_size(comm, &size);
    first = t->failed ? rank : size;
    if (PMPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm) != MPI_SUCCESS) {
        return rank;
    }
    return first < size ? first : HITOP_NO_TROUBLE;
}

void hitop_trouble_abort(MPI_Comm comm, const char *what)
{
    hitop_message("hitop: %s, and the other ranks would wait for this one: the job ends\n", what);
    (void)PMPI_Abort(comm, 1);
}
