/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PIECES_MPI_H
#define PIECES_MPI_H

/* pieces_mpi.h - what a call says about a buffer, against the packed bytes of a plan. */

#include "coll/runtime/call_mpi.h"

#include <stddef.h>

/* Elements in the user's memory, and where their bytes are in the packed form. */
struct pieces {
    const struct call_side *side;
    int first, n; /* pieces first .. first + n - 1 of the side */
    const size_t *starts;
    size_t bytes;  /* of each piece, where starts is NULL */
    size_t origin; /* where the first one begins */
    size_t size;   /* of an element */
    MPI_Aint extent;
    int plain; /* elements are nothing but their bytes */
};

/*
 * Pieces of `side`: piece i, or the only one, is to be packed bytes starts[i] .. starts[i + 1] - 1; `bytes` each where
 * starts is NULL. The first one comes to 0.
 */
struct pieces pieces_of(const struct call_side *side, int first, int n, const size_t *starts,
                        size_t bytes);

/* The packed bytes in the user's memory, or NULL where they do not lie there in this form. */
void *pieces_lie_packed(const struct pieces *pieces);

/* To and from packed bytes; *truncated becomes 1 where lengths differ. MPI_SUCCESS or an MPI error code. */
int pieces_pack(const struct pieces *pieces, unsigned char *packed, int *truncated, MPI_Comm comm);
int pieces_unpack(const struct pieces *pieces, const unsigned char *packed, int *truncated,
                  MPI_Comm comm);

#endif /* PIECES_MPI_H */
