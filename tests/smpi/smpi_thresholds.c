/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smpi_thresholds.c - the thresholds of linear scatter on a machine that changes its ways at a
 * known size.
 *
 * usage: smpi_thresholds SIZE, under smpi-run.sh with sends that return at once below the size and
 * wait for the receiver from there on.
 */
#include <config.h>

#include "models/fans/fan_mpi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NSIZES = 20, STEP = 2048 };

int main(int argc, char **argv)
{
    const struct hitop_clock_options quick = {.exchanges = 3, .moments = 3, .span = 0.1};
    struct hitop_common_clock *clock = NULL;
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_fan_request request = {.nsizes = NSIZES};
    double found[HITOP_NTHRESHOLDS] = {0}, expected;
    size_t sizes[NSIZES];
    int rank, bad;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < NSIZES; i++) {
        sizes[i] = STEP * (i + 1);
    }
    request.sizes = sizes;
    hitop_timing_defaults(&request.timing);
    if (argc != 2 ||
        hitop_common_clock_create(MPI_COMM_WORLD, NULL, &quick, &clock, &diag) != HITOP_OK ||
        hitop_fan_thresholds(clock, &request, STEP, found, NULL, &diag) != HITOP_OK) {
        fprintf(stderr, "smpi_thresholds: %s\n", diag.message);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    hitop_common_clock_free(clock);
    expected = STEP * ceil(atof(argc == 2 ? argv[1] : "0") / STEP);
    bad = found[HITOP_S] != expected || !isnan(found[HITOP_M1]) || !isnan(found[HITOP_M2]) ||
          !(found[HITOP_SCATTER_LARGE_B] > 3 * found[HITOP_SCATTER_SMALL_B]);
    if (rank == 0) {
        printf("S %g, expected %g; M1 %g, M2 %g; scatter %.3g us + %.3g us/kB, then %.3g + %.3g\n",
               found[HITOP_S], expected, found[HITOP_M1], found[HITOP_M2],
               1e6 * found[HITOP_SCATTER_SMALL_A], 1e9 * found[HITOP_SCATTER_SMALL_B],
               1e6 * found[HITOP_SCATTER_LARGE_A], 1e9 * found[HITOP_SCATTER_LARGE_B]);
    }
    MPI_Finalize();
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
