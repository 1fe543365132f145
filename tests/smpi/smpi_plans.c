/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smpi_plans.c - run the plans that were predicted on a machine whose truth is known, and compare.
 *
 * usage: smpi_plans HOSTFILE TRUTHFILE [TOLERANCE], under smpi-run.sh with one-port sends
 *        smpi_plans MODEL.json TOLERANCE, with eager sends and the capacities of the model
 *
 * With a tolerance the cables of the hosts are shared; the prediction without that is
 * printed, too. Rank 0 plans for all; as simulated
 * ranks share one process, it hands each its plan by its address. Each rank sleeps until an agreed
 * time before each plan, because the exit of a barrier is not simultaneous.
 */
#include <config.h>

#include "coll/runtime/exec_mpi.h"
#include "hitop/choice.h"
#include "hitop/model.h"
#include "tests/smpi/simgrid_truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double tolerance = 1e-4; /* relative, for the slowest rank */
static int one_port = 1;

/* The root is a share of the ranks. */
static const struct {
    const char *operation, *algorithm;
    size_t bytes;
    double segment;
    double root;
} cases[] = {
    {"bcast", "binomial", 65536, 0, 0},
    {"bcast", "binomial", 1, 0, 0.97},
    {"bcast", "chain", 65537, 3000, 0.4},
    {"bcast", "flat", 65536, 0, 0},
    {"bcast", "binary", 65536, 8192, 0.15},
    {"bcast", "ecef", 1048576, 65536, 0.1},
    {"bcast", "nested", 1048576, 16384, 0.7},
    {"bcast", "dfs_largest_min", 8192, 0, 0},
    {"reduce", "binomial", 65536, 0, 0},
    {"reduce", "bfs_min", 65536, 8192, 0.6},
    {"reduce", "ecef", 1048576, 0, 0},
    {"scatter", "binomial", 5000, 0, 0},
    {"scatter", "ucs_max", 5000, 0, 0.3},
    {"gather", "binomial", 5000, 0, 0},
    {"gather", "flat", 5000, 0, 0.5},
    {"gather", "nested", 5000, 0, 0.9},
    {"allgather", "ring", 3000, 0, 0},
    {"allgather", "bruck", 3000, 0, 0},
    {"allgather", "recursive_doubling", 3000, 0, 0},
    {"bcast", "scatter_ring", 65536, 0, 0.3},
    {"allreduce", "recursive_doubling", 65536, 0, 0},
    {"allreduce", "rabenseifner", 65536, 0, 0},
    {"alltoall", "pairwise", 1000, 0, 0},
    {"alltoall", "bruck", 100, 0, 0},
    {"barrier", "dissemination", 0, 0, 0},
};
enum { NCASES = sizeof(cases) / sizeof(cases[0]) };

static int rank, size;

static void sleep_until(double when)
{
    for (double left = when - MPI_Wtime(); left > 1e-9; left = when - MPI_Wtime()) {
        const struct timespec t = {(time_t)left, (long)((left - floor(left)) * 1e9)};
        nanosleep(&t, NULL);
    }
}

static void give_up(const char *what, int c, const struct hitop_diag *diag)
{
    fprintf(stderr, "smpi_plans: rank %d, %s %s: %s\n", rank, what, c < 0 ? "" : cases[c].operation,
            diag->message);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static enum hitop_status plan_case(const struct hitop_cost *cost, int c, struct hitop_plan **out,
                                   struct hitop_diag *diag)
{
    struct hitop_call call = {
        .size = size, .root = (int)(cases[c].root * size), .bytes = cases[c].bytes};
    struct hitop_choice choice;
    struct hitop_plan_args args;
    struct hitop_algorithm algorithm;
    enum hitop_status status = hitop_operation_find(cases[c].operation, &call.operation, diag);

    if (status == HITOP_OK) {
        status = hitop_algorithm_find(call.operation, cases[c].algorithm, &algorithm, diag);
    }
    if (status != HITOP_OK) {
        return status;
    }
    choice = hitop_choice_default(algorithm);
    (void)hitop_choice_cut(&choice, cases[c].segment);
    args = hitop_choice_plan_args(&choice, &call, cost);
    return hitop_plan_build(&args, out, diag);
}

/* Memory that the steps touch. */
static size_t extent(const struct hitop_sched *sched, enum hitop_buffer buffer)
{
    size_t count, most = 1;
    const struct hitop_step *steps = hitop_sched_steps(sched, &count);

    for (size_t i = 0; i < count; i++) {
        const struct hitop_span *span = &steps[i].span;
        const int is_local = steps[i].kind == HITOP_STEP_COPY || steps[i].kind == HITOP_STEP_REDUCE;
        if (span->buffer == buffer && span->offset + span->bytes > most) {
            most = span->offset + span->bytes;
        }
        if (is_local && steps[i].source == buffer && steps[i].source_offset + span->bytes > most) {
            most = steps[i].source_offset + span->bytes;
        }
    }
    return most;
}

/* Seconds from the agreed time until this rank has done its plan. */
static double execute(const struct hitop_sched *sched, int c)
{
    const struct exec_mpi exec = {
        .comm = MPI_COMM_WORLD, .tag = 17, .op = MPI_BXOR, .one_port = one_port};
    const double start = 100.0 * (c + 1);
    struct exec_memory memory[HITOP_NBUFFERS];
    struct hitop_diag diag = HITOP_DIAG_INIT;
    enum hitop_status status = HITOP_OK;

    for (int b = 0; b < HITOP_NBUFFERS; b++) {
        memory[b] = exec_bytes(calloc(1, extent(sched, (enum hitop_buffer)b)));
        status = memory[b].base ? status : HITOP_ERR_NOMEM;
    }
    sleep_until(start);
    if (status == HITOP_OK && fabs(MPI_Wtime() - start) > 2e-9) {
        status = hitop_fail(&diag, HITOP_ERR_INVALID, "started at %.12g", MPI_Wtime());
    }
    if (status == HITOP_OK) {
        status = hitop_exec_mpi_run(&exec, sched, memory, &diag);
    }
    if (status != HITOP_OK) {
        give_up("execution", c, &diag);
    }
    for (int b = 0; b < HITOP_NBUFFERS; b++) {
        free(memory[b].base);
    }
    return MPI_Wtime() - start;
}

static double latest(const double *finish)
{
    double last = 0;

    for (int r = 0; r < size; r++) {
        last = fmax(last, finish[r]);
    }
    return last;
}

static double predict(const struct hitop_cost *cost, const struct hitop_plan *plan, int c,
                      double *finish)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (hitop_sched_predict(plan->sched, size, cost, finish, &diag) != HITOP_OK) {
        give_up("prediction", c, &diag);
    }
    return latest(finish);
}

/* Compare what was seen with what was predicted; 1 when they differ. */
static int compare(int c, double predicted, double unshared, double simulated)
{
    const double error = fabs(simulated - predicted) / predicted;

    printf("%-8s %-15s %7zu B  segment %5g B  root %3d  predicted %12.3f us  simulated %12.3f us  "
           "off by %.1e",
           cases[c].operation, cases[c].algorithm, cases[c].bytes, cases[c].segment,
           (int)(cases[c].root * size), predicted * 1e6, simulated * 1e6, error);
    if (unshared < predicted) {
        printf(", without sharing %.1e", fabs(simulated - unshared) / unshared);
    }
    printf("\n");
    return !(error <= tolerance);
}

/* All ranks run one case; 1 on rank 0 when it took another time than predicted. */
static int run(const struct hitop_cost *cost, int c, double *finish)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_plan *plan = NULL;
    const struct hitop_sched *mine = NULL;
    double predicted = 0, unshared = 0, simulated;
    int bad = 0;

    if (rank == 0) {
        struct hitop_cost alone = *cost;
        alone.crossings = NULL;
        if (plan_case(cost, c, &plan, &diag) != HITOP_OK) {
            give_up("plan", c, &diag);
        }
        predicted = predict(cost, plan, c, finish);
        unshared = predict(&alone, plan, c, finish);
    }
    MPI_Scatter(plan ? plan->sched : NULL, sizeof(mine), MPI_BYTE, &mine, sizeof(mine), MPI_BYTE, 0,
                MPI_COMM_WORLD);
    simulated = execute(mine, c);
    MPI_Gather(&simulated, 1, MPI_DOUBLE, finish, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        bad = compare(c, predicted, unshared, latest(finish));
    }
    hitop_plan_free(plan); /* all ranks have sent their times */
    return bad;
}

static void read_cost(int argc, char **argv, struct hitop_cost *cost, struct hitop_model **model)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    const enum hitop_status status = one_port ? simgrid_truth_read(argv[1], argv[2], cost, &diag)
                                              : hitop_model_read(argv[1], model, &diag);

    if (status != HITOP_OK) {
        give_up("truth", -1, &diag);
    }
    if (!one_port) {
        *cost = hitop_model_cost(*model);
    } else if (argc == 4) {
        simgrid_truth_share(cost);
    }
    if (!one_port || argc == 4) {
        tolerance = strtod(argv[argc - 1], NULL);
    }
}

int main(int argc, char **argv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_cost cost = {0};
    struct hitop_model *model = NULL;
    double *finish;
    int bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    finish = calloc((size_t)size, sizeof(*finish));
    one_port = argc < 2 || !strstr(argv[1], ".json");
    if (argc < 3 || argc > 4 || !finish) {
        (void)hitop_fail(
            &diag, HITOP_ERR_INVALID,
            "usage: smpi_plans HOSTFILE TRUTHFILE [TOLERANCE] or MODEL.json TOLERANCE");
        give_up("start", -1, &diag);
    }
    if (rank == 0) {
        read_cost(argc, argv, &cost, &model);
    }
    for (int c = 0; c < NCASES; c++) {
        bad += run(&cost, c, finish);
    }
    MPI_Bcast(&bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (model) {
        hitop_model_free(model);
    } else {
        simgrid_truth_free(&cost);
    }
    free(finish);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
