/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * matmul.c - the product of two matrices by ranks that are not equally fast.
 *
 *     mpirun -n 4 matmul [-n ROWS] [-m model.json] [-a ALGORITHM] [-s RANK:FACTOR]... [-r RUNS]
 *
 * Every rank first measures how fast it multiplies, all at once, as they will work. Rank 0 deals
 * the rows of A out in proportion (scatterv), all get B (bcast), each rank multiplies its rows,
 * rank 0 collects C (gatherv).
 *
 * Three ways take turns: equal shares by MPI, shares by speed by MPI, shares by speed by Hitop,
 * whose collectives take ALGORITHM (such as dfs_min) or what the model says is the fastest. Medians
 * of the turns are printed, and each C is compared with a product that rank 0 makes alone. -s makes
 * a rank do its work FACTOR times, to try unlike ranks on one host.
 */
#include "matmul.h"

#include <hitop/collectives_mpi.h>
#include <hitop/model.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The collectives of one library. */
struct way {
    const char *shares, *collectives;
    int by_speed;
    int (*scatterv)(const void *, const int[], const int[], MPI_Datatype, void *, int, MPI_Datatype,
                    int, MPI_Comm);
    int (*bcast)(void *, int, MPI_Datatype, int, MPI_Comm);
    int (*gatherv)(const void *, int, MPI_Datatype, void *, const int[], const int[], MPI_Datatype,
                   int, MPI_Comm);
};

static const struct way ways[] = {
    {"equal", "mpi", 0, MPI_Scatterv, MPI_Bcast, MPI_Gatherv},
    {"by speed", "mpi", 1, MPI_Scatterv, MPI_Bcast, MPI_Gatherv},
    {"by speed", "hitop", 1, hitop_scatterv, hitop_bcast, hitop_gatherv},
};
enum { NWAYS = sizeof(ways) / sizeof(ways[0]) };

/* Seconds of the slowest rank. */
struct times {
    double all, multiply;
};

static struct matrices m;
static struct matmul_options options;
static int rank, size;

/* Rows per second that this rank multiplies: some of B by itself, for a measurable time. */
static double measure_speed(void)
{
    const double start = MPI_Wtime();
    int rows = 0;

    while (rows == 0 || MPI_Wtime() - start < 0.05) {
        matmul_rows(m.part, m.b, m.part_of_c, 1, m.n, options.factor[rank]);
        rows++;
    }
    return rows / (MPI_Wtime() - start);
}

/* C = A B with the collectives of `way`; shares are in numbers, that is, in rows times n. */
static struct times multiply(const struct way *way, const int *count, const int *displ)
{
    struct times t;
    double start, begin;

    matmul_forget_product(&m);
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    way->scatterv(m.a, count, displ, MPI_DOUBLE, m.part, count[rank], MPI_DOUBLE, 0,
                  MPI_COMM_WORLD);
    way->bcast(m.b, m.n * m.n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    begin = MPI_Wtime();
    matmul_rows(m.part, m.b, m.part_of_c, count[rank] / m.n, m.n, options.factor[rank]);
    t.multiply = MPI_Wtime() - begin;
    way->gatherv(m.part_of_c, count[rank], MPI_DOUBLE, m.c, count, displ, MPI_DOUBLE, 0,
                 MPI_COMM_WORLD);
    t.all = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &t, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return t;
}

/* All ways in turns. 1: every product was right. */
static int run(const int *count[2], const int *displ[2])
{
    double *all[NWAYS], *busy[NWAYS];
    int right = 1;

    for (int w = 0; w < NWAYS; w++) {
        all[w] = calloc((size_t)options.runs, sizeof(double));
        busy[w] = calloc((size_t)options.runs, sizeof(double));
        right = right && all[w] && busy[w];
    }
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int i = -1; i < options.runs && right;
         i++) { /* the first turn, in which ways are chosen, is not counted */
        for (int w = 0; w < NWAYS && right; w++) {
            const int by_speed = ways[w].by_speed;
            const struct times t = multiply(&ways[w], count[by_speed], displ[by_speed]);
            if (i >= 0) {
                all[w][i] = t.all;
                busy[w][i] = t.multiply;
            }
            right = matmul_is_right(&m); /* on rank 0; others have nothing to compare */
            MPI_Bcast(&right, 1, MPI_INT, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0 && right) {
        printf("%-10s %-12s %12s %12s\n", "shares", "collectives", "time_ms", "multiply_ms");
        for (int w = 0; w < NWAYS; w++) {
            printf("%-10s %-12s %12.3f %12.3f\n", ways[w].shares, ways[w].collectives,
                   1e3 * matmul_median(all[w], options.runs),
                   1e3 * matmul_median(busy[w], options.runs));
        }
    }
    for (int w = 0; w < NWAYS; w++) {
        free(all[w]);
        free(busy[w]);
    }
    return right;
}

/* Both shares of all ranks, and the products. */
static int measure_and_run(void)
{
    double *speed = calloc((size_t)size, sizeof(*speed));
    int *shares = calloc(4 * (size_t)size, sizeof(*shares)), right = speed && shares;
    int *const equal = shares, *const by_speed = shares + 2 * size;

    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!right) {
        free(shares);
        free(speed);
        return 0;
    }
    for (int r = 0; r < size; r++) {
        speed[r] = 1;
    }
    matmul_share(speed, size, m.n, equal, equal + size);
    MPI_Barrier(MPI_COMM_WORLD);
    speed[rank] = measure_speed();
    MPI_Allgather(MPI_IN_PLACE, 1, MPI_DOUBLE, speed, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    matmul_share(speed, size, m.n, by_speed, by_speed + size);
    for (int r = 0; rank == 0 && r < size; r++) {
        printf("%s%10d %14.0f %8d\n", r == 0 ? "#     rank   rows_per_s     rows\n" : "", r,
               speed[r], by_speed[r] / m.n);
    }
    right = run((const int *[]){equal, by_speed}, (const int *[]){equal + size, by_speed + size});
    free(shares);
    free(speed);
    return right;
}

/*
 * The prices of the machine, if there is a model, and the algorithms. Rank 0 reads; all learn how
 * it went.
 */
static enum hitop_status prepare(struct hitop_model **model, struct hitop_cost *cost,
                                 struct hitop_diag *diag)
{
    static const char *const operation[] = {"scatterv", "bcast", "gatherv"};
    int status = HITOP_OK;

    if (rank == 0 && options.model) {
        status = hitop_model_read(options.model, model, diag);
        if (status == HITOP_OK) {
            *cost = hitop_model_cost(*model);
        }
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (status == HITOP_OK && options.model) {
        status = hitop_coll_set_cost(MPI_COMM_WORLD, rank == 0 ? cost : NULL, diag);
        MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 3 && status == HITOP_OK; i++) {
        status = hitop_coll_set(MPI_COMM_WORLD, operation[i], options.algorithm, diag);
    }
    if (status == HITOP_OK) { /* all ranks know all shares here */
        status = hitop_coll_set(MPI_COMM_WORLD, "counts", "known", diag);
    }
    return (enum hitop_status)status;
}

/* -h or --help, alone. */
static int asks_for_help(int argc, char **argv)
{
    return argc == 2 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0);
}

static void print_help(void)
{
    printf(
        "%s\n"
        "Multiply matrices of ROWS rows (240) RUNS times (5), with equal shares and with shares by "
        "measured speed.\n"
        "With MODEL, Hitop's collectives run ALGORITHM, or the fastest by the model (auto).\n"
        "-s makes RANK do its work FACTOR times.\n",
        MATMUL_USAGE);
}

int main(int argc, char **argv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_model *model = NULL;
    struct hitop_cost cost = {0};
    enum hitop_status status;
    int code = EXIT_SUCCESS;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (asks_for_help(argc, argv)) {
        if (rank == 0) {
            print_help();
        }
    } else if (matmul_parse(&options, argc, argv, size, &diag) != HITOP_OK) {
        code = 2;
    } else if ((status = prepare(&model, &cost, &diag)) != HITOP_OK) {
        code = status == HITOP_ERR_NOTFOUND ? 2 : 3; /* no such algorithm, or no such model */
    } else {
        int ready = matmul_make(&m, options.n, rank);
        MPI_Allreduce(MPI_IN_PLACE, &ready, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (!ready) {
            code = EXIT_FAILURE;
            (void)hitop_fail(&diag, HITOP_ERR_NOMEM, "no memory for matrices of %d rows",
                             options.n);
        } else if (!measure_and_run()) {
            code = EXIT_FAILURE;
            (void)hitop_fail(&diag, HITOP_ERR_MPI, "the product is wrong, or out of memory");
        }
        matmul_clear(&m);
    }
    if (code != EXIT_SUCCESS && rank == 0) {
        fprintf(stderr, "matmul: %s\n", diag.message);
    }
    matmul_options_clear(&options);
    MPI_Finalize(); /* before the model goes, from which communicators take their prices */
    hitop_model_free(model);
    return code;
}
