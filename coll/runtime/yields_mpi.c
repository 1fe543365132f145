/* SPDX-License-Identifier: BSD-3-Clause */
/* yields_mpi.c - see yields_mpi.h; by the tool information interface, MPI 3.1 section 14.3. */
#include <config.h>

#include "yields_mpi.h"

#ifdef HITOP_SMPI /* has no such interface */
int hitop_mpi_yields(void)
{
    return 0;
}
#else

#include <mpi.h>
#include <pthread.h>

static int yields;

static void ask(void)
{
    MPI_T_cvar_handle handle;
    int provided, index, count, value = 0; /* a library may write the first byte only */

    if (PMPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) {
        return;
    }
    if (PMPI_T_cvar_get_index("mpi_yield_when_idle", &index) == MPI_SUCCESS &&
        PMPI_T_cvar_handle_alloc(index, NULL, &handle, &count) == MPI_SUCCESS) {
        yields = count == 1 && PMPI_T_cvar_read(handle, &value) == MPI_SUCCESS && value != 0;
        (void)PMPI_T_cvar_handle_free(&handle);
    }
    (void)PMPI_T_finalize();
}

int hitop_mpi_yields(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    (void)pthread_once(&once, ask);
    return yields;
}
#endif
