/* SPDX-License-Identifier: BSD-3-Clause */
/* tool_mpi.c - begin and end of every tool that runs under mpirun. */
#include <config.h>

#include "hierarchy/job/origin_mpi.h"
#include "tools/common/tool_mpi.h"

#include "hitop/text.h"

#include <limits.h>

/* The rank from the launcher's environment, before MPI_Init(); NULL: unknown. */
static const char *launched_rank(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                            "SLURM_PROCID"};
    const char *rank = NULL;

    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]) && !rank; i++) {
        rank = getenv(variables[i]);
    }
    return rank;
}

int tool_mpi_is_later_rank(void)
{
    const char *rank = launched_rank();

    return rank && strcmp(rank, "0") != 0;
}

int tool_mpi_is_launched(void)
{
#ifdef SMPI_H
    return 1;
#else
    /* of Open MPI, Hydra and others with PMI, PMIx, srun, Flux, jsrun and PALS */
    static const char *const variables[] = {
        "OMPI_COMM_WORLD_SIZE", "PMI_RANK",       "PMI_SIZE",           "PMIX_RANK",
        "SLURM_STEP_ID",        "FLUX_TASK_RANK", "JSM_NAMESPACE_RANK", "PALS_RANKID"};

    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        if (getenv(variables[i])) {
            return 1;
        }
    }
    return 0;
#endif
}

static void warn_alone(const struct tool *tool, int is_launched)
{
    int size = 0;

    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1 && !is_launched) {
        tool_error(tool,
                   "warning: there is one rank, because mpirun did not start this; for more, "
                   "'mpirun -n N %s ...'",
                   tool->name);
    }
}

static int begin(struct tool *tool, int *argc, char ***argv)
{
    int rank = 0;

    (void)MPI_Init(argc, argv);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    tool->quiet = rank != 0;
    return rank;
}

/* Processes that the launcher started, if each is alone in its MPI_COMM_WORLD; else 0. */
static int started_apart(void)
{
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};
    int size = 0, most = 0;

    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        const char *text = getenv(variables[i]);
        int launched = 0;

        if (text && hitop_text_int(text, 1, INT_MAX, &launched, NULL) == HITOP_OK) {
            if (launched == size) {
                return 0;
            }
            most = launched > most ? launched : most;
        }
    }
    return size == 1 ? most : 0;
}

int tool_mpi_start(struct tool *tool, int *argc, char ***argv)
{
    const int is_launched = tool_mpi_is_launched(); /* MPI may set such variables itself */
    const int rank = begin(tool, argc, argv), apart = started_apart();
    char library[MPI_MAX_LIBRARY_VERSION_STRING];

    if (apart > 0) { /* all would write the same files */
        hitop_mpi_library(library);
        tool->quiet = tool_mpi_is_later_rank();
        tool_error(tool,
                   "%d processes that know nothing of each other: their launcher is not of %s",
                   apart, library);
        exit(tool_mpi_finish(TOOL_FAILED));
    }
    warn_alone(tool, is_launched);
    return rank;
}

int tool_mpi_finish(int exit_status)
{
    (void)MPI_Bcast(&exit_status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    (void)MPI_Finalize();
    return exit_status;
}

int tool_mpi_leave(struct tool *tool, int exit_status)
{
    if (!launched_rank()) {
        return exit_status;
    }
    (void)begin(tool, NULL, NULL);
    return tool_mpi_finish(exit_status);
}

void tool_mpi_abort(const struct tool *tool, const struct hitop_diag *diag)
{
    const struct timespec pause = {.tv_nsec = 300000000};
    struct tool loud = *tool;

    if (tool->quiet) {
        (void)nanosleep(&pause, NULL);
    }
    loud.quiet = 0;
    tool_error(&loud, "%s", diag->message);
    (void)MPI_Abort(MPI_COMM_WORLD, TOOL_FAILED);
}
