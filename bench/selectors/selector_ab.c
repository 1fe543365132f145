/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selector_ab.c - the way that the model chooses beside what MPI does, on one simulated machine.
 *
 * usage: selector_ab MODEL OPERATION[/ALGORITHM[:PARAMETER]] SIZE..., under smpirun
 *
 * Rank 0 predicts all ways of the operation; all ranks then run the fastest, or the one that was named, and MPI's own call, each from an
 * agreed time on. Per size one line: operation, bytes, algorithm, its first parameter (the segment, where it has one),
 * predicted, planned and MPI's time in microseconds, ratio of the last two (below 1: the plan is faster).
 */
#include <config.h>

#include "../../coll/runtime/exec_mpi.h"
#include "hitop/choice.h"
#include "hitop/model.h"
#include "hitop/plan.h"
#include "hitop/sys/coll.h"
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

static double run_mpi(const char *operation, void *send, void *recv, int bytes)
{
    const double start = agree_on_start();

    sleep_until(start);
    if (strcmp(operation, "bcast") == 0) {
        MPI_Bcast(recv, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    } else if (strcmp(operation, "reduce") == 0) {
        MPI_Reduce(send, recv, bytes / 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    } else if (strcmp(operation, "scatter") == 0) {
        MPI_Scatter(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    } else {
        MPI_Gather(send, bytes, MPI_BYTE, recv, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    return slowest(start);
}

/* What all ranks need of a choice that rank 0 made. */
struct decision {
    size_t way;
    double params[HITOP_CHOICE_PARAMS], tree_params[HITOP_CHOICE_PARAMS];
    double seconds;
};

static double run_plan(const struct hitop_call *call, const struct decision *decision,
                       const struct hitop_cost *cost, void *send, void *recv)
{
    const int reduces = (call->operation->flags & HITOP_REDUCES) != 0;
    const struct hitop_way way = hitop_way_at(call->operation, decision->way);
    const struct hitop_tree_args tree_args = {.size = size, .bytes = call->bytes, .cost = cost};
    struct hitop_coll_args args = {
        .rank = rank, .size = size, .bytes = call->bytes, .unit = call->unit};
    const struct exec_mpi exec = {
        .comm = MPI_COMM_WORLD, .tag = 77, .op = reduces ? MPI_SUM : MPI_OP_NULL};
    const struct exec_memory form =
        reduces ? (struct exec_memory){.type = MPI_INT, .unit = 4, .extent = 4, .plain = 1}
                : exec_bytes(NULL);
    struct exec_memory memory[HITOP_NBUFFERS] = {form, form, form};
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_tree *tree = NULL;
    struct hitop_sched *sched;
    void *work;
    double start, seconds;

    if (way.tree) {
        check(
            hitop_tree_build(hitop_way_name(way), &tree_args, decision->tree_params, &tree, &diag),
            &diag);
    }
    args.tree = tree;
    check(hitop_coll_plan(way.type->name, &args, decision->params, &sched, &diag), &diag);
    work = get(hitop_sched_work(sched));
    memory[HITOP_BUFFER_SEND].base = send;
    memory[HITOP_BUFFER_RECV].base = recv;
    memory[HITOP_BUFFER_WORK].base = work;
    start = agree_on_start();
    sleep_until(start);
    check(exec_mpi_run(&exec, sched, memory, &diag), &diag);
    seconds = slowest(start);
    free(work);
    hitop_sched_free(sched);
    hitop_tree_free(tree);
    return seconds;
}

/* "ALGORITHM" or "ALGORITHM:NUMBER", of which NUMBER is the first parameter; NULL: the fastest. */
static struct decision decide(const struct hitop_call *call, const struct hitop_cost *cost,
                              char *wanted)
{
    const struct hitop_choice_basis basis = {.cost = cost};
    char *number = wanted ? strchr(wanted, ':') : NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_choice choice;
    struct decision d = {0};
    struct hitop_way way;

    if (number) {
        *number++ = '\0';
    }
    if (wanted) {
        check(hitop_way_find(call->operation, wanted, &way, &diag), &diag);
        choice = hitop_choice_default(way);
        choice.params[0] = number ? strtod(number, NULL) : choice.params[0];
        check(hitop_choice_price(&basis, call, &choice, &choice.seconds, &diag), &diag);
    } else {
        check(hitop_choose(&basis, call, &choice, &diag), &diag);
    }
    while (way = hitop_way_at(call->operation, d.way),
           way.type != choice.way.type || way.tree != choice.way.tree) {
        d.way++;
    }
    memcpy(d.params, choice.params, sizeof(d.params));
    memcpy(d.tree_params, choice.tree_params, sizeof(d.tree_params));
    d.seconds = choice.seconds;
    return d;
}

int main(int argc, char **argv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const struct hitop_operation *operation = NULL;
    struct hitop_model *model = NULL;
    struct hitop_cost cost;
    char *wanted;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check(hitop_model_read(argv[1], &model, &diag), &diag);
    wanted = strchr(argv[2], '/');
    if (wanted) {
        *wanted++ = '\0';
    }
    check(hitop_operation_find(argv[2], &operation, &diag), &diag);
    cost = hitop_model_cost(model);
    for (int a = 3; a < argc; a++) {
        const size_t all = (size_t)size;
        struct hitop_call call = {.operation = operation, .size = size};
        struct decision d;
        double planned, mpis;
        unsigned char *send, *recv;

        call.unit = operation->flags & HITOP_REDUCES ? 4 : 1;
        check(hitop_text_size(argv[a], &call.bytes, &diag), &diag);
        send = get(operation->brings == HITOP_BLOCKS && rank == 0 ? call.bytes * all : call.bytes);
        recv = get(operation->takes == HITOP_BLOCKS && rank == 0 ? call.bytes * all : call.bytes);
        if (rank == 0) {
            d = decide(&call, &cost, wanted);
        }
        MPI_Bcast(&d, sizeof(d), MPI_BYTE, 0, MPI_COMM_WORLD);
        planned = run_plan(&call, &d, &cost, send, recv);
        mpis = run_mpi(argv[2], send, recv, (int)call.bytes);
        if (rank == 0) {
            printf("%-8s %8zu  %-18s %8.0f %12.1f %12.1f %12.1f %8.3f\n", argv[2], call.bytes,
                   hitop_way_name(hitop_way_at(operation, d.way)), d.params[0], d.seconds * 1e6,
                   planned * 1e6, mpis * 1e6, planned / mpis);
            fflush(stdout);
        }
        free(recv);
        free(send);
    }
    hitop_model_free(model);
    MPI_Finalize();
    return 0;
}
