/* SPDX-License-Identifier: BSD-3-Clause */
/* check_random_mpi.c - communicators, operations, algorithms and lengths drawn at random, alike on all ranks. */
#include <config.h>

#include "check_call_mpi.h"
#include "check_collective.h"

#include "hitop/collectives_mpi.h"
#include "hitop/plan.h"

#include <stdio.h>

enum { CALLS_PER_COMM = 20 };

/* Numbers from a state that all members of a communicator share (splitmix64). */
static uint64_t draw(uint64_t *state, uint64_t below)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

/* Some ranks, in some order; *state becomes that of their communicator. */
static MPI_Comm some_ranks(uint64_t *state)
{
    uint64_t mine;
    MPI_Comm comm;
    int rank, color;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = *state + (uint64_t)rank * 7919;
    color = (int)draw(&mine, 1 + draw(state, 3));
    MPI_Comm_split(MPI_COMM_WORLD, color, (int)draw(&mine, 1000), &comm);
    *state += (uint64_t)color;
    return comm;
}

/* Mostly short. */
static size_t some_elements(uint64_t *state)
{
    const uint64_t below = (uint64_t)1 << draw(state, 15);

    return (size_t)draw(state, below);
}

static struct check_call some_call(const struct check_work *work, uint64_t *state, int size)
{
    struct check_call call = {0};

    do {
        call.operation = (enum hitop_operation_id)draw(state, HITOP_NOPERATIONS);
    } while (!check_is_listed(work->request->operations, hitop_operations()[call.operation].name));
    do {
        call.type = &work->types[draw(state, CHECK_NTYPES)];
    } while (!check_is_listed(work->request->types, call.type->name));
    call.root = (int)draw(state, (uint64_t)size);
    call.elements = some_elements(state);
    call.in_place = call.operation != HITOP_BCAST && draw(state, 3) == 0;
    call.gaps = (int)draw(state, 2) && hitop_operations()[call.operation].flags & HITOP_UNEVEN;
    return call;
}

/* Now and then another algorithm, and another way to learn counts. */
static void some_algorithm(uint64_t *state, struct check_call *call, MPI_Comm comm)
{
    static const char *const counts[] = {"propagated", "broadcast", "known"};
    const struct hitop_operation *o = &hitop_operations()[call->operation];
    const size_t n = hitop_way_count(o);
    const size_t way = (size_t)draw(state, n + 1);
    const size_t how = (size_t)draw(state, 3);
    const char *name = way < n ? hitop_way_name(hitop_way_at(o, way)) : "auto";

    call->known = how == 2;
    if (hitop_coll_set(comm, o->name, name, NULL) != HITOP_OK ||
        hitop_coll_set(comm, "counts", counts[how], NULL) != HITOP_OK) {
        fprintf(stderr, "check_collective: %s does not take '%s'\n", o->name, name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void complain(const struct check_work *work, const struct check_call *call, size_t wrong,
                     MPI_Comm comm)
{
    int rank, size;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (wrong > 0 && work->nwrong < 5) {
        fprintf(stderr,
                "%s by '%s': %zu bytes wrong on rank %d of %d: %zu elements of %s, root %d%s%s%s\n",
                hitop_operations()[call->operation].name, hitop_coll_last(comm), wrong, rank, size,
                call->elements, call->type->name, call->root, call->in_place ? ", in place" : "",
                call->gaps ? ", unlike blocks" : "", call->known ? ", counts known" : "");
    }
}

void check_random(struct check_work *work)
{
    uint64_t state = (uint64_t)work->request->seed, own = 0;
    const long before = work->nwrong;
    MPI_Comm comm = MPI_COMM_NULL;
    long wrong;
    int size = 0;

    for (int i = 0; i < work->request->random; i++) {
        struct check_call call;
        size_t bytes;
        if (i % CALLS_PER_COMM == 0) {
            if (comm != MPI_COMM_NULL) {
                MPI_Comm_free(&comm);
            }
            own = state + (uint64_t)i;
            (void)draw(&state, 2);
            comm = some_ranks(&own);
            MPI_Comm_size(comm, &size);
        }
        call = some_call(work, &own, size);
        some_algorithm(&own, &call, comm);
        bytes = check_call_run(&call, comm);
        complain(work, &call, bytes, comm);
        work->ncalls++;
        work->nwrong += bytes > 0;
    }
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_free(&comm);
    }
    wrong = work->nwrong - before;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    work->nwrong = before + wrong;
}
