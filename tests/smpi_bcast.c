/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smpi_bcast.c - run the plan that was predicted on a machine whose truth is known, and compare.
 *
 * usage: smpi_bcast HOSTFILE TRUTHFILE, under smpi-run.sh with one-port sends. Each rank sleeps
 * until an agreed time before each broadcast, because the exit of a barrier is not simultaneous.
 */
#include <config.h>

#include "../coll/runtime/exec_mpi.h"
#include "hitop/coll.h"
#include "simgrid_truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double tolerance = 1e-4; /* relative, for every rank of every broadcast */

static const struct {
    const char *tree;
    size_t bytes;
    double segment;
    int root;
} cases[] = {
    {"binomial", 65536, 0, 0},    {"chain", 65536, 0, 0},      {"flat", 65536, 0, 0},
    {"ecef", 65536, 0, 0},        {"bfs_min", 65536, 0, 19},   {"knomial", 65536, 0, 7},
    {"chain", 65536, 8192, 0},    {"chain", 65537, 3000, 13},  {"binary", 65536, 8192, 5},
    {"binomial", 65536, 4096, 0}, {"ecef", 1048576, 65536, 3}, {"binomial", 1, 0, 31},
    {"nested", 65536, 0, 0},      {"nested", 1048576, 0, 22},
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

/* Predicted completion of all ranks, worked out by every rank alike. */
static enum hitop_status predict(const struct hitop_cost *cost, const struct hitop_tree *tree,
                                 int c, struct hitop_sched **mine, double *finish,
                                 struct hitop_diag *diag)
{
    struct hitop_sched **scheds = calloc((size_t)size, sizeof(struct hitop_sched *));
    enum hitop_status status = scheds ? HITOP_OK : HITOP_ERR_NOMEM;

    for (int r = 0; r < size && status == HITOP_OK; r++) {
        const struct hitop_coll_args args = {
            .rank = r, .size = size, .root = cases[c].root, .bytes = cases[c].bytes, .tree = tree};
        status = hitop_coll_plan("bcast_tree", &args, &cases[c].segment, &scheds[r], diag);
    }
    if (status == HITOP_OK) {
        status = hitop_sched_predict(scheds, size, cost, finish, diag);
        *mine = scheds[rank];
        scheds[rank] = NULL;
    }
    for (int r = 0; scheds && r < size; r++) {
        hitop_sched_free(scheds[r]);
    }
    free(scheds);
    return status;
}

static enum hitop_status run(const struct hitop_cost *cost, int c, double *predicted,
                             double *simulated, struct hitop_diag *diag)
{
    const struct hitop_tree_args tree_args = {size, cases[c].root, cases[c].bytes, cost};
    const struct exec_mpi exec = {MPI_COMM_WORLD, 17, 0, MPI_OP_NULL};
    unsigned char *buffer = malloc(cases[c].bytes);
    const struct exec_memory memory[HITOP_NBUFFERS] = {[HITOP_BUFFER_RECV] = exec_bytes(buffer)};
    struct hitop_tree *tree = NULL;
    struct hitop_sched *sched = NULL;
    enum hitop_status status = HITOP_ERR_NOMEM;
    double start;

    if (!buffer) {
        goto out;
    }
    memset(buffer, rank == cases[c].root ? 0x5a : 0, cases[c].bytes);
    status = hitop_tree_build(cases[c].tree, &tree_args, NULL, &tree, diag);
    if (status == HITOP_OK) {
        status = predict(cost, tree, c, &sched, predicted, diag);
    }
    if (status != HITOP_OK) {
        goto out;
    }
    sleep_until(100.0 * (c + 1));
    start = MPI_Wtime();
    status = exec_mpi_run(&exec, sched, memory, diag);
    *simulated = MPI_Wtime() - start;
    if (status == HITOP_OK && fabs(start - 100.0 * (c + 1)) > 2e-9) {
        status = hitop_fail(diag, HITOP_ERR_INVALID, "started at %.12g", start);
    }
    for (size_t i = 0; i < cases[c].bytes && status == HITOP_OK; i++) {
        if (buffer[i] != 0x5a) {
            status = hitop_fail(diag, HITOP_ERR_INVALID, "byte %zu is wrong", i);
        }
    }

out:
    hitop_sched_free(sched);
    hitop_tree_free(tree);
    free(buffer);
    return status;
}

/* Rank 0 compares what each rank saw with what was predicted; 1 when they differ. */
static int compare(int c, const double *predicted, const double *simulated)
{
    double worst = 0, last_predicted = 0, last_simulated = 0;

    for (int r = 0; r < size; r++) {
        const double error = fabs(simulated[r] - predicted[r]);
        worst = fmax(worst, predicted[r] > 0 ? error / predicted[r] : error);
        last_predicted = fmax(last_predicted, predicted[r]);
        last_simulated = fmax(last_simulated, simulated[r]);
    }
    printf("%-9s %7zu B  segment %5g B  root %2d  predicted %12.6f us  simulated %12.6f us  "
           "worst rank off by %.1e\n",
           cases[c].tree, cases[c].bytes, cases[c].segment, cases[c].root, last_predicted * 1e6,
           last_simulated * 1e6, worst);
    return !(worst <= tolerance);
}

int main(int argc, char **argv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_cost cost = {0};
    double *predicted = NULL, *all = NULL;
    int bad = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    predicted = calloc((size_t)size, sizeof(*predicted));
    all = calloc((size_t)size, sizeof(*all));
    if (argc != 3 || !predicted || !all ||
        simgrid_truth_read(argv[1], argv[2], &cost, &diag) != HITOP_OK) {
        fprintf(stderr, "smpi_bcast: %s\n",
                diag.message[0] ? diag.message : "usage: smpi_bcast HOSTFILE TRUTHFILE");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    for (int c = 0; c < NCASES; c++) {
        double simulated = 0;
        if (run(&cost, c, predicted, &simulated, &diag) != HITOP_OK) {
            fprintf(stderr, "smpi_bcast: rank %d, %s: %s\n", rank, cases[c].tree, diag.message);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        MPI_Gather(&simulated, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        bad += rank == 0 && compare(c, predicted, all);
    }
    MPI_Bcast(&bad, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    simgrid_truth_free(&cost);
    free(all);
    free(predicted);
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
