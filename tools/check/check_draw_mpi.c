/* SPDX-License-Identifier: BSD-3-Clause */
/* check_draw_mpi.c - communicators, operations and lengths at random (splitmix64). */
#include <config.h>

#include "tools/check/check_draw_mpi.h"
#include "tools/check/check_names.h"

uint64_t check_draw(uint64_t *state, uint64_t below)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

MPI_Comm check_draw_ranks(uint64_t *state)
{
    uint64_t mine;
    MPI_Comm comm;
    int rank, color;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = *state + (uint64_t)rank * 7919;
    color = (int)check_draw(&mine, 1 + check_draw(state, 3));
    MPI_Comm_split(MPI_COMM_WORLD, color, (int)check_draw(&mine, 1000), &comm);
    *state += (uint64_t)color;
    return comm;
}

/* Mostly few; some are a power of two, one less or one more, where algorithms may change. */
static size_t some_elements(uint64_t *state, int bits)
{
    const uint64_t below = (uint64_t)1 << check_draw(state, (uint64_t)bits + 1);
    const uint64_t most = ((uint64_t)1 << bits) - 1;
    uint64_t elements;

    if (check_draw(state, 8) > 0) {
        return (size_t)check_draw(state, below);
    }
    elements = below - 1 + check_draw(state, 3);
    return (size_t)(elements < most ? elements : most);
}

struct check_call check_draw_call(const struct check_drawn *what, uint64_t *state, int size)
{
    struct check_call call = {0};

    do {
        call.operation = (enum hitop_operation_id)check_draw(state, HITOP_NOPERATIONS);
    } while (!(what->operations & 1u << call.operation));
    do {
        call.type = &what->types[check_draw(state, CHECK_NTYPES)];
    } while (!check_is_listed(what->listed_types, call.type->name));
    call.root = (int)check_draw(state, (uint64_t)size);
    call.elements = some_elements(state, what->bits);
    call.in_place = call.operation != HITOP_BCAST && check_draw(state, 3) == 0;
    call.gaps =
        (int)check_draw(state, 2) && hitop_operations()[call.operation].flags & HITOP_UNEVEN;
    call.salt = (int)check_draw(state, 60000);
    return call;
}
