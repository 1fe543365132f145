/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * private.c - a formula and a tree of one's own, in a program that only links Hitop.
 *
 *     mpirun -n 4 private private.json
 *
 * registers both, reads a model file in that formula, predicts broadcasts by that tree and by
 * others, then broadcasts by that tree and looks at what has come. All ranks register the same,
 * before the first collective.
 */
#include "private.h"

#include <hitop/collectives_mpi.h>
#include <hitop/predict.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 100000 };

static enum hitop_status register_all(struct hitop_diag *diag)
{
    enum hitop_status status = hitop_model_type_register(&private_model_knee, diag);

    return status == HITOP_OK ? hitop_tree_builder_register(&private_tree_comb, diag) : status;
}

/* On rank 0, which alone reads the model, for all ranks that it has. */
static enum hitop_status predict(const struct hitop_model *model, const struct hitop_cost *cost,
                                 struct hitop_diag *diag)
{
    static const char *const tree[] = {"comb", "binomial", "ecef"};
    static const double teeth[] = {3};
    struct hitop_predict_args args = {
        .operation = "bcast", .size = hitop_model_nranks(model), .bytes = BYTES, .cost = cost};
    enum hitop_status status = HITOP_OK;
    double seconds;

    printf("%-10s %12s\n", "bcast", "time_us");
    for (int i = 0; i < 3 && status == HITOP_OK; i++) {
        args.algorithm = tree[i];
        args.tree_params = i == 0 ? teeth : NULL; /* others have no parameters */
        status = hitop_predict(&args, &seconds, diag);
        if (status == HITOP_OK) {
            printf("%-10s %12.3f\n", tree[i], 1e6 * seconds);
        }
    }
    return status;
}

/* By the comb, with teeth of its own; every rank looks at every byte. */
static enum hitop_status broadcast(int rank, struct hitop_diag *diag)
{
    static unsigned char data[BYTES];
    enum hitop_status status = hitop_coll_set(MPI_COMM_WORLD, "bcast", "comb:teeth=3", diag);
    int wrong = 0;

    if (status != HITOP_OK) {
        return status;
    }
    for (int i = 0; i < BYTES; i++) {
        data[i] = (unsigned char)(rank == 0 ? i % 251 : 0xff);
    }
    hitop_bcast(data, BYTES, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < BYTES; i++) {
        wrong += data[i] != (unsigned char)(i % 251);
    }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (wrong > 0) {
        return hitop_fail(diag, HITOP_ERR_MPI, "%d bytes are wrong", wrong);
    }
    if (rank == 0) {
        printf("broadcast by %s: all ranks have it\n", hitop_coll_last(MPI_COMM_WORLD));
    }
    return HITOP_OK;
}

/* -h or --help, alone. */
static int asks_for_help(int argc, char **argv)
{
    return argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0);
}

int main(int argc, char **argv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    struct hitop_cost cost = {0};
    int status, rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (asks_for_help(argc, argv)) {
        if (rank == 0) {
            printf(
                "usage: mpirun -n RANKS private [MODEL]\n"
                "Broadcast by a formula and a tree of this program's own; MODEL is private.json by "
                "default.\n");
        }
        MPI_Finalize();
        return EXIT_SUCCESS;
    }
    status = register_all(&diag);
    if (status == HITOP_OK && rank == 0) {
        status = hitop_model_read(argc > 1 ? argv[1] : "private.json", &model, &diag);
        if (status == HITOP_OK) {
            cost = hitop_model_cost(model);
            status = predict(model, &cost, &diag);
        }
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (status == HITOP_OK) {
        status = hitop_coll_set_cost(MPI_COMM_WORLD, rank == 0 ? &cost : NULL, &diag);
    }
    if (status == HITOP_OK) {
        status = broadcast(rank, &diag);
    }
    if (status != HITOP_OK && rank == 0) {
        fprintf(stderr, "private: %s\n", diag.message);
    }
    MPI_Finalize(); /* before the model goes, from which communicators take their prices */
    hitop_model_free(model);
    return status == HITOP_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
