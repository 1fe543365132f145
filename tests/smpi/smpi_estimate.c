/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * smpi_estimate.c - on a simulated machine each rank measures from within and writes its model.
 *
 *     smpi_estimate TYPE flat|hosts FILE
 *
 * writes FILE.RANK.
 */
#include <config.h>

#include "hitop/measure_mpi.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct hitop_estimate_options o;
    struct hitop_model *model = NULL;
    enum hitop_status status;
    char path[1024];
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hitop_estimate_defaults(&o);
    o.type = argv[1];
    o.tree = strcmp(argv[2], "hosts") == 0 ? HITOP_TREE_HOSTS : HITOP_TREE_FLAT;
    o.max_size = o.stride = 32768;
    o.min_samples = 6;
    o.seed = 3;
    o.budget = 900;
    status = hitop_estimate(MPI_COMM_WORLD, &o, &model, NULL, &diag);
    if (status == HITOP_OK) {
        FILE *to;
        (void)snprintf(path, sizeof(path), "%s.%d", argv[3], rank);
        to = fopen(path, "w");
        status = to ? hitop_model_write(model, to, &diag) : HITOP_ERR_IO;
        if (to) {
            fclose(to);
        }
    }
    if (status != HITOP_OK) {
        fprintf(stderr, "rank %d: %s\n", rank, diag.message);
    }
    hitop_model_free(model);
    MPI_Finalize();
    return status != HITOP_OK;
}
