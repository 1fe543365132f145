/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selector_ab.c - the way that the model chooses beside what MPI does, on one simulated machine.
 *
 * usage: selector_ab MODEL OPERATION[/ALGORITHM[:NUMBER]] SIZE..., under smpirun
 *
 * Rank 0 predicts all ways of the operation; all ranks then run the fastest, or the one that was
 * named, of which NUMBER is the first parameter, and MPI's own call, each from an agreed time on.
 * Per size one line: operation, bytes, algorithm, its first parameter (the segment, where it has
 * one), predicted, planned and MPI's time in microseconds, ratio of the last two (below 1: the plan
 * is faster).
 */
#include <config.h>

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

static void *get(size_t bytes)
{
    void *memory = calloc(bytes + 1, 1);

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

/* The two have the same arguments. */
static int call(const struct hitop_operation *operation, int planned, void *send, void *recv,
                int bytes)
{
    const MPI_Comm world = MPI_COMM_WORLD;

    if (operation == &hitop_operations()[HITOP_BCAST]) {
        return (planned ? hitop_bcast : MPI_Bcast)(recv, bytes, MPI_BYTE, 0, world);
    }
    if (operation == &hitop_operations()[HITOP_REDUCE]) {
        return (planned ? hitop_reduce : MPI_Reduce)(send, recv, bytes / 4, MPI_INT, MPI_SUM, 0,
                                                     world);
    }
    if (operation == &hitop_operations()[HITOP_SCATTER]) {
        return (planned ? hitop_scatter : MPI_Scatter)(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE,
                                                       0, world);
    }
    return (planned ? hitop_gather : MPI_Gather)(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, 0,
                                                 world);
}

static double run(const struct hitop_operation *operation, int planned, void *send, void *recv,
                  int bytes)
{
    const double start = agree_on_start();

    sleep_until(start);
    if (call(operation, planned, send, recv, bytes) != MPI_SUCCESS) {
        MPI_Abort(MPI_COMM_WORLD, 1);
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
static double run_choice(const struct hitop_call *what, const struct hitop_choice *choice,
                         void *send, void *recv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    char text[HITOP_CHOICE_TEXT + 64] = "";

    if (rank == 0) { /* as it is named: parts with colons between them */
        const int n = snprintf(text, sizeof(text), "%s ", hitop_algorithm_name(choice->algorithm));
        hitop_choice_format(choice, text + n, HITOP_CHOICE_TEXT);
        text[strlen(text) - (text[n] == '\0')] = '\0';
        for (char *blank = text; (blank = strchr(blank, ' '));) {
            *blank = ':';
        }
    }
    MPI_Bcast(text, sizeof(text), MPI_CHAR, 0, MPI_COMM_WORLD);
    check(hitop_coll_set(MPI_COMM_WORLD, what->operation->name, text, &diag), &diag);
    (void)run(what->operation, 1, send, recv, (int)what->bytes);
    return run(what->operation, 1, send, recv, (int)what->bytes);
}

static void compare(const struct hitop_operation *operation, size_t bytes,
                    const struct hitop_cost *cost, const char *wanted)
{
    const struct hitop_call what = {.operation = operation,
                                    .size = size,
                                    .bytes = bytes,
                                    .unit = operation->flags & HITOP_REDUCES ? 4 : 1};
    const size_t all = rank == 0 ? (size_t)size : 1;
    void *send = get(operation->brings == HITOP_BLOCKS ? bytes * all : bytes);
    void *recv = get(operation->takes == HITOP_BLOCKS ? bytes * all : bytes);
    struct hitop_choice choice = {.algorithm = {NULL, NULL}};
    double planned, mpis;

    if (rank == 0) {
        choice = decide(&what, cost, wanted);
    }
    planned = run_choice(&what, &choice, send, recv);
    mpis = run(operation, 0, send, recv, (int)bytes);
    if (rank == 0) {
        printf("%-8s %8zu  %-18s %8.0f %12.1f %12.1f %12.1f %8.3f\n", operation->name, bytes,
               hitop_coll_last(MPI_COMM_WORLD), choice.params[0], choice.seconds * 1e6,
               planned * 1e6, mpis * 1e6, planned / mpis);
        fflush(stdout);
    }
    free(recv);
    free(send);
}

int main(int argc, char **argv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct hitop_operation *operation = NULL;
    struct hitop_model *model = NULL;
    struct hitop_cost cost = {0};
    char *wanted;

    if (argc < 4) {
        fprintf(stderr, "usage: selector_ab MODEL OPERATION[/ALGORITHM[:NUMBER]] SIZE...\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    wanted = strchr(argv[2], '/');
    if (wanted) {
        *wanted++ = '\0';
    }
    check(hitop_operation_find(argv[2], &operation, &diag), &diag);
    if (rank == 0) {
        check(hitop_model_read(argv[1], &model, &diag), &diag);
        cost = hitop_model_cost(model);
    }
    check(hitop_coll_set_cost(MPI_COMM_WORLD, rank == 0 ? &cost : NULL, &diag), &diag);
    for (int a = 3; a < argc; a++) {
        size_t bytes;
        check(hitop_text_size(argv[a], &bytes, &diag), &diag);
        compare(operation, bytes, &cost, wanted);
    }
    MPI_Finalize();
    hitop_model_free(model);
    return 0;
}
