/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_DRAW_MPI_H
#define CHECK_DRAW_MPI_H

/* check_draw_mpi.h - what is called next, from a state that all members of a communicator share. */

#include "tools/check/check_call_mpi.h"

#include <stdint.h>

/* What there is to draw from. */
struct check_drawn {
    const struct check_type *types; /* [CHECK_NTYPES] */
    unsigned operations;            /* a set, bit i for operation i */
    const char *listed_types;       /* names; NULL: all */
    int bits;                       /* fewer than 2^bits elements, mostly few */
};

/* 0 .. below - 1 */
uint64_t check_draw(uint64_t *state, uint64_t below);

/* A part of all ranks, in some order; *state becomes that of their communicator. Collective. */
MPI_Comm check_draw_ranks(uint64_t *state);

/* For a communicator of `size` ranks; the implementation is not drawn. */
struct check_call check_draw_call(const struct check_drawn *what, uint64_t *state, int size);

#endif /* CHECK_DRAW_MPI_H */
