/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * disabled_mpi.c - MPI_Init() and MPI_Init_thread(), which combine the disabled operations of all
 * processes.
 */
#include <config.h>

#include "coll/intercept/disabled_mpi.h"

#include "coll/intercept/next_mpi.h"
#include "coll/node/wait.h"
#include "coll/runtime/attribute_mpi.h"
#include "coll/runtime/message.h"
#include "coll/runtime/plans_mpi.h"
#include "coll/twolevel/comm_state_mpi.h"
#include "hitop/text.h"
#include "hitop/version.h"

#include <mpi.h>
#include <stdlib.h>

unsigned hitop_intercept_disabled;

static void report(void)
{
    const char *verbose = getenv("HITOP_VERBOSE");
    char names[384] = "";

    if (hitop_intercept_disabled == 0 || !verbose || !verbose[0] || verbose[0] == '0') {
        return;
    }
    for (int i = 0; i < HITOP_NOPERATIONS; i++) {
        if (hitop_intercept_disabled >> i & 1) {
            hitop_text_list_name(names, sizeof(names), hitop_operations()[i].name);
        }
    }
    hitop_message("hitop %s: HITOP_DISABLE leaves to MPI: %s\n", hitop_version(), names);
}

/* Called after MPI_Init(): collective over MPI_COMM_WORLD. */
static void intercept_agree(void)
{
    struct hitop_diag diag = HITOP_DIAG_INIT;
    struct {
        int disabled[HITOP_NOPERATIONS];
        int failed; /* size - rank where this rank's variable is wrong, else 0 */
    } most = {.failed = 0};
    int rank = 0, size = 1;
    unsigned mine;

    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)PMPI_Comm_size(MPI_COMM_WORLD, &size);
    if (hitop_disabled_read(&mine, &diag) != HITOP_OK) {
        most.failed = size - rank;
    }
    for (int i = 0; i < HITOP_NOPERATIONS; i++) {
        most.disabled[i] = (mine >> i & 1) != 0;
    }
    if (PMPI_Allreduce(MPI_IN_PLACE, &most, sizeof(most) / sizeof(int), MPI_INT, MPI_MAX,
                       MPI_COMM_WORLD) != MPI_SUCCESS) {
        return;
    }
    hitop_intercept_disabled = 0;
    for (int i = 0; i < HITOP_NOPERATIONS; i++) {
        hitop_intercept_disabled |= (unsigned)most.disabled[i] << i;
    }
    if (most.failed > 0 && rank == size - most.failed) {
        hitop_message("hitop: %s; collectives are left to MPI\n", diag.message);
    } else if (most.failed == 0 && rank == 0) {
        report();
    }
}

/* Collective steps before the program makes any other call of MPI. */
static void begin(void)
{
    hitop_attribute_begin();
    hitop_comm_reserve();
    hitop_plans_reserve();
    intercept_agree();
}

HITOP_API int MPI_Init(int *argc, char ***argv);

int MPI_Init(int *argc, char ***argv)
{
    int code;

    hitop_wait_register();
    code = hitop_intercept_next.init(argc, argv);
    if (code == MPI_SUCCESS) {
        begin();
    }
    return code;
}

HITOP_API int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int code;

    hitop_wait_register();
    code = hitop_intercept_next.init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS) {
        begin();
    }
    return code;
}
