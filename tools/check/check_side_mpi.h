/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_SIDE_MPI_H
#define CHECK_SIDE_MPI_H

/* check_side_mpi.h - memory of a user, of any datatype, of which every byte is looked at. */

#include "tools/check/check_types_mpi.h"

/* The user's memory on one side of a call. */
struct check_side {
    unsigned char *memory;
    size_t bytes;
    int n;           /* pieces */
    int *counts;     /* [n] elements */
    int *displs;     /* [n] */
    size_t *starts;  /* [n] packed bytes before each piece */
    const void *arg; /* what the call gets */
    MPI_Datatype type;
    size_t size;
    MPI_Aint extent;
};

/* End the job. */
_Noreturn void check_out_of_memory(void);

/* `n` elements of `bytes`, zero; ends the job when out of memory. */
void *check_get(size_t n, size_t bytes);

/*
 * Pieces of packed bytes, each up to the start of the next one, or of `bytes` if starts is NULL, in
 * fresh memory; `gaps`: displacements leave room between them.
 */
struct check_side check_side_make(const struct check_type *type, int gaps, int n,
                                  const size_t *starts, size_t bytes);
void check_side_free(struct check_side *side);

/* Fill one piece, or all of them, of memory that is like the side's. */
void check_side_put_piece(const struct check_side *side, unsigned char *memory, int i,
                          const unsigned char *packed);
void check_side_put(const struct check_side *side, unsigned char *memory,
                    const unsigned char *packed);

#endif /* CHECK_SIDE_MPI_H */
