/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selector_ab.c - the algorithm that the model chooses, compared with that of MPI, on one simulated
 * machine.
 *
 * usage: selector_ab MODEL OPERATION[/ALGORITHM[:NUMBER]|@LIBRARY] SIZE..., under smpirun
 *
 * Rank 0 predicts all algorithms of the operation; all ranks then run the fastest, or the one that
 * was named, of which NUMBER is the first parameter, and MPI's own call, each from an agreed time
 * on. With LIBRARY, a name or a text with choices of an MPI library (doc/mpi-defaults.md), they run
 * the plan of what that library chooses. Per size one line: operation, bytes, algorithm, its
 * segment (or its first parameter), predicted, planned and MPI's time in microseconds, ratio of the
 * last two (below 1: the plan is faster).
 */
#include <config.h>

#include "coll/defaults/mpi_price.h"
#include "hitop/choice.h"
#include "hitop/collectives_mpi.h"
#include "hitop/model.h"
#include "hitop/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int rank, size;

/*
 * Memory whose content does not matter. SimGrid maps all blocks of a large one to the same pages,
 * and does not copy messages from them.
 */
static void *get(size_t bytes)
{
    void *memory = SMPI_SHARED_MALLOC(bytes + 1);

    if (!memory) {
        fprintf(stderr, "selector_ab: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void check(enum hitop_status status, const struct hitop_diag *diag)
{
    if (status != HITOP_OK) {
        fprintf(stderr, "selector_ab: %s\n", diag->message);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void sleep_until(double when)
{
    for (double left = when - MPI_Wtime(); left > 1e-9; left = when - MPI_Wtime()) {
        const struct timespec t = {(time_t)left, (long)((left - floor(left)) * 1e9)};
        nanosleep(&t, NULL);
    }
}

/* An instant at which all ranks will be awake. */
static double agree_on_start(void)
{
    const double now = MPI_Wtime();
    double last;

    MPI_Allreduce(&now, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return last + 0.1;
}

static double slowest(double start)
{
    const double mine = MPI_Wtime() - start;
    double last;

    MPI_Allreduce(&mine, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return last;
}

/* MPI's function and ours of an operation have the same arguments. */
static int call(const struct hitop_operation *operation, int planned, void *send, void *recv,
                int bytes)
{
    const MPI_Comm world = MPI_COMM_WORLD;

    switch ((enum hitop_operation_id)(operation - hitop_operations())) {
    case HITOP_BCAST:
        return (planned ? hitop_bcast : MPI_Bcast)(recv, bytes, MPI_BYTE, 0, world);
    case HITOP_REDUCE:
        return (planned ? hitop_reduce : MPI_Reduce)(send, recv, bytes / 4, MPI_INT, MPI_SUM, 0,
                                                     world);
    case HITOP_ALLREDUCE:
        return (planned ? hitop_allreduce : MPI_Allreduce)(send, recv, bytes / 4, MPI_INT, MPI_SUM,
                                                           world);
    case HITOP_SCATTER:
        return (planned ? hitop_scatter : MPI_Scatter)(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE,
                                                       0, world);
    case HITOP_GATHER:
        return (planned ? hitop_gather : MPI_Gather)(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE,
                                                     0, world);
    case HITOP_ALLGATHER:
        return (planned ? hitop_allgather : MPI_Allgather)(send, bytes, MPI_BYTE, recv, bytes,
                                                           MPI_BYTE, world);
    case HITOP_ALLTOALL:
        return (planned ? hitop_alltoall : MPI_Alltoall)(send, bytes, MPI_BYTE, recv, bytes,
                                                         MPI_BYTE, world);
    default:
        fprintf(stderr, "selector_ab: %s cannot be compared\n", operation->name);
        MPI_Abort(MPI_COMM_WORLD, 2);
        return MPI_ERR_ARG;
    }
}

/* Calls that follow each other; some algorithms of MPI libraries call other operations. */
struct calls {
    struct hitop_call call[HITOP_MPI_CALLED];
    struct hitop_choice choice[HITOP_MPI_CALLED];
    int count;
};

static double run(const struct calls *calls, int planned, void *send, void *recv)
{
    const double start = agree_on_start();

    sleep_until(start);
    for (int i = 0; i < calls->count; i++) {
        const struct hitop_call *c = &calls->call[i];
        if (call(c->operation, planned, send, recv, (int)c->bytes) != MPI_SUCCESS) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    return slowest(start);
}

/*
 * Rank 0: "ALGORITHM" or "ALGORITHM:NUMBER", of which NUMBER is the first parameter; NULL: the
 * fastest.
 */
static struct hitop_choice decide(const struct hitop_call *what, const struct hitop_cost *cost,
                                  const char *wanted)
{
    const struct hitop_choice_basis basis = {.cost = cost};
    char name[64] = "";
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_choice choice;
    struct hitop_algorithm way;

    if (!wanted) {
        check(hitop_choose(&basis, what, &choice, &diag), &diag);
        return choice;
    }
    (void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(wanted, ":"), wanted);
    check(hitop_algorithm_find(what->operation, name, &way, &diag), &diag);
    choice = hitop_choice_default(way);
    if (wanted[strlen(name)] == ':') {
        choice.params[0] = strtod(wanted + strlen(name) + 1, NULL);
    }
    check(hitop_choice_price(&basis, what, &choice, &choice.seconds, &diag), &diag);
    return choice;
}

/* All ranks: run what rank 0 has chosen; plans are made before the clock runs. */
static double run_choices(const struct calls *calls, void *send, void *recv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    for (int i = 0; i < calls->count; i++) {
        const struct hitop_choice *choice = &calls->choice[i];
        char text[HITOP_CHOICE_TEXT + 64] = "";
        if (rank == 0) { /* as it is named: parts with colons between them */
            const int n =
                snprintf(text, sizeof(text), "%s ", hitop_algorithm_name(choice->algorithm));
            hitop_choice_format(choice, text + n, HITOP_CHOICE_TEXT);
            text[strlen(text) - (text[n] == '\0')] = '\0';
            for (char *blank = text; (blank = strchr(blank, ' '));) {
                *blank = ':';
            }
        }
        MPI_Bcast(text, sizeof(text), MPI_CHAR, 0, MPI_COMM_WORLD);
        check(hitop_coll_set(MPI_COMM_WORLD, calls->call[i].operation->name, text, &diag), &diag);
    }
    (void)run(calls, 1, send, recv);
    return run(calls, 1, send, recv);
}

/* What is compared. */
struct request {
    const struct hitop_operation *operation;
    const struct hitop_cost *cost; /* rank 0 */
    const char *wanted;            /* ALGORITHM[:NUMBER]; NULL: the fastest */
    const struct hitop_mpi *mpi;   /* NULL: none */
};

/* What was chosen, as it is printed. */
struct shown {
    const char *name;
    double number, seconds;
};

/* The calls by which our plan does what the library chooses, on all ranks; rank 0 predicts them. */
static struct shown decide_as(const struct request *r, const struct hitop_call *what,
                              struct calls *calls)
{
    const struct hitop_choice_basis choice_basis = {.cost = r->cost};
    const struct hitop_mpi_basis basis = {.mpi = r->mpi, .choice = &choice_basis};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_mpi_choice chosen;
    struct hitop_mpi_plan plan;
    struct shown shown = {.seconds = 0};

    check(hitop_mpi_choose(r->mpi, what, &chosen, &diag), &diag);
    plan = hitop_mpi_plan(r->mpi, what, &chosen);
    shown.name = chosen.algorithm->name;
    shown.number = (double)chosen.segment;
    calls->count = plan.fidelity == HITOP_MPI_CALLS ? 0 : 1;
    calls->call[0] = *what;
    calls->choice[0] = plan.choice;
    for (; plan.fidelity == HITOP_MPI_CALLS && calls->count < HITOP_MPI_CALLED &&
           plan.calls[calls->count];
         calls->count++) {
        struct hitop_call *called = &calls->call[calls->count];
        struct hitop_mpi_choice part;
        *called = hitop_mpi_called(what, plan.calls[calls->count]);
        check(hitop_mpi_choose(r->mpi, called, &part, &diag), &diag);
        calls->choice[calls->count] = hitop_mpi_plan(r->mpi, called, &part).choice;
    }
    if (rank == 0) {
        check(hitop_mpi_price(&basis, what, &chosen, &shown.seconds, &diag), &diag);
    }
    return shown;
}

static void compare(const struct request *r, size_t bytes)
{
    const struct hitop_operation *operation = r->operation;
    const struct hitop_call what = {.operation = operation,
                                    .size = size,
                                    .bytes = bytes,
                                    .unit = operation->flags & HITOP_REDUCES ? 4 : 1};
    const size_t blocks = (rank == 0 || !hitop_operation_has_root(operation) ? (size_t)size : 1);
    void *send = get(operation->brings == HITOP_BLOCKS ? bytes * blocks : bytes);
    void *recv = get(operation->takes == HITOP_BLOCKS ? bytes * blocks : bytes);
    const struct calls mpi = {.call = {what}, .count = 1};
    struct calls calls = {.call = {what}, .count = 1};
    struct shown shown = {.seconds = 0};
    double planned, mpis;

    if (r->mpi) {
        shown = decide_as(r, &what, &calls);
    } else if (rank == 0) {
        calls.choice[0] = decide(&what, r->cost, r->wanted);
        shown.number = calls.choice[0].params[0];
        shown.seconds = calls.choice[0].seconds;
    }
    planned = run_choices(&calls, send, recv);
    mpis = run(&mpi, 0, send, recv);
    if (rank == 0) {
        printf("%-9s %8zu  %-18s %8.0f %12.1f %12.1f %12.1f %8.3f\n", operation->name, bytes,
               shown.name ? shown.name : hitop_coll_last(MPI_COMM_WORLD), shown.number,
               shown.seconds * 1e6, planned * 1e6, mpis * 1e6, planned / mpis);
        fflush(stdout);
    }
    SMPI_SHARED_FREE(recv);
    SMPI_SHARED_FREE(send);
}

int main(int argc, char **argv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    struct hitop_mpi *mpi = NULL;
    struct hitop_cost cost = {0};
    struct request request = {.cost = &cost};
    char *at, *wanted;

    if (argc < 4) {
        fprintf(stderr,
                "usage: selector_ab MODEL OPERATION[/ALGORITHM[:NUMBER]|@LIBRARY] SIZE...\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    at = strchr(argv[2], '@');
    if (at) {
        *at++ = '\0';
        check(hitop_mpi_load(at, &mpi, &diag), &diag);
    }
    wanted = strchr(argv[2], '/');
    if (wanted) {
        *wanted++ = '\0';
    }
    request.wanted = wanted;
    request.mpi = mpi;
    check(hitop_operation_find(argv[2], &request.operation, &diag), &diag);
    if (rank == 0) {
        check(hitop_model_read(argv[1], &model, &diag), &diag);
        cost = hitop_model_cost(model);
    }
    check(hitop_coll_set_cost(MPI_COMM_WORLD, rank == 0 ? &cost : NULL, &diag), &diag);
    for (int a = 3; a < argc; a++) {
        size_t bytes;
        check(hitop_text_size(argv[a], &bytes, &diag), &diag);
        compare(&request, bytes);
    }
    MPI_Finalize();
    hitop_mpi_free(mpi);
    hitop_model_free(model);
    return 0;
}
