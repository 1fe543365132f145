/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * model_bcast.c - broadcasts by a model: predicted, done, compared with what has been sent.
 *
 *     mpirun -n 8 model_bcast model.json [ALGORITHM]
 *
 * broadcasts from rank 0 and from the last rank, messages of three lengths, by MPI_Bcast and by
 * hitop_bcast(), which takes ALGORITHM, or what the model says is the fastest. Every rank looks at
 * every byte that has come. The model needs as many ranks as the job or more, in the same order.
 */
#include <hitop/collectives_mpi.h>
#include <hitop/model.h>
#include <hitop/predict.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIONS = 9 };

static int rank, size;
static const char *algorithm = "auto"; /* the fastest, by the model */

/* Seconds of one broadcast until its last rank has it; counts the bytes that are wrong. */
static double broadcast(int (*bcast)(void *, int, MPI_Datatype, int, MPI_Comm), unsigned char *data,
                        int bytes, int root, int round, int *wrong)
{
    double seconds;

    for (int i = 0; i < bytes; i++) {
        data[i] = rank == root ? (unsigned char)(i * 7 + root + round) : 0xee;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime();
    if (bcast(data, bytes, MPI_BYTE, root, MPI_COMM_WORLD) != MPI_SUCCESS) {
        ++*wrong;
    }
    seconds = MPI_Wtime() - seconds;
    for (int i = 0; i < bytes; i++) {
        *wrong += data[i] != (unsigned char)(i * 7 + root + round);
    }
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return seconds;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* What the model says of it; NaN where it says nothing. */
static double predicted(const struct hitop_cost *cost, int bytes, int root)
{
    const struct hitop_predict_args args = {.operation = "bcast",
                                            .algorithm = algorithm,
                                            .size = size,
                                            .root = root,
                                            .bytes = (size_t)bytes,
                                            .cost = cost};
    double seconds;

    return hitop_predict(&args, &seconds, NULL) == HITOP_OK ? seconds : NAN;
}

/* MPI and Hitop in turns, so that whatever disturbs one of them disturbs the other one, too. */
static int compare(const struct hitop_cost *cost, int bytes, int root)
{
    double mpi[REPETITIONS], hitop[REPETITIONS];
    unsigned char *data = malloc((size_t)bytes);
    int wrong = data == NULL;

    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < REPETITIONS && wrong == 0; i++) {
        mpi[i] = broadcast(MPI_Bcast, data, bytes, root, i, &wrong);
        hitop[i] = broadcast(hitop_bcast, data, bytes, root, i + 100, &wrong);
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    free(data);
    if (rank == 0 && wrong == 0) {
        const char *served =
            hitop_coll_last(MPI_COMM_WORLD); /* "": MPI, as where there is one rank */
        qsort(mpi, REPETITIONS, sizeof(*mpi), ascending);
        qsort(hitop, REPETITIONS, sizeof(*hitop), ascending);
        printf("%10d %6d  %-16s %12.1f %12.1f %12.1f\n", bytes, root, *served ? served : "mpi",
               1e6 * predicted(cost, bytes, root), 1e6 * hitop[REPETITIONS / 2],
               1e6 * mpi[REPETITIONS / 2]);
    }
    return wrong == 0;
}

static int compare_all(const struct hitop_cost *cost)
{
    static const int bytes[] = {1, 65536, 1 << 20};
    int right = 1;

    if (rank == 0) {
        printf("%10s %6s  %-16s %12s %12s %12s\n", "size_B", "root", "algorithm", "predicted_us",
               "hitop_us", "mpi_us");
    }
    for (int i = 0; i < 3 && right; i++) {
        right = compare(cost, bytes[i], 0);
        right = right && (size == 1 || compare(cost, bytes[i], size - 1));
    }
    return right;
}

/* Rank 0 reads the model and broadcasts whether it has one. */
static enum hitop_status take_model(const char *path, struct hitop_model **model,
                                    struct hitop_cost *cost, struct hitop_diag *diag)
{
    int status = HITOP_OK;

    if (rank == 0) {
        status = hitop_model_read(path, model, diag);
        if (status == HITOP_OK && hitop_model_nranks(*model) < size) {
            status = hitop_fail(diag, HITOP_ERR_INVALID, "%s: has %d ranks, this job %d", path,
                                hitop_model_nranks(*model), size);
        }
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (status != HITOP_OK) {
        return (enum hitop_status)status;
    }
    if (rank == 0) {
        *cost = hitop_model_cost(*model);
    }
    return hitop_coll_set_cost(MPI_COMM_WORLD, rank == 0 ? cost : NULL, diag);
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
    int code = EXIT_SUCCESS;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    algorithm = argc > 2 ? argv[2] : algorithm;
    if (asks_for_help(argc, argv)) {
        if (rank == 0) {
            printf(
                "usage: mpirun -n RANKS model_bcast MODEL [ALGORITHM]\n"
                "Time broadcasts by MPI_Bcast and by hitop_bcast() in turns, and check their "
                "data.\n"
                "ALGORITHM is one of predict_collective --list; the fastest by the model if none "
                "is given.\n");
        }
    } else if (argc < 2 || argc > 3) {
        (void)hitop_fail(&diag, HITOP_ERR_INVALID, "usage: model_bcast MODEL [ALGORITHM]");
        code = 2;
    } else if (take_model(argv[1], &model, &cost, &diag) != HITOP_OK) {
        code = 3;
    } else if (hitop_coll_set(MPI_COMM_WORLD, "bcast", algorithm, &diag) != HITOP_OK ||
               hitop_coll_set(MPI_COMM_WORLD, "choice", "now", &diag) != HITOP_OK) {
        code = 2;
    } else if (!compare_all(&cost)) {
        (void)hitop_fail(&diag, HITOP_ERR_MPI, "what has come is not what was sent");
        code = EXIT_FAILURE;
    }
    if (code != EXIT_SUCCESS && rank == 0) {
        fprintf(stderr, "model_bcast: %s\n", diag.message);
    }
    MPI_Finalize(); /* before the model goes, from which communicators take their prices */
    hitop_model_free(model);
    return code;
}
