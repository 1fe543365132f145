/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CHECK_DRAW_MPI_H
#define CHECK_DRAW_MPI_H

/* check_draw_mpi.h - draws random calls, from a state that all ranks of a communicator share. */

#include "tools/check/check_call_mpi.h"

#include <stdint.h>

/* The choices to draw from. */
struct check_drawn {
    const struct check_type *types; /* [CHECK_NTYPES] */
    unsigned operations;            /* a set, bit i for operation i */
    const char *listed_types;       /* names; NULL: all */
    int bits;                       /* fewer than 2^bits elements, mostly few */
};

/* A random number from 0 to below - 1. */
uint64_t check_draw(uint64_t *state, uint64_t below);

/* A communicator of some ranks in random order; *state becomes their common state. Collective. */
MPI_Comm check_draw_ranks(uint64_t *state);

/* A call on a communicator of `size` ranks; `functions` and `known` are not drawn. */
struct check_call check_draw_call(const struct check_drawn *what, uint64_t *state, int size);

#endif /* CHECK_DRAW_MPI_H */
