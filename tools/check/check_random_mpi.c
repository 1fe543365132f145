/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check_random_mpi.c - random communicators, operations, algorithms and lengths, the same on all
 * ranks of a communicator.
 */
#include <config.h>

#include "tools/check/check.h"
#include "tools/check/check_draw_mpi.h"

#include "hitop/collectives_mpi.h"
#include "hitop/plan.h"

#include <stdio.h>

enum { CALLS_PER_COMM = 20 };

/* Choose a random algorithm, and a random way in which ranks learn the counts. */
static void some_algorithm(uint64_t *state, struct check_call *call, MPI_Comm comm)
{
    static const char *const counts[] = {"propagated", "broadcast", "known"};
    const struct hitop_operation *o = &hitop_operations()[call->operation];
    const size_t n = hitop_algorithm_count(o);
    const size_t algorithm = (size_t)check_draw(state, n + 1);
    const size_t how = (size_t)check_draw(state, 3);
    const char *name =
        algorithm < n ? hitop_algorithm_name(hitop_algorithm_at(o, algorithm)) : "auto";

    call->known = how == 2;
    if (hitop_coll_set(comm, o->name, name, NULL) != HITOP_OK ||
        hitop_coll_set(comm, "choice", check_draw(state, 2) ? "later" : "now", NULL) != HITOP_OK ||
        hitop_coll_set(comm, "counts", counts[how], NULL) != HITOP_OK) {
        fprintf(stderr, "check_collective: %s does not take '%s'\n", o->name, name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void complain(const struct check_work *work, const struct check_call *call, size_t wrong,
                     MPI_Comm comm)
{
    char text[160], function[LIBRARY_NAME], line[160 + 2 * LIBRARY_NAME + 64];
    const char *by = hitop_coll_last(comm);
    int rank, size;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (work->library) {
        library_function_name(work->library, call->operation, function);
        by = function;
    }
    if (wrong > 0 && work->nwrong < 5) {
        check_call_describe(call, wrong, text, sizeof(text));
        (void)snprintf(line, sizeof(line), "%s by '%s', rank %d of %d: %s\n",
                       hitop_operations()[call->operation].name, by, rank, size, text);
        (void)fputs(line, stderr); /* one write, see tool_error() */
    }
}

void check_random(struct check_work *work)
{
    uint64_t state = (uint64_t)work->request->seed, own = 0;
    const long before = work->nwrong;
    MPI_Comm comm = MPI_COMM_NULL;
    const struct check_drawn what = {work->types, work->operations, work->request->types, 14};
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
            (void)check_draw(&state, 2);
            comm = check_draw_ranks(&own);
            MPI_Comm_size(comm, &size);
        }
        call = check_draw_call(&what, &own, size);
        call.functions = work->functions;
        if (work->library) {
            call.known = (int)check_draw(&own, 2);
        } else {
            some_algorithm(&own, &call, comm);
        }
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
