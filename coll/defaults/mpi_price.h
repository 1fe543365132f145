/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MPI_PRICE_H
#define MPI_PRICE_H

/* mpi_price.h - predicted times of the algorithms of an MPI library. */

#include "coll/defaults/mpi_choice.h"

/* The basis of a prediction. Everything is borrowed. */
struct hitop_mpi_basis {
    const struct hitop_mpi *mpi;
    const struct hitop_choice_basis *choice;
    const int
        *host; /* [ranks of the call] number of the host of each rank, from 0; NULL: unknown */
};

/*
 * Predict the time of `call` with `choice`, which may be that of another call of the operation.
 * Where the library calls other operations, their times are added. Steps on hosts take as long as
 * on the slowest host; with segments, step i + 1 of a segment overlaps with step i of the next one.
 *
 * HITOP_ERR_UNSUPPORTED: there is no plan for it, or it cannot be predicted; the message says why.
 * HITOP_ERR_INVALID: as for hitop_choice_price(). *seconds is NaN on failure.
 */
HITOP_MUST_CHECK enum hitop_status hitop_mpi_price(const struct hitop_mpi_basis *basis,
                                                   const struct hitop_call *call,
                                                   const struct hitop_mpi_choice *choice,
                                                   double *seconds, struct hitop_diag *diag);

/* The same, and perhaps INFINITY instead of a time that is longer than the limit: less work. */
HITOP_MUST_CHECK enum hitop_status hitop_mpi_price_within(const struct hitop_mpi_basis *basis,
                                                          const struct hitop_call *call,
                                                          const struct hitop_mpi_choice *choice,
                                                          double limit, double *seconds,
                                                          struct hitop_diag *diag);

/*
 * Find the fastest algorithm that the library has for `call`. Where the library has segments and
 * our plan has them, too, some lengths are tried; likewise fan-outs. Of equally fast ones it is the
 * one that the library chooses; the others have no rule (line 0).
 *
 * HITOP_ERR_UNSUPPORTED: no algorithm can be predicted.
 */
HITOP_MUST_CHECK enum hitop_status hitop_mpi_fastest(const struct hitop_mpi_basis *basis,
                                                     const struct hitop_call *call,
                                                     struct hitop_mpi_choice *out, double *seconds,
                                                     struct hitop_diag *diag);

#endif /* MPI_PRICE_H */
